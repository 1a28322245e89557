import SourceModel

extension FunctionWalker {
    /// What a closure keeps alive: `self`, parameters, and what the local values hold that it uses.
    func held(_ closure: Closure) -> [Held] {
        var result: [Held] = []
        if selfIsObject, selfIsStrong {
            if Captures.isStrong(closure, of: selfNames) {
                result.append(Held(kind: .closure(closure), position: closure.position))
            } else if Captures.isStrong(closure, of: selfFunctions) {
                result.append(Held(kind: .closure(closure), position: closure.position, isByFunction: true))
            }
        }
        for (name, number) in parameters.sorted(by: { $0.value < $1.value }) where captures(closure, name) {
            result.append(Held(kind: .parameter(number), position: closure.position))
        }
        for (name, values) in heldByLocal.sorted(by: { $0.key < $1.key })
        where !values.isEmpty && parameters[name] == nil && captures(closure, name) {
            result += values
        }
        return result
    }

    private func captures(_ closure: Closure, _ name: String) -> Bool {
        Captures.isStrong(closure, of: [name]) && !Captures.declares(closure, name)
    }

    /// Whether a local function captures `self`.
    func usesSelf(_ function: Function) -> Bool {
        let body = function.body ?? []
        if Captures.mentions(body, selfNames.union(selfFunctions)) { return true }
        let names = Set(function.parameters.map(\.name)).union(localNames)
        return type.map { ImplicitSelf.isUsed(in: body, except: names, of: $0, module) } ?? false
    }

    /// What the closure holds that a function returns: `self`, where it is a method of `self`, and its arguments.
    func held(inResultOf call: Call, depth: Int) -> [Held] {
        guard let name = call.name else { return [] }
        for (function, isOwn) in called(call, name) where function.function.body != nil {
            guard module.isFunction(function.function.result), let places = match(call.arguments, function.function)
            else { continue }
            return analysis.flows(of: function).returned.flatMap { returned -> [Held] in
                switch returned.kind {
                case .closure, .method, .made:
                    guard isOwn, selfIsObject, selfIsStrong else { return [] }
                    return [Held(kind: .made(by: name), position: call.position, unknowns: returned.unknowns)]
                case .object: return []
                case .parameter(let number):
                    return zip(call.arguments, places).filter { $0.1 == number }.flatMap { argument, _ in
                        held(argument.value, expected: nil, depth: depth + 1)
                    }
                }
            }
        }
        return []
    }

    /// The functions that a call may mean, and whether they are methods of `self`.
    private func called(_ call: Call, _ name: String) -> [(FunctionPlace, Bool)] {
        func places(_ type: TypeInfo, isOwn: Bool) -> [(FunctionPlace, Bool)] {
            typing.meant(module.methods(name, of: type), by: call).map {
                (FunctionPlace(function: $0.function, type: module.type(named: $0.type), file: $0.file), isOwn)
            }
        }
        switch call.callee {
        case .name:
            guard !localNames.contains(name), localFunctions[name] == nil else { return [] }
            let own = type.map { places($0, isOwn: true) } ?? []
            return own
                + module.functions(named: name).map {
                    (FunctionPlace(function: $0, type: nil, file: place.file), false)
                }
        case .member(let base?, _, _):
            if isSelf(base) { return type.map { places($0, isOwn: true) } ?? [] }
            let owner = typing.typeName(base).flatMap(typing.info) ?? typing.info(of: base)
            return owner.map { places($0, isOwn: false) } ?? []
        default: return []
        }
    }

    /// A token in a property: what the observer, timer or subscription behind it was given lives for as long.
    func noteTokenOfParameter(_ site: CallSite) {
        guard case .stored(var path) = site.destination else { return }
        var unknowns: [String] = []
        switch site.call.name {
        case "addObserver" where NotificationRule.isObservation(site.call): break
        case "scheduledTimer" where TimerCall.repeats(site.call) == true: break
        case "sink": unknowns.append("Whether what is subscribed to completes is not known.")
        default: return
        }
        path.unknowns += unknowns
        for held in site.held {
            guard case .parameter = held.kind else { continue }
            result.flows.append(Flow(held: held, path: path, position: site.call.position))
        }
    }
}
