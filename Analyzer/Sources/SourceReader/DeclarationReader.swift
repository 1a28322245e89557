import GameprofBasics
import SourceModel
import SwiftSyntax

extension TreeReader {
    /// Reads a type declaration, its members and nested types, into the file; passes over other declarations.
    func typeDeclaration(_ declaration: DeclSyntax) {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .classDecl(let type):
            add(
                type, .class, name: type.name.text.trimmingBackticks, inherited: type.inheritanceClause,
                generics: generics(type.genericParameterClause, type.genericWhereClause))
        case .actorDecl(let type):
            add(
                type, .actor, name: type.name.text.trimmingBackticks, inherited: type.inheritanceClause,
                generics: generics(type.genericParameterClause, type.genericWhereClause))
        case .structDecl(let type):
            add(
                type, .struct, name: type.name.text.trimmingBackticks, inherited: type.inheritanceClause,
                generics: generics(type.genericParameterClause, type.genericWhereClause))
        case .enumDecl(let type):
            add(
                type, .enum, name: type.name.text.trimmingBackticks, inherited: type.inheritanceClause,
                generics: generics(type.genericParameterClause, type.genericWhereClause))
        case .protocolDecl(let type):
            add(
                type, .protocol, name: type.name.text.trimmingBackticks, inherited: type.inheritanceClause,
                generics: [:])
        case .extensionDecl(let type):
            guard case .named(let path, _) = self.type(type.extendedType) else { return }
            add(type, .extension, name: path.joined(separator: "."), inherited: type.inheritanceClause, generics: [:])
        case .typeAliasDecl(let alias):
            file.aliases[alias.name.text.trimmingBackticks] = type(alias.initializer.value)
            if !typePath.isEmpty { file.innerAliases.insert(alias.name.text.trimmingBackticks) }
        default: break
        }
    }

    private func add(
        _ type: some DeclGroupSyntax, _ kind: TypeDeclaration.Kind, name: String, inherited: InheritanceClauseSyntax?,
        generics: [String: TypeReference]
    ) {
        deeper(()) {
            typePath.append(name)
            var members = Members(isValue: kind == .struct || kind == .enum)
            read(type.memberBlock.members, into: &members)
            file.types.append(
                TypeDeclaration(
                    name: NameTokens.last(of: name), path: typePath.joined(separator: "."),
                    kind: kind, inherited: inherited?.inheritedTypes.map { self.type($0.type) } ?? [],
                    generics: generics, attributes: names(type.attributes), properties: members.properties,
                    functions: members.functions, cases: members.cases, position: type.introducer.offset))
            typePath.removeLast()
        }
    }

    private struct Members {
        let isValue: Bool
        var properties: [Variable] = []
        var functions: [Function] = []
        var cases: [TypeDeclaration.Case] = []
    }

    private func read(_ items: MemberBlockItemListSyntax, into members: inout Members) {
        for item in items {
            switch item.decl.as(DeclSyntaxEnum.self) {
            case .variableDecl(let variable): members.properties += variables(variable)
            case .functionDecl(let function): members.functions.append(self.function(function))
            case .initializerDecl(let initializer): members.functions.append(self.initializer(initializer))
            case .deinitializerDecl(let end):
                // That of a value runs when the value ends, whatever holds the objects that it has.
                members.functions.append(
                    Function(
                        name: "deinit", kind: members.isValue ? .accessor : .deinitializer,
                        body: end.body.map { statements($0.statements) },
                        position: end.deinitKeyword.offset))
            case .subscriptDecl(let element): members.functions.append(subscription(element))
            case .enumCaseDecl(let cases): members.cases += cases.elements.map(enumCase)
            case .ifConfigDecl(let configuration):
                for clause in CompilationCondition.clauses(configuration) {
                    if case .decls(let declarations) = clause.elements { read(declarations, into: &members) }
                }
            default: typeDeclaration(item.decl)
            }
        }
    }

    private func enumCase(_ element: EnumCaseElementSyntax) -> TypeDeclaration.Case {
        let payload = element.parameterClause?.parameters.map { (label: $0.firstName?.text, type: type($0.type)) }
        return TypeDeclaration.Case(
            name: element.name.text.trimmingBackticks, payload: payload ?? [], position: element.name.offset)
    }

    func names(_ attributes: AttributeListSyntax) -> [String] {
        attributes.compactMap { element in
            if case .attribute(let attribute) = element { return type(attribute.attributeName).name }
            return nil
        }
    }

    /// The names that a `let` or `var` declares.
    func variables(_ declaration: VariableDeclSyntax) -> [Variable] {
        var common = Variable(name: "", position: 0)
        common.isLet = declaration.bindingSpecifier.text == "let"
        common.attributes = names(declaration.attributes)
        for modifier in declaration.modifiers {
            switch modifier.name.text {
            case "weak": common.ownership = .weak
            case "unowned": common.ownership = modifier.detail?.detail.text == "unsafe" ? .unownedUnsafe : .unowned
            case "static", "class": common.isStatic = true
            case "lazy": common.isLazy = true
            case "private", "fileprivate": if modifier.detail == nil { common.isPrivate = true }
            default: break
            }
        }
        return declaration.bindings.flatMap { binding in variables(binding, common) }
    }

    private func variables(_ binding: PatternBindingSyntax, _ common: Variable) -> [Variable] {
        var common = common
        common.type = binding.typeAnnotation.map { type($0.type) }
        common.initializer = binding.initializer.map { expression($0.value) }
        if let block = binding.accessorBlock {
            common.accessors = accessors(block, of: common.type)
            common.isComputed = common.accessors.contains { !["willSet", "didSet"].contains($0.name) }
        }
        let names = boundNames(binding.pattern)
        return names.map { name, offset in
            var variable = common
            variable.name = name
            variable.position = offset
            if names.count > 1 { (variable.type, variable.initializer) = (nil, nil) }
            return variable
        }
    }

    /// The values of `let (one, two) = value`, which belong to none of the names alone.
    func tupleValues(_ declaration: VariableDeclSyntax) -> [Expression] {
        declaration.bindings.compactMap { binding in
            guard binding.pattern.is(TuplePatternSyntax.self), let value = binding.initializer?.value else {
                return nil
            }
            return .other([expression(value)], operation: "let")
        }
    }

    private func accessors(_ block: AccessorBlockSyntax, of type: TypeReference? = nil) -> [Function] {
        switch block.accessors {
        case .getter(let items):
            return [
                Function(name: "get", kind: .accessor, result: type, body: statements(items), position: block.offset)
            ]
        case .accessors(let list):
            return list.map { accessor in
                Function(
                    name: accessor.accessorSpecifier.text, kind: .accessor,
                    result: accessor.accessorSpecifier.text == "get" ? type : nil,
                    body: accessor.body.map { statements($0.statements) } ?? [], position: accessor.offset)
            }
        }
    }

    func function(_ syntax: FunctionDeclSyntax) -> Function {
        let words = syntax.modifiers.map(\.name.text)
        let exposing: Set = [
            "public", "open", "override", "package", "objc", "IBAction", "_cdecl", "cdecl", "Test", "main",
        ]
        return Function(
            name: syntax.name.text.trimmingBackticks, kind: .function,
            parameters: syntax.signature.parameterClause.parameters.map(parameter),
            result: syntax.signature.returnClause.map { type($0.type) },
            isStatic: words.contains("static") || words.contains("class"),
            isPrivate: words.contains("private") || words.contains("fileprivate"),
            isExposed: !exposing.isDisjoint(with: words + names(syntax.attributes)),
            generics: generics(syntax.genericParameterClause, syntax.genericWhereClause),
            attributes: names(syntax.attributes), body: syntax.body.map { statements($0.statements) },
            position: syntax.name.offset)
    }

    private func initializer(_ syntax: InitializerDeclSyntax) -> Function {
        Function(
            name: "init", kind: .initializer, parameters: syntax.signature.parameterClause.parameters.map(parameter),
            isPrivate: syntax.modifiers.contains { $0.name.text == "private" },
            generics: generics(syntax.genericParameterClause, syntax.genericWhereClause),
            body: syntax.body.map { statements($0.statements) }, position: syntax.initKeyword.offset)
    }

    private func subscription(_ syntax: SubscriptDeclSyntax) -> Function {
        let getters = syntax.accessorBlock.map { accessors($0) } ?? []
        return Function(
            name: "subscript", kind: .subscription, parameters: syntax.parameterClause.parameters.map(parameter),
            result: type(syntax.returnClause.type), body: getters.flatMap { $0.body ?? [] },
            position: syntax.subscriptKeyword.offset)
    }

    private func parameter(_ syntax: FunctionParameterSyntax) -> Function.Parameter {
        let label = syntax.firstName.text
        var isInout = false
        if let attributed = syntax.type.as(AttributedTypeSyntax.self) {
            isInout = attributed.specifiers.contains { $0.trimmedDescription == "inout" }
        }
        return Function.Parameter(
            label: label == "_" ? nil : label, name: syntax.secondName?.text ?? label, type: type(syntax.type),
            isInout: isInout, hasDefault: syntax.defaultValue != nil)
    }
}
