import SourceModel

extension ObjectWalker {
    /// Types whose values keep nothing of what they are made with, or not for long, or in ways that rules of their own know.
    private static let apart: Set<String> = [
        "Task", "Timer", "Thread", "AsyncStream", "AsyncThrowingStream", "Mirror", "ObjectIdentifier", "Unmanaged",
        "String", "Data", "URL", "Substring", "Character", "Result", "Range", "UUID", "Weak", "WeakBox", "WeakRef",
    ]

    /// Methods that hand a value under a lock to a closure.
    static let locking: Set<String> = [
        "withLock", "withLockUnchecked", "withLockedValue", "withLockIfAvailable", "withValue", "withCriticalRegion",
        "withExclusiveAccess", "mutate", "modify", "withMutableAccess",
    ]
    static let locks: Set<String> = [
        "Mutex", "OSAllocatedUnfairLock", "NIOLockedValueBox", "LockIsolated", "ManagedCriticalState", "Locked",
        "Protected", "LockedValue", "Atomic", "Synchronized",
    ]

    func call(_ call: Call, expected: TypeReference?) -> [Int] {
        switch call.callee {
        case .name(let name, _): return self.call(call, named: name, expected: expected)
        case .type(let type, _): return create(type, call)
        case .member(nil, let name, _):
            guard let expected else { return given(call).all }
            if name == "init" { return create(expected.unwrapped, call) }
            if let info = declaration(expected.unwrapped), let made = enumCase(name, of: info, call) { return made }
            return staticCall(name, of: expected.unwrapped, call)
        case .member(let base?, let name, _): return self.call(call, name, on: base, expected: expected)
        case .closure(let closure):
            // `lazy var x = { … }()`: it runs now and is gone.
            let object = make(closure)
            let values = given(call)
            follow(closure: object, arguments: values.byArgument)
            return results(ofClosure: object)
        default:
            _ = evaluate(call.callee)
            return given(call).followed(by: self)
        }
    }

    /// The values of arguments; closures among them are not followed yet.
    struct Given {
        var byArgument: [[Int]]
        var all: [Int] { byArgument.flatMap { $0 } }

        /// Nothing is kept, and closures are called with what is not known.
        func followed(by walker: ObjectWalker) -> [Int] {
            for object in all { walker.follow(closure: object, arguments: []) }
            return []
        }
    }

    func given(_ call: Call, types: [TypeReference?] = []) -> Given {
        Given(
            byArgument: call.arguments.enumerated().map { index, argument in
                if case .closure(let closure) = argument.value { return [make(closure)] }
                let values = evaluate(argument.value, expected: index < types.count ? types[index] : nil)
                return argument.isInout ? values : values.map(snapshot)
            })
    }

    private func call(_ call: Call, named name: String, expected: TypeReference?) -> [Int] {
        if let values = state.names[name] {
            if let info = values.first.flatMap({ objects[$0].info }) {
                let methods = module.methods("callAsFunction", of: info)
                if !methods.isEmpty { return apply(methods, on: values, call) }
            }
            let given = self.given(call)
            var result: [Int] = []
            for object in values {
                if case .root(.parameter(let number)) = objects[object].origin {
                    callbacks.append(
                        ObjectSummary.Callback(
                            parameter: number,
                            arguments: given.byArgument.map { $0.flatMap { place(ofContents: $0).map { [$0] } ?? [] } })
                    )
                    result.append(add(.root(.resultOf(number)), nil, at: call.position))
                } else if case .closure = objects[object].origin {
                    follow(closure: object, arguments: given.byArgument)
                } else if place(of: object) != nil, objects[object].type.map({ module.isFunction($0) }) == true {
                    result += resultOfUnknown(given, call)
                }
            }
            _ = given.followed(by: self)
            return result
        }
        if name.first?.isUppercase == true { return create(.named([name], arguments: []), call) }
        if let this, let info = objects[this].info {
            if slot(this, name) != nil {
                let values = read(this, name)
                let methods = values.first.flatMap { objects[$0].info }.map { module.methods("callAsFunction", of: $0) }
                return apply(methods ?? [], on: values, call)
            }
            let methods = module.methods(name, of: info)
            if !methods.isEmpty { return apply(methods, on: [this], call) }
        }
        if Self.tokenMakers.contains(name), this != nil, module.functions(named: name).isEmpty {
            return token(call, name)
        }
        let functions = module.functions(named: name).map { Method(function: $0, type: "", file: place.file) }
        return apply(functions, on: [], call)
    }

    /// What a closure from elsewhere gives may hold the closures that it is given.
    private func resultOfUnknown(_ given: Given, _ call: Call) -> [Int] {
        let closures = given.all.filter { objects[$0].isClosure }
        guard !closures.isEmpty else { return [] }
        let object = add(HeapObject(origin: .made, isReference: false, position: call.position))
        let note = "What \(call.name ?? "the closure") does with what it is given is not known."
        write(
            object, Slot(name: "[…]", type: nil, isOwning: true, keeper: nil, unknowns: [note]), closures,
            at: call.position, replaces: false)
        return [object]
    }

    private func call(_ call: Call, _ name: String, on base: Expression, expected: TypeReference?) -> [Int] {
        if let type = typeName(base) {
            if name == "init" { return create(type, call) }
            if let info = declaration(type), let made = enumCase(name, of: info, call) { return made }
            if name.first?.isUppercase == true, case .named(let names, _) = type {
                return create(.named(names + [name], arguments: []), call)
            }
            return staticCall(name, of: type, call)
        }
        let owners: [Int]
        if case .name("super", _) = base { owners = this.map { [$0] } ?? [] } else { owners = evaluate(base) }
        if name == "init", case .metatype(let type)? = owners.first.flatMap({ objects[$0].type }),
            let info = declaration(type)
        {
            return create(oneOf: info, call)
        }
        guard let first = owners.first else {
            return Self.tokenMakers.contains(name) ? token(call, name) : apply([], on: [], call)
        }
        if let info = objects[first].info ?? objects[first].type.flatMap({ module.type(of: $0, from: path) }) {
            var methods = module.methods(name, of: info)
            if methods.allSatisfy({ $0.function.body == nil }), info.kind == .protocol {
                methods = analysis.conformers(to: info).prefix(6).flatMap { $0.methods(name) }
            }
            if !methods.isEmpty { return apply(methods, on: owners, call) }
        }
        return callUnknown(call, name, on: owners)
    }

    /// Calls that give a token, and keep the closure that they are given until that is ended.
    private static let tokenMakers: Set<String> = ["addObserver", "scheduledTimer", "sink", "observe"]

    /// A method whose declaration was not seen: those of collections and locks are known.
    private func callUnknown(_ call: Call, _ name: String, on owners: [Int]) -> [Int] {
        let isLock = owners.contains { Self.locks.contains(objects[$0].type?.name ?? "") }
        if isLock || Self.locking.contains(name) {
            let given = self.given(call)
            let inner = owners.flatMap { isLock ? element(of: $0) : [$0] }
            for object in given.all { follow(closure: object, arguments: [inner]) }
            return given.all.flatMap { results(ofClosure: $0) }
        }
        if Self.tokenMakers.contains(name) { return token(call, name) }
        let isValue = owners.contains { objects[$0].isReference == false && !objects[$0].isClosure }
        guard isValue else { return apply([], on: [], call) }
        let elementType = owners.first.flatMap { objects[$0].type.flatMap { module.resolve($0).element } }
        if KnownTypes.keepingMethods.contains(name) {
            let given = self.given(call, types: call.arguments.map { _ in elementType })
            _ = given.followed(by: self)
            let values =
                call.arguments.first?.label == "contentsOf"
                ? given.all.flatMap { object in self.element(of: object) } : given.all
            for object in owners { append(values, to: object, at: call.position) }
            return []
        }
        if KnownTypes.emptyingMethods.contains(name), call.arguments.allSatisfy({ $0.label == "keepingCapacity" }) {
            for object in owners { state.links[object, default: [:]]["[…]"] = [] }
            return []
        }
        let elements = owners.flatMap { object in self.element(of: object) }
        let given = self.given(call)
        if name == "reduce", let first = given.byArgument.first, let last = given.byArgument.last {
            return first + last.flatMap { object in results(ofClosure: object, arguments: [first, elements]) }
        }
        for object in given.all { follow(closure: object, arguments: [elements, elements]) }
        switch name {
        case "first", "last", "popLast", "popFirst", "removeFirst", "removeLast", "randomElement", "removeValue", "min",
            "max", "remove":
            return elements
        case "filter", "sorted", "reversed", "shuffled", "prefix", "suffix", "dropFirst", "dropLast", "enumerated",
            "union":
            return owners
        case "map", "compactMap", "flatMap", "mapValues", "compactMapValues":
            let made = given.all.flatMap { results(ofClosure: $0, arguments: [elements]) }
            return made.isEmpty ? [] : [container(holding: made, at: call.position)]
        default: return []
        }
    }

    private func container(holding values: [Int], at position: Int) -> Int {
        let object = add(HeapObject(origin: .made, isReference: false, position: position))
        state.links[object] = ["[…]": []]
        append(values, to: object, at: position)
        return object
    }

    private func token(_ call: Call, _ name: String) -> [Int] {
        let given = self.given(call)
        _ = given.followed(by: self)
        let closures = given.all.filter { object in
            objects[object].isClosure || objects[object].type.map { module.isFunction($0) } == true
        }
        let isOnce = if case .literal(.no)? = call.argument("repeats") { true } else { false }
        guard !closures.isEmpty, !isOnce else { return [] }
        let token = add(HeapObject(origin: .made, isReference: true, position: call.position))
        tokens.insert(token)
        let slot = Slot(
            name: "[…]", type: nil, isOwning: true, keeper: nil,
            unknowns: ["What \(name) returns stands for what it keeps: whether something ends it is not known."])
        write(token, slot, closures, at: call.position, replaces: false)
        return [token]
    }

    // MARK: New objects

    private func create(_ type: TypeReference, _ call: Call) -> [Int] {
        let type = type.name == "Self" && !path.isEmpty ? TypeReference.named([path], arguments: []) : type
        guard let info = declaration(type) else { return createUnknown(type, call) }
        if info.kind == .protocol { return create(oneOf: info, call) }
        return [create(type, info, call)]
    }

    /// By a metatype, or a type parameter: an object of whichever type can stand behind it.
    private func create(oneOf info: TypeInfo, _ call: Call) -> [Int] {
        let types = (info.kind == .protocol ? [] : [info]) + analysis.conformers(to: info).filter { $0 !== info }
        let made = types.prefix(6).map { create(.named([$0.path], arguments: []), $0, call) }
        guard made.count > 1 else { return made }
        let note = "Which type stands behind \(info.name) is not known."
        for object in made {
            for (field, links) in state.links[object] ?? [:] {
                state.links[object]?[field] = links.map { link in
                    var doubted = link
                    doubted.unknowns.append(note)
                    return doubted
                }
            }
        }
        return made
    }

    private func create(_ type: TypeReference, _ info: TypeInfo, _ call: Call) -> Int {
        let object = add(.made, type, at: call.position)
        let initializers = module.methods("init", of: info).filter { $0.function.body != nil }
        let typing = Typing(module: module, path: path, file: place.file, generics: generics)
        let fitting = typing.meant(initializers, by: call).filter { match(call, $0.function) != nil }
        if let chosen = fitting.first {
            _ = apply([chosen], on: [object], call)
        } else if initializers.isEmpty || info.kind == .struct {
            memberwise(info, object, call)
        } else {
            _ = given(call).followed(by: self)
        }
        return object
    }

    private func memberwise(_ info: TypeInfo, _ object: Int, _ call: Call) {
        let stored = info.properties.filter(\.isStored)
        for argument in call.arguments {
            let property =
                argument.label.flatMap { label in stored.first { $0.variable.name == label } }
                ?? (argument.isTrailing ? stored.last { module.isFunction($0.variable.type) } : nil)
            let values = evaluate(argument.value, expected: property?.variable.type)
            guard let property, let slot = slot(object, property.variable.name) else { continue }
            write(object, slot, values, at: argument.value.position ?? call.position, replaces: true)
        }
    }

    private func createUnknown(_ type: TypeReference, _ call: Call) -> [Int] {
        let name = type.name ?? ""
        let given = self.given(call)
        _ = given.followed(by: self)
        if ["Optional", "Array", "Set", "Dictionary", "ContiguousArray"].contains(name) { return given.all }
        guard !Self.apart.contains(name), !name.hasPrefix("Weak"), !module.weakHolders.contains(name) else { return [] }
        let isLock = Self.locks.contains(name)
        let object = add(.made, type, at: call.position)
        let kept = isLock ? given.all : given.all.filter { objects[$0].isClosure }
        if !kept.isEmpty {
            let note = "The declaration of \(name) was not seen: it may not keep what it is made with."
            write(
                object,
                Slot(name: "[…]", type: nil, isOwning: true, keeper: nil, unknowns: isLock ? [] : [note]), kept,
                at: call.position, replaces: false)
        }
        return [object]
    }

    private func enumCase(_ name: String, of info: TypeInfo, _ call: Call) -> [Int]? {
        guard let declared = info.cases.first(where: { $0.name == name }) else { return nil }
        let object = add(.made, .named([info.path], arguments: []), at: call.position)
        let types = declared.payload.map { Optional($0.type) }
        let given = self.given(call, types: types)
        _ = given.followed(by: self)
        let keeper = Keeper(
            type: info.path, field: name, file: info.file, position: declared.position, isInValue: true,
            declared: declared.payload.first?.type)
        state.links[object] = ["[…]": []]
        write(
            object, Slot(name: "[…]", type: nil, isOwning: true, keeper: keeper), given.all, at: call.position,
            replaces: false)
        return [object]
    }

    private func staticCall(_ name: String, of type: TypeReference, _ call: Call) -> [Int] {
        guard let info = declaration(type) else {
            return Self.tokenMakers.contains(name) ? token(call, name) : apply([], on: [], call)
        }
        let methods = module.methods(name, of: info)
        if call.arguments.count == 1, methods.contains(where: { !$0.function.isStatic }),
            !methods.contains(where: { $0.function.isStatic && match(call, $0.function) != nil })
        {
            // `Reader.handle(reader)`: the method as a value, with its object.
            return given(call).all.flatMap { self.method(name, of: $0, at: call.position) }
        }
        return apply(methods.filter(\.function.isStatic), on: [], call)
    }

    private func typeName(_ expression: Expression) -> TypeReference? {
        switch expression {
        case .type(let type, _): return type
        case .name("Self", _): return path.isEmpty ? nil : .named([path], arguments: [])
        case .name(let name, _):
            return name.first?.isUppercase == true && state.names[name] == nil ? .named([name], arguments: []) : nil
        case .member(let base?, let name, _):
            guard name.first?.isUppercase == true, case .named(let names, _)? = typeName(base) else { return nil }
            return .named(names + [name], arguments: [])
        default: return nil
        }
    }

    // MARK: Effects of functions

    private func match(_ call: Call, _ function: Function) -> [Int]? {
        ArgumentMatching.match(call.arguments, function.parameters, module: module)
    }

    /// Calls one of the functions, the first that fits for each type that declares it. None: nothing is known.
    func apply(_ methods: [Method], on owners: [Int], _ call: Call) -> [Int] {
        var chosen: [(Method, [Int])] = []
        let typing = Typing(module: module, path: path, file: place.file, generics: generics)
        for method in typing.meant(methods, by: call) where !chosen.contains(where: { $0.0.type == method.type }) {
            if let places = match(call, method.function) { chosen.append((method, places)) }
        }
        // Of what a class inherits its own function counts; for a protocol's conforming types each does.
        let isProtocol = owners.first.flatMap { objects[$0].info?.kind } == .protocol
        if !isProtocol, let first = chosen.first { chosen = [first] }
        let types: [TypeReference?] =
            chosen.first.map { method, places in
                places.map { method.function.parameters[$0].type }
            } ?? []
        let given = self.given(call, types: types)
        guard !chosen.isEmpty else { return given.followed(by: self) }
        var result: [Int] = []
        let unknowns =
            isProtocol && chosen.count > 1 ? ["Which type stands behind the protocol is not known."] : []
        for (method, places) in chosen {
            let target = FunctionPlace(
                function: method.function, type: method.type.isEmpty ? nil : module.type(named: method.type),
                file: method.file)
            let summary = analysis.summary(of: target)
            result += Application(walker: self, summary: summary, owners: owners, call: call)
                .run(given, places, method.function, unknowns, in: method.type)
        }
        _ = given.followed(by: self)
        return result
    }

    /// Where a caller finds the object: nil for what the function made.
    func place(of object: Int) -> ObjectPlace? {
        switch objects[object].origin {
        case .root(let root): return ObjectPlace(root: root)
        case .field(let owner, let name):
            guard var place = place(of: owner), place.path.count < 6 else { return nil }
            place.path.append(name)
            return place
        case .copy, .closure, .made: return nil
        }
    }

    /// The same; of a copy the place where what is in it comes from.
    func place(ofContents object: Int) -> ObjectPlace? {
        if case .copy(let original) = objects[object].origin { return place(ofContents: original) }
        return place(of: object)
    }
}

/// Does at a call what the called function does.
private struct Application {
    let walker: ObjectWalker
    let summary: ObjectSummary
    let owners: [Int]
    let call: Call

    func run(_ given: ObjectWalker.Given, _ places: [Int], _ function: Function, _ unknowns: [String], in type: String)
        -> [Int]
    {
        let owner = type.isEmpty ? nil : type
        var arguments: [Int: [Int]] = [:]
        for (index, place) in places.enumerated() { arguments[place, default: []] += given.byArgument[index] }
        let result =
            function.result?.name == "Self" ? owner.map { TypeReference.named([$0], arguments: []) } : function.result
        let made = walker.add(.made, result, at: call.position)
        var fresh = false
        func find(_ place: ObjectPlace) -> [Int] {
            var found: [Int]
            switch place.root {
            case .this: found = owners
            case .parameter(let number): found = arguments[number] ?? []
            case .resultOf(let number):
                found = (arguments[number] ?? []).flatMap { object -> [Int] in
                    if let outer = walker.place(of: object), case .parameter(let own) = outer.root, outer.path.isEmpty {
                        return [walker.add(.root(.resultOf(own)), nil, at: call.position)]
                    }
                    return walker.results(ofClosure: object)
                }
            case .result:
                fresh = true
                found = [made]
            }
            for name in place.path {
                found = found.flatMap { name == "[…]" ? walker.element(of: $0) : walker.read($0, name) }
            }
            return found
        }
        for callback in summary.callbacks {
            for object in arguments[callback.parameter] ?? [] {
                walker.follow(closure: object, arguments: callback.arguments.map { $0.flatMap(find) })
            }
        }
        // Places are those from before the call, whatever it does to them.
        let cleared = summary.clears.map { place, field in (find(place), field) }
        let done = summary.effects.map { effect in (effect, find(effect.from), find(effect.to)) }
        for (objects, field) in cleared {
            for object in objects {
                guard let slot = walker.slot(object, field) else { continue }
                walker.write(object, slot, [], at: call.position, replaces: true)
            }
        }
        var written: Set<String> = []
        for (effect, objects, values) in done where !values.isEmpty {
            for object in objects {
                let isFirst = written.insert("\(object) \(effect.field)").inserted
                var slot =
                    (effect.field == "[…]" ? nil : walker.slot(object, effect.field))
                    ?? ObjectWalker.Slot(name: effect.field, type: nil, isOwning: true, keeper: effect.keeper)
                slot.unknowns += effect.unknowns + unknowns
                walker.write(
                    object, slot, values, at: call.position, replaces: effect.replaces && isFirst && owners.count < 2,
                    by: effect.closure)
            }
        }
        let returned = summary.returned.flatMap { $0.root == .result ? [] : find($0) }
        return returned.isEmpty || fresh ? returned + [made] : returned
    }
}
