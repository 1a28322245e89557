extension Expression {
    /// The parts, in source order. Those of a closure are the expressions of its statements.
    public var parts: [Expression] {
        switch self {
        case .name, .literal, .keyPath, .type: []
        case .member(let base, _, _): base.map { [$0] } ?? []
        case .call(let call): [call.callee] + call.arguments.map(\.value)
        case .element(let base, let arguments, _): [base] + arguments.map(\.value)
        case .closure(let closure): closure.body.expressions
        case .assignment(let target, let value, _, _): [target, value]
        case .array(let parts, _), .other(let parts, _): parts
        case .tuple(let parts, _): parts.map(\.value)
        case .cast(let inner, _): [inner]
        case .block(let statements): statements.expressions
        }
    }

    /// Calls `body` with this expression and all within. `body` says whether to look into it.
    public func walk(_ body: (Expression) -> Bool) {
        guard body(self) else { return }
        for part in parts { part.walk(body) }
    }

    /// Where it stands; nil for what has no place of its own.
    public var position: Int? {
        switch self {
        case .name(_, let at), .member(_, _, let at), .element(_, _, let at), .array(_, let at), .tuple(_, let at),
            .keyPath(_, let at), .type(_, let at):
            at
        case .assignment(_, _, _, let at): at
        case .call(let call): call.position
        case .closure(let closure): closure.position
        case .cast(let inner, _): inner.position
        case .other(let parts, _): parts.first?.position
        case .block, .literal: nil
        }
    }
}

extension Statement {
    /// The expressions that stand in it directly, and those of nested statements.
    public var expressions: [Expression] {
        switch self {
        case .expression(let expression): [expression]
        case .variable(let variable):
            (variable.initializer.map { [$0] } ?? []) + variable.accessors.flatMap { ($0.body ?? []).expressions }
        case .loop(let loop):
            (loop.sequence.map { [$0] } ?? []) + loop.conditions.flatMap(\.expressions) + loop.body.expressions
        case .choice(let choice):
            (choice.subject.map { [$0] } ?? []) + choice.conditions.flatMap(\.expressions)
                + choice.branches.flatMap(\.expressions)
        case .later(let statements): statements.expressions
        case .function(let function): (function.body ?? []).expressions
        case .leave(_, let expression): expression.map { [$0] } ?? []
        }
    }
}

extension Condition {
    /// The expressions in it; a name that binds itself is its own expression.
    public var expressions: [Expression] {
        switch self {
        case .binding(let name, let value): [value ?? .name(name, at: 0)]
        case .pattern(_, let value), .test(let value): [value]
        }
    }
}

extension [Statement] {
    /// The expressions of all statements, nested ones too, in source order.
    public var expressions: [Expression] { flatMap(\.expressions) }

    /// Calls `body` with every expression within. `body` says whether to look into it.
    public func walk(_ body: (Expression) -> Bool) {
        for expression in expressions { expression.walk(body) }
    }

    /// Calls `body` with every statement within, closures and local functions too.
    public func walkStatements(_ body: (Statement) -> Void) {
        for statement in self {
            body(statement)
            switch statement {
            case .loop(let loop): loop.body.walkStatements(body)
            case .choice(let choice): for part in choice.branches { part.walkStatements(body) }
            case .later(let statements): statements.walkStatements(body)
            case .function(let function): function.body?.walkStatements(body)
            default: break
            }
            for expression in statement.ownExpressions {
                expression.walk { part in
                    if case .closure(let closure) = part {
                        closure.body.walkStatements(body)
                        return false
                    }
                    if case .block(let statements) = part {
                        statements.walkStatements(body)
                        return false
                    }
                    return true
                }
            }
        }
    }
}

extension Statement {
    /// The expressions that stand in it directly: not those of nested statements.
    public var ownExpressions: [Expression] {
        switch self {
        case .expression(let expression): [expression]
        case .variable(let variable): variable.initializer.map { [$0] } ?? []
        case .loop(let loop): (loop.sequence.map { [$0] } ?? []) + loop.conditions.flatMap(\.expressions)
        case .choice(let choice): (choice.subject.map { [$0] } ?? []) + choice.conditions.flatMap(\.expressions)
        case .later, .function: []
        case .leave(_, let expression): expression.map { [$0] } ?? []
        }
    }
}
