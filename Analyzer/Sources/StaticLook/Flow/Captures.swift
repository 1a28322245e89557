import SourceModel

/// Determines what closures capture.
enum Captures {
    /// Whether the closure keeps one of `names` alive, which stand for the same object outside of it.
    static func isStrong(_ closure: Closure, of names: Set<String>) -> Bool {
        var open = names
        for capture in closure.captures {
            if names.contains(capture.source ?? capture.name) {
                if capture.ownership == .strong { return true }
                // `[weak self]` renames; `[weak owner = self]` leaves `self` itself to be captured.
                if capture.source == nil { open.remove(capture.name) }
            }
            open.remove(capture.name)
        }
        open.subtract(closure.parameters)
        return !open.isEmpty && mentions(closure.body, open)
    }

    /// Whether statements use one of the names, themselves or in a closure that captures it.
    static func mentions(_ body: [Statement], _ names: Set<String>) -> Bool {
        body.expressions.contains { mentions($0, names) }
    }

    static func mentions(_ expression: Expression, _ names: Set<String>) -> Bool {
        var found = false
        expression.walk { part in
            guard !found else { return false }
            switch part {
            case .name(let name, _): found = names.contains(name)
            case .closure(let inner):
                found = reaches(inner, names)
                return false
            default: break
            }
            return !found
        }
        return found
    }

    /// Whether a statement of the closure gives the name a meaning of its own.
    static func declares(_ closure: Closure, _ name: String) -> Bool {
        var found = false
        func bind(_ conditions: [Condition]) {
            for condition in conditions {
                switch condition {
                case .binding(name, let value?): found = found || !mentions(value, [name])
                case .pattern(let names, _): found = found || names.contains(name)
                default: break
                }
            }
        }
        closure.body.walkStatements { statement in
            switch statement {
            case .variable(let variable):
                found = found || (variable.name == name && variable.initializer.map { !mentions($0, [name]) } ?? true)
            case .loop(let loop):
                found = found || loop.names.contains(name)
                bind(loop.conditions)
            case .choice(let choice): bind(choice.conditions)
            case .function(let function): found = found || function.name == name
            default: break
            }
        }
        return found
    }

    /// Whether the closure takes one of the names from outside, in whatever way.
    private static func reaches(_ closure: Closure, _ names: Set<String>) -> Bool {
        if closure.captures.contains(where: { names.contains($0.source ?? $0.name) }) { return true }
        let open = names.subtracting(closure.parameters).subtracting(closure.captures.map(\.name))
        return !open.isEmpty && mentions(closure.body, open)
    }

    /// Whether a closure within captures one of the names weakly, or unowned, while this one does not.
    static func hasWeakInner(_ closure: Closure, of names: Set<String>) -> Bool {
        var found = false
        closure.body.walk { part in
            guard case .closure(let inner) = part else { return !found }
            found =
                found
                || inner.captures.contains { names.contains($0.source ?? $0.name) && $0.ownership != .strong }
            return !found
        }
        return found
    }

    /// How the closure itself captures `self`; nil when its list does not name it.
    static func ownership(_ closure: Closure, of names: Set<String>) -> Closure.Capture.Ownership? {
        closure.captures.first { names.contains($0.source ?? $0.name) }?.ownership
    }
}
