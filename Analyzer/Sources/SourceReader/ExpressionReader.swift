import SourceModel
import SwiftSyntax

extension TreeReader {
    func expression(_ syntax: ExprSyntax) -> Expression {
        deeper(.other([], operation: "")) { expressionHere(syntax) }
    }

    private func expressionHere(_ syntax: ExprSyntax) -> Expression {
        switch syntax.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let name): return .name(name.baseName.text.trimmingBackticks, at: name.offset)
        case .superExpr(let base): return .name("super", at: base.offset)
        case .memberAccessExpr(let member):
            if member.declName.baseName.text == "self", let base = member.base { return expression(base) }
            return .member(
                member.base.map(expression), member.declName.baseName.text.trimmingBackticks,
                at: member.declName.offset)
        case .functionCallExpr(let call): return self.call(call)
        case .subscriptCallExpr(let element):
            return .element(
                expression(element.calledExpression), arguments(element.arguments), at: element.leftSquare.offset)
        case .closureExpr(let closure): return .closure(self.closure(closure))
        case .sequenceExpr(let sequence): return self.sequence(Array(sequence.elements))
        case .tryExpr(let wrapped):
            let inner = expression(wrapped.expression)
            guard case .call(var call) = inner, wrapped.questionOrExclamationMark == nil else { return inner }
            call.canThrow = true
            return .call(call)
        case .awaitExpr(let wrapped): return expression(wrapped.expression)
        case .unsafeExpr(let wrapped): return expression(wrapped.expression)
        case .consumeExpr(let wrapped): return expression(wrapped.expression)
        case .copyExpr(let wrapped): return expression(wrapped.expression)
        case .borrowExpr(let wrapped): return expression(wrapped.expression)
        case .optionalChainingExpr(let wrapped): return expression(wrapped.expression)
        case .forceUnwrapExpr(let wrapped): return expression(wrapped.expression)
        case .inOutExpr(let wrapped): return expression(wrapped.expression)
        case .tupleExpr(let tuple):
            let parts = arguments(tuple.elements)
            return parts.count == 1 && parts[0].label == nil ? parts[0].value : .tuple(parts, at: tuple.offset)
        case .arrayExpr(let array): return self.array(array)
        case .dictionaryExpr(let dictionary): return self.dictionary(dictionary)
        case .genericSpecializationExpr(let special): return specialization(special)
        case .typeExpr(let type): return .type(self.type(type.type), at: type.offset)
        case .ifExpr(let check): return .block([.choice(choice(check))])
        case .switchExpr(let choice): return .block([.choice(self.choice(choice))])
        case .keyPathExpr(let path): return keyPath(path)
        case .stringLiteralExpr(let text): return interpolation(text)
        case .integerLiteralExpr(let number): return .literal(.number(number.literal.text))
        case .booleanLiteralExpr(let value): return .literal(value.literal.text == "true" ? .yes : .no)
        case .nilLiteralExpr: return .literal(.none)
        case .floatLiteralExpr(let number): return .literal(.number(number.literal.text))
        case .simpleStringLiteralExpr, .regexLiteralExpr: return .literal(.text(nil))
        case .prefixOperatorExpr(let operation):
            return .other([expression(operation.expression)], operation: operation.operator.text)
        case .postfixOperatorExpr(let operation):
            return .other([expression(operation.expression)], operation: operation.operator.text)
        case .asExpr(let cast): return .cast(expression(cast.expression), type(cast.type))
        case .isExpr(let test): return .other([expression(test.expression)], operation: "is")
        case .macroExpansionExpr(let macro):
            let parts = arguments(macro.arguments).map(\.value)
            let closures = trailing(macro.trailingClosure, macro.additionalTrailingClosures).map(\.value)
            return .other(parts + closures, operation: "#" + macro.macroName.text)
        case .postfixIfConfigExpr(let configuration):
            return configuration.base.map(expression) ?? .other([], operation: "")
        case .packExpansionExpr(let pack): return expression(pack.repetitionPattern)
        case .packElementExpr(let pack): return expression(pack.pack)
        default: return .other([], operation: "")
        }
    }

    private func call(_ call: FunctionCallExprSyntax) -> Expression {
        let callee = expression(call.calledExpression)
        var given = arguments(call.arguments)
        given += trailing(call.trailingClosure, call.additionalTrailingClosures)
        let position: Int
        switch callee {
        case .name(_, let at), .member(_, _, let at), .type(_, let at): position = at
        default: position = call.offset
        }
        // `[String: Int]()` and `[Int]()` are empty collections.
        if given.isEmpty {
            if case .array(let parts, _) = callee, parts.count == 1 { return .literal(.emptyArray) }
            if case .type(.array, _) = callee { return .literal(.emptyArray) }
            if case .type(.dictionary, _) = callee { return .literal(.emptyDictionary) }
        }
        return .call(Call(callee: callee, arguments: given, position: position))
    }

    private func arguments(_ list: LabeledExprListSyntax) -> [Argument] {
        list.map { argument in
            Argument(
                label: argument.label?.text.trimmingBackticks, value: expression(argument.expression),
                isInout: argument.expression.is(InOutExprSyntax.self))
        }
    }

    private func trailing(_ first: ClosureExprSyntax?, _ more: MultipleTrailingClosureElementListSyntax) -> [Argument] {
        var result = first.map { [Argument(label: nil, value: .closure(closure($0)), isTrailing: true)] } ?? []
        result += more.map {
            Argument(label: $0.label.text, value: .closure(closure($0.closure)), isTrailing: true)
        }
        return result
    }

    private func array(_ syntax: ArrayExprSyntax) -> Expression {
        let parts = syntax.elements.map { expression($0.expression) }
        return parts.isEmpty ? .literal(.emptyArray) : .array(parts, at: syntax.offset)
    }

    private func dictionary(_ syntax: DictionaryExprSyntax) -> Expression {
        guard case .elements(let elements) = syntax.content else { return .literal(.emptyDictionary) }
        return .array(elements.flatMap { [expression($0.key), expression($0.value)] }, at: syntax.offset)
    }

    private func specialization(_ syntax: GenericSpecializationExprSyntax) -> Expression {
        let arguments = syntax.genericArgumentClause.arguments.map { argument -> TypeReference in
            if case .type(let type) = argument.argument { return self.type(type) }
            return .other
        }
        switch expression(syntax.expression) {
        case .name(let name, let at): return .type(.named([name], arguments: arguments), at: at)
        case .member(_, let name, let at): return .type(.named([name], arguments: arguments), at: at)
        case let other: return other
        }
    }

    private func keyPath(_ syntax: KeyPathExprSyntax) -> Expression {
        let names = syntax.components.compactMap { component -> String? in
            if case .property(let property) = component.component { return property.declName.baseName.text }
            return nil
        }
        return .keyPath(names, at: syntax.offset)
    }

    private func interpolation(_ syntax: StringLiteralExprSyntax) -> Expression {
        let parts = syntax.segments.flatMap { segment -> [Expression] in
            guard case .expressionSegment(let inner) = segment else { return [] }
            return inner.expressions.map { expression($0.expression) }
        }
        return parts.isEmpty ? .literal(.text(syntax.representedLiteralValue)) : .other(parts, operation: "\\")
    }

    /// Operands and operators in a row. Assignment binds weakest; the rest need not be distinguished.
    private func sequence(_ elements: [ExprSyntax]) -> Expression {
        for (index, element) in elements.enumerated() {
            guard let operation = assignmentOperator(element), index > 0, index + 1 < elements.count else { continue }
            return deeper(.other([], operation: "")) {
                .assignment(
                    target: sequence(Array(elements[..<index])), value: sequence(Array(elements[(index + 1)...])),
                    operation: operation, at: elements[0].offset)
            }
        }
        if elements.count == 1 { return expression(elements[0]) }
        var parts: [Expression] = []
        var operation: String?
        var index = 0
        while index < elements.count {
            let element = elements[index]
            index += 1
            switch element.as(ExprSyntaxEnum.self) {
            case .binaryOperatorExpr(let symbol):
                operation = operation == nil || operation == symbol.operator.text ? symbol.operator.text : ""
            case .unresolvedTernaryExpr(let choice):
                operation = operation == nil ? "?:" : ""
                parts.append(expression(choice.thenExpression))
            case .unresolvedAsExpr:
                if index < elements.count, let type = elements[index].as(TypeExprSyntax.self),
                    let last = parts.popLast()
                {
                    parts.append(.cast(last, self.type(type.type)))
                }
                index += 1
            case .unresolvedIsExpr:
                operation = operation == nil ? "is" : ""
                index += 1
            default: parts.append(expression(element))
            }
        }
        if parts.count == 1, operation == nil { return parts[0] }
        return .other(parts, operation: operation ?? "")
    }

    private func assignmentOperator(_ element: ExprSyntax) -> String? {
        if element.is(AssignmentExprSyntax.self) { return "=" }
        guard let symbol = element.as(BinaryOperatorExprSyntax.self)?.operator.text, symbol.count >= 2,
            symbol.hasSuffix("="), !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(symbol)
        else { return nil }
        return symbol
    }
}
