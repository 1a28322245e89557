import SourceModel

/// Whether a function that a loop asks for the next thing always gives one: `while let job = await self.next()`.
struct EndlessSource {
    let module: Module
    /// The one in which the loop stands.
    let type: TypeInfo

    func feeds(_ condition: Condition) -> Bool {
        guard case .binding(_, .call(let call)?) = condition, let name = call.name, let owner = owner(of: call) else {
            return false
        }
        let methods = module.methods(name, of: owner)
        guard methods.count == 1, let body = methods[0].function.body, methods[0].function.result?.isOptional == true
        else { return false }
        var bound: Set<String> = []
        var values: [Expression] = []
        var isLeft = false
        if body.count == 1, case .expression(let value) = body[0] { values.append(value) }
        body.walkStatements { statement in
            switch statement {
            case .choice(let choice): bound.formUnion(Self.names(choice.conditions))
            case .loop(let loop): bound.formUnion(loop.names + Self.names(loop.conditions))
            case .leave(.returns, let value?): values.append(value)
            case .leave(.returns, nil), .leave(.throwing, _): isLeft = true
            default: break
            }
        }
        return !isLeft && !values.isEmpty && values.allSatisfy { isSome($0, bound, owner) }
    }

    private func owner(of call: Call) -> TypeInfo? {
        switch call.callee {
        case .name: return type
        case .member(let base?, _, _):
            return Typing(module: module, path: type.path, file: nil, generics: type.generics).info(of: base)
        default: return nil
        }
    }

    private static func names(_ conditions: [Condition]) -> [String] {
        conditions.compactMap { if case .binding(let name, _) = $0 { name } else { nil } }
    }

    private func isSome(_ value: Expression, _ bound: Set<String>, _ owner: TypeInfo) -> Bool {
        switch value {
        case .name(let name, _): return bound.contains(name)
        case .literal(.none): return false
        case .literal: return true
        case .call(let call):
            switch call.name {
            case "removeFirst", "removeLast": return true
            case "withCheckedContinuation", "withUnsafeContinuation": return resumesWithSome(owner)
            default:
                return call.name?.first?.isUppercase == true && module.type(named: call.name ?? "")?.isClass == true
            }
        default: return false
        }
    }

    /// Whether every continuation that the type resumes gets what cannot be nil.
    private func resumesWithSome(_ owner: TypeInfo) -> Bool {
        owner.functions.allSatisfy { method in
            var isSome = true
            (method.function.body ?? []).walk { part in
                guard case .call(let call) = part, call.name == "resume" else { return isSome }
                switch call.argument("returning") {
                case .name(let name, _)?:
                    let parameter = method.function.parameters.first { $0.name == name }
                    isSome = parameter.map { !module.resolve($0.type).isOptional } ?? false
                case .literal(.none)?, nil: isSome = false
                case .literal?: break
                default: isSome = false
                }
                return isSome
            }
            return isSome
        }
    }
}
