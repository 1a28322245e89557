import SourceModel

/// Calls that always give a value, or always true: what waits for another answer waits for ever.
struct SureResult {
    let module: Module
    /// Whose functions call.
    let type: TypeInfo

    /// Whether every function that the call can mean gives something other than nil.
    func isValue(_ call: Call) -> Bool { isValue(call, depth: 0) }

    private func isValue(_ call: Call, depth: Int) -> Bool {
        allReturn(call) { isValue($0, $1, in: $2, depth: depth) }
    }

    /// Whether every function that the call can mean gives true.
    func isTrue(_ call: Call) -> Bool {
        allReturn(call) { value, _, _ in if case .literal(.yes) = value { true } else { false } }
    }

    private func allReturn(_ call: Call, _ isSure: (Expression, Set<String>, Method) -> Bool) -> Bool {
        let methods = methods(call)
        return !methods.isEmpty
            && methods.allSatisfy { method in
                guard let body = method.function.body else { return false }
                if body.count == 1, case .expression(let value) = body[0] { return isSure(value, [], method) }
                var found = Returned()
                found.collect(body)
                return !found.values.isEmpty && found.values.allSatisfy { isSure($0, found.bound, method) }
            }
    }

    private func methods(_ call: Call) -> [Method] {
        guard let name = call.name else { return [] }
        switch call.callee {
        case .name, .member(.name("self", _)?, _, _): return module.methods(name, of: type)
        case .member(let base?, _, _):
            let typing = Typing(module: module, path: type.path, file: nil, generics: [:])
            return typing.info(of: base).map { module.methods(name, of: $0) } ?? []
        default: return []
        }
    }

    private func isValue(_ value: Expression, _ bound: Set<String>, in method: Method, depth: Int) -> Bool {
        switch value {
        case .literal(let literal): return literal != .none
        case .name(let name, _): return bound.contains(name)
        case .array, .tuple, .closure: return true
        case .other(let parts, "??"): return parts.last.map { isValue($0, bound, in: method, depth: depth) } ?? false
        case .other(let parts, "?:"):
            return parts.dropFirst().allSatisfy { isValue($0, bound, in: method, depth: depth) }
        case .call(let call):
            switch call.name ?? "" {
            case "removeFirst", "removeLast": return true
            case "withCheckedContinuation", "withUnsafeContinuation", "withCheckedThrowingContinuation":
                return resumesWithValues(method)
            default: return depth < 4 && isValue(call, depth: depth + 1)
            }
        default: return false
        }
    }

    /// Whether no continuation that the type resumes can get nil.
    private func resumesWithValues(_ caller: Method) -> Bool {
        (module.type(named: caller.type)?.functions ?? []).allSatisfy { method in
            var isSure = true
            (method.function.body ?? []).walk { part in
                guard case .call(let call) = part, call.name == "resume" else { return isSure }
                switch call.argument("returning") {
                case .name(let name, _)?:
                    let parameter = method.function.parameters.first { $0.name == name }
                    isSure = parameter.map { !module.resolve($0.type).isOptional } ?? false
                case .literal(let literal)?: isSure = literal != .none
                default: isSure = false
                }
                return isSure
            }
            return isSure
        }
    }

    /// What a function returns itself, and the names in it that are bound to more than nil.
    private struct Returned {
        var values: [Expression] = []
        var bound: Set<String> = []

        mutating func collect(_ body: [Statement]) {
            for statement in body {
                switch statement {
                case .leave(.returns, let value?): values.append(value)
                case .choice(let choice):
                    bind(choice.conditions)
                    for branch in choice.branches { collect(branch) }
                case .loop(let loop):
                    bound.formUnion(loop.names)
                    bind(loop.conditions)
                    collect(loop.body)
                default: break
                }
            }
        }

        private mutating func bind(_ conditions: [Condition]) {
            for case .binding(let name, _) in conditions { bound.insert(name) }
        }
    }
}
