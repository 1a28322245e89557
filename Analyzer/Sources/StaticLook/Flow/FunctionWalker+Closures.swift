import SourceModel

extension FunctionWalker {
    /// What a closure keeps alive: `self`, parameters, and what the local values hold that it uses.
    /// `demanded`: the type that its place demands.
    func held(_ closure: Closure, demanded: TypeReference?) -> [Held] {
        var result: [Held] = []
        if selfIsObject, selfIsStrong {
            let isByFunction = Captures.isStrong(closure, of: selfFunctions)
            if isByFunction || Captures.isStrong(closure, of: selfNames) {
                result.append(
                    Held(
                        kind: .closure(closure), position: closure.position, demanded: demanded,
                        isByFunction: isByFunction))
            }
        }
        for (name, number) in parameters.sorted(by: { $0.value < $1.value }) where captures(closure, name) {
            result.append(Held(kind: .parameter(number), position: closure.position))
        }
        let holding = heldByLocal.filter { !$0.value.isEmpty && parameters[$0.key] == nil }
        for (name, values) in holding.sorted(by: { $0.key < $1.key }) where captures(closure, name) {
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

    /// What the value holds that a function returns: `self`, where it is a method of `self`, and its arguments.
    func held(inResultOf call: Call, depth: Int) -> [Held] {
        guard let name = call.name else { return [] }
        if let made = elementsMade(by: call, depth: depth) { return made }
        guard module.handsOut(name) else { return [] }
        let given = call.arguments.map { held($0.value, expected: nil, depth: depth + 1) }
        guard mayBeOwn(call) || !given.allSatisfy(\.isEmpty) else { return [] }
        for (function, isOwn) in called(call, name) where Module.handsOut(function.function) {
            guard let places = match(call.arguments, function.function) else { continue }
            return analysis.flows(of: function).returned.flatMap { returned -> [Held] in
                var result = returned
                result.position = call.position
                switch returned.kind {
                case .closure, .method, .made:
                    guard isOwn, selfIsObject, selfIsStrong else { return [] }
                    result.kind = .made(by: name)
                    return [result]
                case .object: return isOwn && selfIsObject && selfIsStrong && returned.keeper != nil ? [result] : []
                case .parameter(let number):
                    let demanded = function.function.parameters[number].type
                    return zip(given, places).filter { $0.1 == number }.flatMap(\.0).map { inner in
                        var inner = inner
                        if case .closure(let closure) = inner.kind,
                            call.arguments.contains(where: { $0.value.isClosure(closure) })
                        {
                            inner.demanded = demanded
                        }
                        inner.keeper = inner.keeper ?? returned.keeper
                        inner.unknowns += returned.unknowns
                        return inner
                    }
                }
            }
        }
        return []
    }

    /// Whether the call may mean a method of a `self` that is an object and held.
    private func mayBeOwn(_ call: Call) -> Bool {
        guard selfIsObject, selfIsStrong else { return false }
        switch call.callee {
        case .name: return true
        case .member(let base?, _, _): return isSelf(base)
        default: return false
        }
    }

    /// What the elements hold that `names.map { … }` makes; nil for another call.
    private func elementsMade(by call: Call, depth: Int) -> [Held]? {
        guard ["map", "compactMap", "flatMap"].contains(call.name ?? ""), let base = call.base, isSequence(base),
            case .closure(let closure)? = call.arguments.last?.value
        else { return nil }
        var values: [Expression] = []
        if closure.body.count == 1, case .expression(let value) = closure.body[0] { values.append(value) }
        for case .leave(.returns, let value?) in closure.body { values.append(value) }
        let names = Set(closure.parameters)
        return values.flatMap { value -> [Held] in
            if case .name(let name, _) = value, names.contains(name) { return [] }
            return held(value, expected: nil, depth: depth + 1)
        }
    }

    private func isSequence(_ expression: Expression) -> Bool {
        switch expression {
        case .array: return true
        case .other(_, "..<"), .other(_, "..."): return true
        case .call(let call):
            if ["zip", "stride"].contains(call.name ?? ""), call.base == nil { return true }
            let isPassing = ["enumerated", "sorted", "filter", "reversed", "shuffled", "prefix", "dropFirst"]
                .contains(call.name ?? "")
            if isPassing, let base = call.base { return isSequence(base) }
        case .member(let base?, "indices", _), .member(let base?, "lazy", _), .member(let base?, "keys", _),
            .member(let base?, "values", _):
            return isSequence(base)
        default: break
        }
        return typing.type(of: expression).map { module.resolve($0).isCollection } ?? false
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
