import SourceModel

extension ObjectWalker {
    /// The objects that an expression may stand for.
    func evaluate(_ expression: Expression, expected: TypeReference? = nil) -> [Int] {
        guard depth < 40, objects.count < Self.objectLimit else { return [] }
        depth += 1
        defer { depth -= 1 }
        switch expression {
        case .name(let name, let at): return value(of: name, at: at)
        case .member(let base, let name, let at): return member(base, name, at: at, expected: expected)
        case .call(let call): return self.call(call, expected: expected)
        case .element(let base, let arguments, _):
            for argument in arguments { _ = evaluate(argument.value) }
            return evaluate(base).flatMap { someElement(of: $0) }
        case .closure(let closure):
            let object = make(closure)
            follow(closure: object, arguments: [])
            return [object]
        case .assignment(let target, let value, let operation, let at):
            assign(target, value, operation, at)
            return []
        case .array(let parts, let at):
            let element = expected.flatMap { module.resolve($0).element }
            return [container(of: parts.flatMap { evaluate($0, expected: element) }, expected, at: at)]
        case .tuple(let parts, let at):
            var types: [TypeReference?] = parts.map { _ in nil }
            if case .tuple(let known)? = expected?.unwrapped, known.count == parts.count { types = known }
            let values = zip(parts, types).flatMap { evaluate($0.value, expected: $1) }
            return values.isEmpty ? [] : [container(of: values, expected, at: at)]
        case .cast(let inner, let type): return evaluate(inner, expected: type)
        case .other(let parts, let operation):
            let values = parts.flatMap { evaluate($0, expected: expected) }
            return ["??", "?:", "", "+"].contains(operation) ? values : []
        case .block(let body): return value(ofBlock: body, expected: expected)
        case .literal(.emptyArray), .literal(.emptyDictionary): return [container(of: [], expected, at: 0)]
        case .literal, .keyPath, .type: return []
        }
    }

    private func container(of values: [Int], _ type: TypeReference?, at position: Int) -> Int {
        let object = add(
            HeapObject(origin: .made, type: type, info: nil, isReference: false, position: position))
        let slot = Slot(name: "[…]", type: type?.element, isOwning: true, keeper: nil)
        state.links[object] = ["[…]": []]
        if !values.isEmpty { write(object, slot, values, at: position, replaces: false) }
        return object
    }

    private func value(ofBlock body: [Statement], expected: TypeReference?) -> [Int] {
        var found: [Int] = []
        for case .choice(let choice) in body {
            if let subject = choice.subject { _ = evaluate(subject) }
            for branch in choice.branches {
                guard let last = branch.last else { continue }
                state = run(Array(branch.dropLast()), [state]).first ?? state
                if case .expression(let value) = last {
                    found += evaluate(value, expected: expected)
                } else {
                    state = run([last], [state]).first ?? state
                }
            }
        }
        return found
    }

    /// Where the collection held others before, what a key or a number finds need not be what was put in here.
    private func someElement(of object: Int) -> [Int] {
        let all = element(of: object)
        let unknown = all.filter { if case .field(_, "[…]") = objects[$0].origin { true } else { false } }
        return unknown.isEmpty ? all : unknown
    }

    private func value(of name: String, at position: Int) -> [Int] {
        if let known = state.names[name] { return known }
        guard let this else { return [] }
        if let slot = slot(this, name) { return read(this, slot.name) }
        return computed(name, of: this, at: position) ?? method(name, of: this, at: position)
    }

    /// What a getter gives; of `$level` the getter of the property's wrapper, of `_level` the wrapper.
    private func computed(_ name: String, of object: Int, at position: Int) -> [Int]? {
        guard let info = objects[object].info else { return nil }
        if name.hasPrefix("$") || name.hasPrefix("_"),
            let property = module.property(String(name.dropFirst()), of: info), property.isStored,
            let wrapper = module.wrapper(of: property)
        {
            let wrapped = property.variable.type ?? module.madeType(property)
            let type = TypeReference.named([wrapper.path], arguments: wrapped.map { [$0] } ?? [])
            let storage = Slot(
                name: "_\(property.variable.name)", type: type, isOwning: true, keeper: keeper(property))
            let found = read(object, storage)
            return name.hasPrefix("_")
                ? found : found.flatMap { member(of: $0, "projectedValue", at: position) }
        }
        guard let property = module.property(name, of: info), !property.variable.isStatic,
            let getter = property.variable.accessors.first(where: { $0.name == "get" }), Module.handsOut(getter)
        else { return nil }
        let call = Call(callee: .name(name, at: position), arguments: [], position: position)
        return apply([Method(function: getter, type: property.type, file: property.file)], on: [object], call)
    }

    /// A method that is not called: it holds its object.
    func method(_ name: String, of object: Int, at position: Int) -> [Int] {
        guard let info = objects[object].info, objects[object].isReference != false,
            module.property(name, of: info) == nil,
            module.methods(name, of: info).contains(where: { $0.function.kind == .function && !$0.function.isStatic })
        else { return [] }
        let closure = add(HeapObject(origin: .closure(nil), isReference: true, position: position))
        write(
            closure, Slot(name: "{self}", type: nil, isOwning: true, keeper: nil), [object], at: position,
            replaces: true)
        return [closure]
    }

    private func member(_ base: Expression?, _ name: String, at position: Int, expected: TypeReference?) -> [Int] {
        guard let base else { return [] }
        if case .name("super", _) = base { return this.map { read($0, name) } ?? [] }
        return evaluate(base).flatMap { member(of: $0, name, at: position) }
    }

    private func member(of object: Int, _ name: String, at position: Int) -> [Int] {
        if slot(object, name) != nil { return read(object, name) }
        let isCollection = objects[object].type.map { module.resolve($0).isCollection } ?? false
        if isCollection || objects[object].isReference == false {
            if ["first", "last"].contains(name) { return element(of: object) }
            if ["values", "lazy", "indices", "keys"].contains(name) { return [object] }
        }
        return computed(name, of: object, at: position) ?? method(name, of: object, at: position)
    }

    // MARK: Assignments

    private func assign(_ target: Expression, _ value: Expression, _ operation: String, _ at: Int) {
        if operation != "=", let owner = evaluate(target).first.flatMap({ objects[$0].info }),
            !module.methods(operation, of: owner).isEmpty
        {
            _ = call(
                Call(
                    callee: .member(.type(.named([owner.path], arguments: []), at: at), operation, at: at),
                    arguments: [
                        Argument(label: nil, value: target, isInout: true), Argument(label: nil, value: value),
                    ], position: at), expected: nil)
            return
        }
        switch target {
        case .name(let name, _):
            if let old = state.names[name], name != "self" {
                let new = evaluate(value)
                if operation == "=" {
                    bind(name, new)
                } else {
                    for object in old { append(new.flatMap { contents(of: $0) }, to: object, at: at) }
                }
            } else if let this {
                set(name, of: [this], value, operation, at)
            } else {
                _ = evaluate(value)
            }
        case .member(let base?, let name, _): set(name, of: evaluate(base), value, operation, at)
        case .element(let base, _, _):
            let owners = evaluate(base)
            let type = owners.first.flatMap { objects[$0].type.flatMap { module.resolve($0).element } }
            let new = evaluate(value, expected: type)
            for object in owners { append(new, to: object, at: at) }
        case .tuple(let parts, _):
            if case .tuple(let values, _) = value, values.count == parts.count {
                // All values are taken before the first is given.
                let taken = values.map { evaluate($0.value) }
                for (part, objects) in zip(parts, taken) { give(objects, to: part.value, at: at) }
            } else {
                _ = evaluate(value)
            }
        default: _ = evaluate(value)
        }
    }

    private func give(_ values: [Int], to target: Expression, at position: Int) {
        switch target {
        case .name(let name, _):
            if state.names[name] != nil {
                bind(name, values)
            } else if let this, let slot = slot(this, name) {
                write(this, slot, values, at: position, replaces: true)
            }
        case .member(let base?, let name, _):
            for object in evaluate(base) {
                if let slot = slot(object, name) { write(object, slot, values, at: position, replaces: true) }
            }
        default: break
        }
    }

    private func set(_ name: String, of owners: [Int], _ value: Expression, _ operation: String, _ at: Int) {
        let slots = owners.map { slot($0, name) }
        let new = evaluate(value, expected: slots.lazy.compactMap { $0 }.first?.type)
        for (object, slot) in zip(owners, slots) {
            guard let slot = slot ?? unseen(name, of: object, new) else { continue }
            if operation == "=" {
                write(object, slot, new, at: at, replaces: owners.count == 1 && isSingle(object))
            } else {
                for inner in read(object, slot.name) { append(new.flatMap { contents(of: $0) }, to: inner, at: at) }
            }
        }
    }

    /// A property that was not seen and gets a closure.
    private func unseen(_ name: String, of object: Int, _ values: [Int]) -> Slot? {
        guard objects[object].info == nil, !objects[object].isClosure, values.contains(where: { objects[$0].isClosure })
        else { return nil }
        let owner = objects[object].type?.name ?? "its object"
        return Slot(
            name: name, type: nil, isOwning: true, keeper: nil,
            unknowns: ["The declaration of \(owner).\(name) was not seen: it may be weak or computed."])
    }

    /// A collection, or a type with a subscript that stores nothing weakly.
    private func keepsElements(_ object: Int) -> Bool {
        guard let info = objects[object].info else { return true }
        return info.properties.allSatisfy { $0.variable.ownership == .strong }
            && !info.properties.contains {
                $0.variable.type.map { type in
                    module.kept(by: type, in: info.path).contains(where: module.weakHolders.contains)
                } ?? false
            }
    }

    /// What `list += value` adds.
    private func contents(of object: Int) -> [Int] {
        objects[object].isReference == false ? element(of: object) : [object]
    }

    /// Whether it stands for one object, not for each element of a collection.
    func isSingle(_ object: Int) -> Bool {
        switch objects[object].origin {
        case .field(let owner, let name): name != "[…]" && isSingle(owner)
        default: true
        }
    }

    func append(_ values: [Int], to object: Int, at position: Int) {
        guard !values.isEmpty, keepsElements(object) else { return }
        let slot = Slot(
            name: "[…]", type: objects[object].type.flatMap { module.resolve($0).element }, isOwning: true,
            keeper: keeper(around: object))
        write(object, slot, values, at: position, replaces: false)
    }
}
