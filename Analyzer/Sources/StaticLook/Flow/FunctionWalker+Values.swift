import SourceModel

extension FunctionWalker {
    /// What a value keeps alive of interest: `self`, closures over it, parameters.
    func held(_ value: Expression, expected: TypeReference?, depth: Int = 0) -> [Held] {
        guard depth < 12 else { return [] }
        switch value {
        case .closure(let closure): return held(closure, demanded: expected)
        case .name(let name, let at): return held(name, at: at)
        case .member(let base?, let name, let at):
            guard isSelf(base), selfIsStrong, isMethod(name) else { return [] }
            return [Held(kind: .method(name), position: at)]
        case .call(let call): return held(call, expected: expected, depth: depth)
        case .array(let parts, _):
            let element = expected.flatMap { module.resolve($0).element }
            return parts.flatMap { held($0, expected: element, depth: depth + 1) }
        case .tuple(let parts, _):
            var types: [TypeReference] = []
            if case .tuple(let known)? = expected, known.count == parts.count { types = known }
            return parts.enumerated().flatMap { index, part in
                held(part.value, expected: types.isEmpty ? nil : types[index], depth: depth + 1)
            }
        case .cast(let inner, let type): return held(inner, expected: type, depth: depth + 1)
        case .other(let parts, "??"), .other(let parts, "?:"), .other(let parts, ""):
            return parts.flatMap { held($0, expected: expected, depth: depth + 1) }
        case .block(let body):
            return body.flatMap { statement -> [Held] in
                guard case .choice(let choice) = statement else { return [] }
                return choice.branches.compactMap(\.last).flatMap { last -> [Held] in
                    if case .expression(let inner) = last { return held(inner, expected: expected, depth: depth + 1) }
                    return []
                }
            }
        default: return []
        }
    }

    private func held(_ name: String, at position: Int) -> [Held] {
        if selfNames.contains(name), selfIsObject {
            return selfIsStrong ? [Held(kind: .object, position: position)] : []
        }
        if let number = parameters[name] {
            return [Held(kind: .parameter(number), position: position)] + (heldByLocal[name] ?? [])
        }
        if localNames.contains(name) { return heldByLocal[name] ?? [] }
        if let local = localFunctions[name], selfIsObject, selfIsStrong {
            return usesSelf(local) ? [Held(kind: .method(name), position: position)] : []
        }
        if selfIsObject, selfIsStrong, isMethod(name) {
            return [Held(kind: .method(name), position: position)]
        }
        return []
    }

    /// Whether it names a method of `self`, and no property.
    private func isMethod(_ name: String) -> Bool {
        guard let type, module.property(name, of: type) == nil else { return false }
        return module.methods(name, of: type).contains { $0.function.kind == .function && !$0.function.isStatic }
    }

    private func held(_ call: Call, expected: TypeReference?, depth: Int) -> [Held] {
        if TimerCall.isTimer(call), TimerCall.repeats(call) != false { return handedOn(call, depth: depth) }
        if let (owner, name) = enumCase(call, expected: expected) {
            return held(inCase: name, of: owner, call, depth: depth)
        }
        if let made = madeType(call, expected: expected) {
            if let type = typing.info(of: made), type.isDeclared { return held(inNew: type, call, depth: depth) }
            return held(inUnknown: made, call, depth: depth)
        }
        return held(inResultOf: call, depth: depth)
    }

    private func madeType(_ call: Call, expected: TypeReference?) -> TypeReference? {
        if case .member(nil, "init", _) = call.callee { return expected?.unwrapped }
        return typing.typeName(call.callee)
    }

    /// `.playing(by: self)`, `Phase.playing(by: self)`.
    private func enumCase(_ call: Call, expected: TypeReference?) -> (TypeInfo, String)? {
        guard case .member(let base, let name, _) = call.callee else { return nil }
        let owner: TypeInfo?
        if let base {
            owner = typing.typeName(base).flatMap(typing.info)
        } else {
            owner = expected.flatMap(typing.info)
        }
        guard let owner, owner.cases.contains(where: { $0.name == name }) else { return nil }
        return (owner, name)
    }

    private func held(inCase name: String, of owner: TypeInfo, _ call: Call, depth: Int) -> [Held] {
        guard let declared = owner.cases.first(where: { $0.name == name }) else { return [] }
        return call.arguments.enumerated().flatMap { index, argument -> [Held] in
            let payload = index < declared.payload.count ? declared.payload[index].type : nil
            let keeper = Keeper(
                type: owner.path, field: name, file: owner.file, position: declared.position, isInValue: true,
                declared: payload)
            return held(argument.value, expected: payload, depth: depth + 1).map { with($0, keeper) }
        }
    }

    private func with(_ held: Held, _ keeper: Keeper, _ unknowns: [String] = []) -> Held {
        var result = held
        result.keeper = held.keeper ?? keeper
        result.unknowns += unknowns
        return result
    }

    private func held(inNew type: TypeInfo, _ call: Call, depth: Int) -> [Held] {
        let initializers = module.methods("init", of: type).filter { $0.function.body != nil }
        for initializer in typing.meant(initializers, by: call) {
            guard let places = match(call.arguments, initializer.function) else { continue }
            let storage = analysis.storage(ofParametersOf: initializer)
            return zip(call.arguments, places).flatMap { argument, place -> [Held] in
                (storage[place] ?? []).flatMap { flow -> [Held] in
                    guard let keeper = flow.keeper else { return [] }
                    let wanted = initializer.function.parameters[place].type
                    return held(argument.value, expected: wanted, depth: depth + 1).map {
                        with($0, keeper, flow.unknowns)
                    }
                }
            }
        }
        guard initializers.isEmpty || type.kind == .struct else { return [] }
        return heldByMembers(of: type, call, depth: depth)
    }

    /// The initialiser that a struct has of itself: a label for each property.
    private func heldByMembers(of type: TypeInfo, _ call: Call, depth: Int) -> [Held] {
        let stored = type.properties.filter(\.isStored)
        return call.arguments.flatMap { argument -> [Held] in
            let property =
                argument.label.flatMap { label in stored.first { $0.variable.name == label } }
                ?? (argument.isTrailing ? stored.last { module.isFunction($0.variable.type) } : nil)
            guard let property, property.isOwning else { return [] }
            return held(argument.value, expected: property.variable.type, depth: depth + 1).map {
                with($0, keeper(property))
            }
        }
    }

    /// Types that hold what they are made with in ways that rules of their own know, or not for long.
    private static let apart: Set<String> = [
        "Task", "Timer", "Thread", "AsyncStream", "AsyncThrowingStream", "Mirror", "ObjectIdentifier", "Unmanaged",
        "String", "Array", "Set", "Dictionary", "Int", "Double", "UInt8", "Float", "Int64", "UInt64", "UInt32",
        "Int32", "UInt", "Data", "URL", "Substring", "Character", "Result", "EventLoopFuture", "Range", "UUID",
        "OSAllocatedUnfairLock", "ObservationRegistrar", "Weak", "WeakBox", "WeakRef", "WeakReference", "Unowned",
    ]

    /// Of what rules of their own look at, the parameters that are kept for as long as it lasts: what others give for
    /// them these rules do not see.
    private func handedOn(_ call: Call, depth: Int) -> [Held] {
        call.arguments.flatMap { held($0.value, expected: nil, depth: depth + 1) }.filter { held in
            if case .parameter = held.kind { true } else { false }
        }
    }

    private func held(inUnknown made: TypeReference, _ call: Call, depth: Int) -> [Held] {
        guard let name = made.name, !Self.apart.contains(name), !name.hasPrefix("Weak") else { return [] }
        let note = "The declaration of \(name) was not seen: it may not keep what it is made with."
        return call.arguments.flatMap { argument -> [Held] in
            held(argument.value, expected: nil, depth: depth + 1).compactMap { inner in
                // What an unknown type does with an object is anybody's guess; a closure it mostly keeps.
                switch inner.kind {
                case .object, .parameter: return nil
                case .closure, .method, .made:
                    var result = inner
                    result.unknowns.append(note)
                    return result
                }
            }
        }
    }

    func match(_ arguments: [Argument], _ function: Function) -> [Int]? {
        ArgumentMatching.match(arguments, function.parameters, module: module)
    }
}
