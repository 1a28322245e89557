import SourceModel

extension FunctionWalker {
    /// The storage behind an expression that `self` keeps alive; nil: none, or it is weak, or not known.
    func storage(_ expression: Expression) -> StoragePath? {
        guard selfIsObject || type?.isValue == true, !place.function.isStatic else { return nil }
        switch expression {
        case .name(let name, _):
            if let path = owned[name], localNames.contains(name) { return path }
            guard !localNames.contains(name), !selfNames.contains(name), let type else { return nil }
            return storage(of: name, in: type)
        case .member(let base?, let name, let at):
            if isSelf(base) || isSuper(base) || isPlainSelf(base) {
                return type.flatMap { storage(of: name, in: $0) }
            }
            guard let path = storage(base) else { return nil }
            return storage(of: name, in: path, at: at)
        case .element(let base, _, _):
            guard let path = storage(base) else { return nil }
            let element = path.type.flatMap { module.resolve($0).element }
            return StoragePath(
                fields: path.fields + ["[…]"], keeper: path.keeper, type: element, unknowns: path.unknowns)
        case .cast(let inner, _): return storage(inner)
        case .other(let parts, "??"), .other(let parts, "?:"): return parts.lazy.compactMap(storage).first
        case .call(let call):
            // `children.first`, `items.last` are members; a call that hands out an element is one as well.
            guard ["first", "last", "randomElement"].contains(call.name ?? ""), let base = call.base,
                let path = storage(base)
            else { return nil }
            return StoragePath(
                fields: path.fields + ["[…]"], keeper: path.keeper,
                type: path.type.flatMap { module.resolve($0).element }, unknowns: path.unknowns)
        default: return nil
        }
    }

    private func isSuper(_ base: Expression) -> Bool {
        if case .name("super", _) = base { return true }
        return false
    }

    /// In a struct, whose `self` is no object but whose storage matters for what keeps its parameters.
    private func isPlainSelf(_ base: Expression) -> Bool {
        if case .name("self", _) = base { return true }
        return false
    }

    private func storage(of name: String, in owner: TypeInfo) -> StoragePath? {
        if name.hasPrefix("$") { return projection(name, in: owner) }
        guard let property = module.storedProperty(name, of: owner), property.isOwning else { return nil }
        let name = property.variable.name
        let declared = property.variable.type ?? typing.type(of: .member(.name("self", at: 0), name, at: 0))
        return StoragePath(fields: [name], keeper: keeper(property), type: declared)
    }

    /// `$level`: what the property's wrapper hands out of itself, where it keeps that.
    private func projection(_ name: String, in owner: TypeInfo) -> StoragePath? {
        guard let property = module.property(String(name.dropFirst()), of: owner), !property.variable.isStatic,
            let wrapper = module.wrapper(of: property),
            let projected = module.property("projectedValue", of: wrapper), let type = projected.variable.type,
            projected.isOwning || module.type(of: type) === wrapper
                || wrapper.properties.contains(where: { $0.isOwning && $0.variable.type?.name == type.name })
                || wrapper.properties.contains(where: { $0.isOwning && module.madeType($0)?.name == type.name })
        else { return nil }
        return StoragePath(fields: [name], keeper: nil, type: type)
    }

    private func storage(of name: String, in path: StoragePath, at position: Int) -> StoragePath? {
        let type = path.type.flatMap(typing.info) ?? typing.indexedOwner(ofMember: name, at: position)
        if ["first", "last", "values"].contains(name), let path = path.type, module.resolve(path).isCollection {
            return nil
        }
        guard let type, type.isDeclared else {
            var deeper = path
            deeper.fields.append(name)
            deeper.type = nil
            let owner = path.type?.name ?? path.text
            deeper.keeper = nil
            deeper.unknowns.append("The declaration of \(owner).\(name) was not seen: it may be weak or computed.")
            return deeper
        }
        guard let property = module.storedProperty(name, of: type), property.isOwning || property.isRequirement else {
            return nil
        }
        var deeper = path
        deeper.fields.append(property.variable.name)
        deeper.keeper = keeper(property)
        deeper.type = property.variable.type ?? module.madeType(property)
        if property.isRequirement {
            deeper.unknowns.append("\(type.name).\(name) is a requirement: its implementation may be weak.")
        }
        return deeper
    }

    func keeper(_ property: Property) -> Keeper {
        Keeper(
            type: property.type, field: property.variable.name, file: property.file,
            position: property.variable.position, isInValue: module.type(named: property.type)?.isValue ?? false,
            declared: property.variable.type)
    }

    /// The path of what a method of the object at `path` keeps.
    func joined(_ path: StoragePath, _ flow: Flow) -> StoragePath {
        StoragePath(
            fields: path.fields + flow.path.fields, keeper: flow.keeper, type: flow.path.type,
            unknowns: path.unknowns + flow.unknowns)
    }

    /// `object.field = value` for a local object: what the value holds, the object holds from now on.
    func keepInLocal(_ target: Expression, _ value: Expression) {
        if case .element(let base, _, _) = target, let name = localCollection(base) {
            return addToLocal(name, value)
        }
        guard let (name, keeper, field, unknowns) = localField(target) else { return }
        let declared = keeper?.declared.map(module.resolve)
        let isElement = if case .element = target { true } else { false }
        keepInLocal(name, keeper, field, unknowns, value, demanded: isElement ? declared?.element : declared)
    }

    func keepInLocal(
        _ name: String, _ keeper: Keeper?, _ field: String, along fields: [String] = [], _ unknowns: [String],
        _ value: Expression, demanded: TypeReference?
    ) {
        noteCircle(name, keeper, field, along: fields, unknowns, value)
        for held in held(value, expected: demanded) {
            var inner = held
            inner.keeper = held.keeper ?? keeper
            inner.unknowns += unknowns
            heldByLocal[name, default: []].append(inner)
        }
    }

    /// The local variable that an expression names, itself or an element of it: a collection, as far as is known.
    func localCollection(_ expression: Expression) -> String? {
        switch expression {
        case .name(let name, _):
            guard localNames.contains(name), !weakLocals.contains(name), owned[name] == nil else { return nil }
            let type = typing.type(of: expression).map(module.resolve)
            let isOther = type.map { !$0.isCollection && typing.info(of: $0)?.isDeclared == true } ?? false
            return isOther ? nil : name
        case .element(let base, _, _): return localCollection(base)
        default: return nil
        }
    }

    func addToLocal(_ name: String, _ value: Expression) {
        let element = typing.type(of: .name(name, at: 0)).flatMap { module.resolve($0).element }
        heldByLocal[name, default: []] += held(value, expected: element)
    }

    /// A closure that captures the object which keeps it.
    func noteCircle(
        _ name: String, _ keeper: Keeper?, _ field: String, along fields: [String] = [], _ unknowns: [String],
        _ value: Expression
    ) {
        guard case .closure(let closure) = value, Captures.isStrong(closure, of: [name]),
            module.isValue(typing.type(of: .name(name, at: 0)), from: typing.path) != true
        else { return }
        result.circles.append(
            LocalCircle(
                name: name, closure: closure, keeper: keeper, field: field,
                fields: fields.filter { $0 != "[…]" } + [field, keeper?.field ?? field],
                type: typing.info(of: .name(name, at: 0))?.path ?? "", unknowns: unknowns))
    }

    /// `step = { step?() }`: the closure captures the variable, not its value, and the variable keeps the closure.
    func noteCircle(ofVariable name: String, _ value: Expression) {
        guard case .closure(let closure) = value, parameters[name] == nil, owned[name] == nil,
            !closure.captures.contains(where: { $0.name == name }), !weakLocals.contains(name),
            Captures.isStrong(closure, of: [name]), !Captures.declares(closure, name)
        else { return }
        result.circles.append(
            LocalCircle(
                name: name, closure: closure, keeper: nil, field: "", fields: [], type: type?.path ?? "", unknowns: []))
    }

    private func localField(_ target: Expression) -> (String, Keeper?, String, [String])? {
        switch target {
        case .member(.name(let name, _)?, let field, _):
            guard localNames.contains(name), !weakLocals.contains(name) else { return nil }
            guard let info = typing.info(of: .name(name, at: 0)), info.isDeclared else {
                return (name, nil, field, ["The declaration of \(name).\(field) was not seen: it may be weak."])
            }
            guard let property = module.storedProperty(field, of: info), property.isOwning else { return nil }
            return (name, keeper(property), property.variable.name, [])
        case .element(let base, _, _): return localField(base)
        default: return nil
        }
    }
}
