import SourceModel

extension FunctionWalker {
    /// Calls that rules of their own look at.
    static let watched: Set<String> = [
        "Timer", "scheduledTimer", "addObserver", "observe", "sink", "assign", "setEventHandler", "setCancelHandler",
        "setRegistrationHandler", "Task", "detached", "withObservationTracking", "flatMap", "map", "filter",
        "compactMap", "handleEvents", "tryMap", "removeDuplicates", "scan", "reduce", "mapError", "catch", "Thread",
        "detachNewThread", "asyncAfter",
        "async",
    ]

    /// Operators of a chain that hand the subscription on.
    private static let chained: Set<String> = [
        "flatMap", "map", "filter", "compactMap", "handleEvents", "tryMap", "removeDuplicates", "scan", "mapError",
        "catch", "receive", "subscribe", "debounce", "throttle", "delay", "share", "eraseToAnyPublisher", "merge",
        "combineLatest", "dropFirst", "prefix", "first", "switchToLatest", "replaceError", "print", "autoconnect",
    ]

    func visit(_ call: Call, _ destination: Destination) {
        if let name = call.name, Self.watched.contains(name) {
            result.sites.append(
                CallSite(
                    call: call, destination: destination,
                    held: call.arguments.flatMap { held($0.value, expected: nil) },
                    base: call.base.flatMap(storage), selfNames: selfNames))
        }
        visitBase(call, destination)
        let kept = keptArguments(call)
        for (index, argument) in call.arguments.enumerated() {
            note(argument, of: call, destination, isOwned: kept[index] != nil)
            if let path = kept[index] {
                visit(argument.value, .stored(path))
                let isDropped = if case .dropped = destination { true } else { false }
                store(
                    argument.value, into: path, at: call.position, token: token(destination),
                    key: isDropped ? keyGiven(by: call) : nil)
            } else {
                visit(argument.value, .argument(of: call.name ?? ""))
            }
        }
    }

    /// The name of the called method where all that bear it return a plain value.
    private func keyGiven(by call: Call) -> String? {
        guard let name = call.name else { return nil }
        let methods: [Method]
        switch call.callee {
        case .name: methods = type.map { module.methods(name, of: $0) } ?? []
        case .member(let base?, _, _):
            methods =
                (isSelf(base) ? type : storage(base)?.type.flatMap(typing.info)).map { module.methods(name, of: $0) }
                ?? []
        default: methods = []
        }
        let isKey = methods.allSatisfy { method in
            guard let result = method.function.result?.name, result != "Void" else { return false }
            return KnownTypes.values.contains(result)
        }
        return isKey && !methods.isEmpty ? name : nil
    }

    /// The property of `self` that the value of a call gets into.
    private func token(_ destination: Destination) -> String? {
        switch destination {
        case .stored(let path), .subscribed(let path): path.fields.first
        case .local(let name): owned[name]?.fields.first
        default: nil
        }
    }

    private func note(_ argument: Argument, of call: Call, _ destination: Destination, isOwned: Bool) {
        guard case .closure(let closure) = argument.value else { return }
        for capture in closure.captures where capture.ownership == .unowned || capture.ownership == .unownedUnsafe {
            result.unowned.append(
                UnownedClosure(
                    closure: closure, capture: capture, call: call, label: argument.label, destination: destination,
                    isOwned: isOwned || call.base.flatMap(storage) != nil))
        }
    }

    private func visitBase(_ call: Call, _ destination: Destination) {
        switch call.callee {
        case .member(let base?, let name, _): visit(base, destinationOfBase(call, name, destination))
        case .closure(let closure): walk(closure)
        case .name, .type, .member(nil, _, _): break
        default: visit(call.callee, .other)
        }
    }

    private func destinationOfBase(_ call: Call, _ name: String, _ destination: Destination) -> Destination {
        // `….store(in: &cancellables)` is where the value before it goes.
        if name == "store", let target = call.argument("in") {
            return storage(target).map { .stored($0) } ?? .other
        }
        switch destination {
        case .stored(let path) where name == "sink" || name == "assign": return .subscribed(path)
        case .subscribed where Self.chained.contains(name): return destination
        default: return .other
        }
    }

    /// Where the called function keeps its arguments, by their place; only storage that `self` owns.
    private func keptArguments(_ call: Call) -> [Int: StoragePath] {
        guard let name = call.name else { return [:] }
        switch call.callee {
        case .name:
            guard !localNames.contains(name), localFunctions[name] == nil, let type else { return [:] }
            return kept(call, by: module.methods(name, of: type), at: nil)
        case .member(let base?, _, _):
            if isSelf(base) || isNamedSelf(base) {
                return type.map { kept(call, by: module.methods(name, of: $0), at: nil) } ?? [:]
            }
            if case .name("super", _) = base {
                return type.map { kept(call, by: module.methods(name, of: $0), at: nil) } ?? [:]
            }
            if let path = storage(base) { return kept(call, name, in: path) }
            keepInLocal(call, base, name)
            return [:]
        default: return [:]
        }
    }

    private func isNamedSelf(_ base: Expression) -> Bool {
        if case .name("self", _) = base { return true }
        return false
    }

    private func kept(_ call: Call, by methods: [Method], at path: StoragePath?) -> [Int: StoragePath] {
        for method in typing.meant(methods, by: call) where method.function.body != nil {
            guard let places = match(call.arguments, method.function) else { continue }
            let storage = analysis.storage(ofParametersOf: method)
            var result: [Int: StoragePath] = [:]
            for (index, place) in places.enumerated() {
                guard let flow = storage[place]?.first else { continue }
                result[index] =
                    path.map { joined($0, flow) }
                    ?? StoragePath(
                        fields: flow.path.fields, keeper: flow.keeper, type: flow.path.type, unknowns: flow.unknowns)
                result[index]?.parameter = method.function.parameters[place].type
            }
            return result
        }
        return [:]
    }

    /// A method of something that `self` owns.
    private func kept(_ call: Call, _ name: String, in path: StoragePath) -> [Int: StoragePath] {
        if let type = path.type.flatMap(typing.info), type.isDeclared {
            return kept(call, by: module.methods(name, of: type), at: path)
        }
        if name == "setEventHandler" {
            let kept = call.arguments.enumerated().filter { _, argument in
                let held = self.held(argument.value, expected: nil)
                return !held.isEmpty && held.allSatisfy { if case .parameter = $0.kind { true } else { false } }
            }
            return Dictionary(uniqueKeysWithValues: kept.map { ($0.offset, path) })
        }
        let isCollection = path.type.map { module.resolve($0).isCollection } ?? false
        if KnownTypes.keepingMethods.contains(name), isCollection || path.type == nil {
            let element = path.type.flatMap { module.resolve($0).element }
            let inner = StoragePath(
                fields: path.fields + ["[…]"], keeper: path.keeper, type: element, unknowns: path.unknowns)
            return Dictionary(uniqueKeysWithValues: call.arguments.indices.map { ($0, inner) })
        }
        return [:]
    }

    /// A method of a local object that keeps what it is given.
    private func keepInLocal(_ call: Call, _ base: Expression, _ name: String) {
        if KnownTypes.keepingMethods.contains(name), let local = localCollection(base) {
            for argument in call.arguments { addToLocal(local, argument.value) }
            return
        }
        guard case .name(let local, _) = base, localNames.contains(local), !weakLocals.contains(local),
            let type = typing.info(of: base), type.isDeclared
        else { return }
        for method in typing.meant(module.methods(name, of: type), by: call) where method.function.body != nil {
            guard let places = match(call.arguments, method.function) else { continue }
            let storage = analysis.storage(ofParametersOf: method)
            for (index, place) in places.enumerated() {
                guard let flow = storage[place]?.first else { continue }
                keepInLocal(
                    local, flow.keeper, flow.path.fields.last ?? name, along: flow.path.fields, flow.unknowns,
                    call.arguments[index].value, demanded: method.function.parameters[place].type)
            }
            return
        }
    }
}
