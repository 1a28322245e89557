import SourceModel

/// Walks one function twice: first to learn which local objects `self` owns, then to see what gets where.
final class FunctionWalker {
    let analysis: FlowAnalysis
    let place: FunctionPlace
    var typing: Typing
    /// `self` is a counted reference.
    let selfIsObject: Bool
    /// It is a strong one: not a weak capture that was not unwrapped.
    var selfIsStrong: Bool
    /// Names for `self`, itself among them.
    var selfNames: Set<String> = []
    /// Names for parameters that are kept when what mentions them is kept.
    var parameters: [String: Int] = [:]
    /// Local objects that `self` owns.
    var owned: [String: StoragePath] = [:]
    /// What local values hold.
    var heldByLocal: [String: [Held]] = [:]
    /// Names of all local variables, with what they are made of.
    var localFunctions: [String: Function] = [:]
    /// Those that capture `self`.
    var selfFunctions: Set<String> = []
    var localNames: Set<String> = []
    var weakLocals: Set<String> = []
    var result = FunctionFlows()
    /// Closures and local functions around the current place.
    private var depth = 0

    var module: Module { analysis.module }
    var type: TypeInfo? { place.type }

    init(analysis: FlowAnalysis, place: FunctionPlace) {
        self.analysis = analysis
        self.place = place
        var generics = place.type?.generics ?? [:]
        generics.merge(place.function.generics) { $1 }
        typing = Typing(module: analysis.module, path: place.type?.path ?? "", file: place.file, generics: generics)
        let isStatic = place.function.isStatic
        if let type = place.type, !isStatic {
            let extendsClass = !type.isDeclared && analysis.module.isKnownClass(type.name)
            let isClassBound = type.kind == .protocol && analysis.module.isClassBound(type)
            selfIsObject = type.isClass || extendsClass || isClassBound
        } else {
            selfIsObject = false
        }
        selfIsStrong = selfIsObject
        if selfIsObject { selfNames = ["self"] }
    }

    func walk(_ body: [Statement]) -> FunctionFlows {
        for (number, parameter) in place.function.parameters.enumerated() {
            typing.locals[parameter.name] = parameter.type
            parameters[parameter.name] = number
            localNames.insert(parameter.name)
        }
        let atStart = (typing, selfNames, localNames)
        statements(body, value: .returned)
        // What the first pass learned about ownership stays for the second.
        let names = selfNames
        (typing, selfNames, localNames) = atStart
        selfNames.formUnion(names)
        selfIsStrong = selfIsObject
        heldByLocal = [:]
        result = FunctionFlows()
        statements(body, value: .returned)
        if body.count == 1, case .expression(let value) = body[0] { returns(value) }
        for index in result.sites.indices {
            if case .local(let name) = result.sites[index].destination, let path = owned[name] {
                result.sites[index].destination = .stored(path)
            }
            noteTokenOfParameter(result.sites[index])
        }
        return result
    }

    private func returns(_ value: Expression) {
        guard depth == 0, let type = place.function.result else { return }
        result.returned += held(value, expected: type)
    }

    // MARK: Statements

    /// `value`: where the value of a single expression goes.
    func statements(_ body: [Statement], value: Destination = .dropped) {
        let isImplicitReturn =
            body.count == 1 && (place.function.result != nil || place.function.kind != .function)
        for statement in body { self.statement(statement, value: isImplicitReturn ? value : .dropped) }
    }

    private func statement(_ statement: Statement, value: Destination) {
        switch statement {
        case .expression(let expression): visit(expression, value)
        case .variable(let variable): declare(variable)
        case .loop(let loop):
            if let sequence = loop.sequence {
                visit(sequence, .other)
                let element = typing.type(of: sequence).flatMap { module.resolve($0).element }
                for name in loop.names {
                    bind(name, to: nil, type: loop.names.count == 1 ? element : nil)
                    if let path = storage(sequence) {
                        owned[name] = StoragePath(
                            fields: path.fields + ["[…]"], keeper: path.keeper, type: element,
                            unknowns: path.unknowns)
                    }
                }
            }
            scoped {
                conditions(loop.conditions)
                statements(loop.body)
            }
        case .choice(let choice):
            if let subject = choice.subject { visit(subject, .other) }
            if choice.isGuard {
                scoped { for branch in choice.branches { statements(branch) } }
                conditions(choice.conditions)
            } else {
                scoped {
                    conditions(choice.conditions)
                    for part in choice.branches { statements(part, value: value) }
                }
            }
        case .later(let body): statements(body)
        case .function(let function):
            localFunctions[function.name] = function
            if selfIsObject, selfIsStrong, usesSelf(function) { selfFunctions.insert(function.name) }
            if let body = function.body {
                depth += 1
                defer { depth -= 1 }
                scoped {
                    for parameter in function.parameters { bind(parameter.name, to: nil, type: parameter.type) }
                    statements(body)
                }
            }
        case .leave(let kind, let expression):
            guard let expression else { return }
            visit(expression, .returned)
            if kind == .returns { returns(expression) }
        }
    }

    /// Bindings of `self` end with the scope.
    private func scoped(_ body: () -> Void) {
        let strength = selfIsStrong
        body()
        selfIsStrong = strength
    }

    private func conditions(_ conditions: [Condition]) {
        for condition in conditions {
            switch condition {
            case .binding(let name, let value):
                if let value { visit(value, .local(name)) }
                let source = value ?? .name(name, at: 0)
                if case .name("self", _) = source, selfIsObject {
                    selfIsStrong = true
                    if name != "self" { selfNames.insert(name) }
                } else {
                    bind(name, to: value, type: value == nil ? nil : typing.type(of: source)?.unwrapped)
                }
            case .pattern(let names, let value):
                visit(value, .other)
                for name in names { bind(name, to: nil, type: nil) }
            case .test(let expression): visit(expression, .other)
            }
        }
    }

    private func declare(_ variable: Variable) {
        if variable.ownership != .strong {
            weakLocals.insert(variable.name)
            localNames.insert(variable.name)
            selfNames.remove(variable.name)
            return
        }
        if let value = variable.initializer {
            if isSelf(value), selfIsStrong, selfIsObject {
                selfNames.insert(variable.name)
                return
            }
            visit(value, .local(variable.name))
        }
        let isCopy = variable.initializer.map {
            !variable.isLet && module.isValue(variable.type ?? typing.type(of: $0), from: typing.path) == true
        }
        bind(variable.name, to: variable.initializer, type: variable.type, isCopy: isCopy ?? false)
        for accessor in variable.accessors { statements(accessor.body ?? []) }
    }

    /// Gives a local name its value.
    /// `isCopy`: of a value, which changes by itself from then on.
    private func bind(_ name: String, to value: Expression?, type: TypeReference?, isCopy: Bool = false) {
        localNames.insert(name)
        typing.locals[name] = type
        typing.values[name] = type == nil ? value : nil
        heldByLocal[name] = value.map { held($0, expected: type) } ?? []
        if !isCopy, let value, let path = storage(value) { owned[name] = path }
        if let value, case .name(let other, _) = value, other != name, let number = parameters[other] {
            parameters[name] = number
        }
    }

    // MARK: Expressions

    func isSelf(_ expression: Expression) -> Bool {
        if case .name(let name, _) = expression { return selfNames.contains(name) }
        return false
    }

    /// Looks at an expression whose value goes to `destination`.
    func visit(_ expression: Expression, _ destination: Destination) {
        switch expression {
        case .call(let call): visit(call, destination)
        case .assignment(let target, let value, let operation, let at): assign(target, value, operation, at)
        case .closure(let closure): walk(closure)
        case .cast(let inner, _): visit(inner, destination)
        case .array(let parts, _): for part in parts { visit(part, destination) }
        case .other(let parts, let operation):
            let passes = operation == "??" || operation == "?:" || operation == ""
            for part in parts { visit(part, passes ? destination : .other) }
        case .block(let body): statements(body, value: destination)
        case .member(let base?, _, _): visit(base, .other)
        case .element(let base, let arguments, _):
            visit(base, .other)
            for part in arguments { visit(part.value, .other) }
        case .tuple(let parts, _): for part in parts { visit(part.value, destination) }
        default: break
        }
    }

    func walk(_ closure: Closure) {
        let saved = (selfIsStrong, selfNames, typing)
        depth += 1
        defer { depth -= 1 }
        if let ownership = Captures.ownership(closure, of: selfNames), ownership != .strong {
            selfIsStrong = false
        }
        for capture in closure.captures {
            if let source = capture.source, selfNames.contains(source), capture.ownership == .strong {
                selfNames.insert(capture.name)
            } else if capture.source != nil {
                selfNames.remove(capture.name)
            }
        }
        for parameter in closure.parameters {
            typing.locals[parameter] = nil
            typing.values[parameter] = nil
            localNames.insert(parameter)
        }
        for (index, statement) in closure.body.enumerated() {
            self.statement(statement, value: index == 0 && closure.body.count == 1 ? .returned : .dropped)
        }
        (selfIsStrong, selfNames, typing) = saved
    }

    private func assign(_ target: Expression, _ value: Expression, _ operation: String, _ at: Int) {
        visit(target, .other)
        if case .name("_", _) = target {
            visit(value, .dropped)
            return
        }
        if case .other(let parts, _) = target, parts.isEmpty {
            visit(value, .dropped)
            return
        }
        guard operation == "=" || operation == "+=" else { return visit(value, .other) }
        if let path = storage(target) {
            if case .member(.name(let name, _)?, let field, _) = target, localNames.contains(name) {
                noteCircle(name, path.keeper, field, path.unknowns, value)
            }
            visit(value, .stored(path))
            store(value, into: path, at: at)
            return
        }
        switch target {
        case .name(let name, _) where localNames.contains(name):
            visit(value, .local(name))
            noteCircle(ofVariable: name, value)
            heldByLocal[name, default: []] += held(value, expected: typing.type(of: target))
            if let path = storage(value) { owned[name] = path }
        default:
            visit(value, .other)
            keepInLocal(target, value)
        }
    }

    /// Notes what gets into storage, and that `self` now owns a local object.
    func store(
        _ value: Expression, into path: StoragePath, at position: Int, token: String? = nil,
        key: String? = nil
    ) {
        own(value, path)
        for held in held(value, expected: path.parameter ?? path.type) {
            result.flows.append(
                Flow(held: held, path: path, position: position, key: key, token: token))
        }
    }

    private func own(_ value: Expression, _ path: StoragePath) {
        switch value {
        case .name(let name, _) where localNames.contains(name) && !weakLocals.contains(name):
            if owned[name] == nil { owned[name] = path }
        case .array(let parts, _): for part in parts { own(part, path) }
        default: break
        }
    }
}
