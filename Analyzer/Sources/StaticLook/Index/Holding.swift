import SourceModel

/// Whether objects of a class live on without the references that lead back to them.
struct Holding {
    let module: Module
    let calls: CallIndex

    /// Every place that makes an object keeps it: in a property, in a global, or in a local variable for as long as only
    /// its function uses it. Of a class that these sources do not make it is taken for granted.
    func isKept(_ type: TypeInfo) -> Bool {
        let names = [type.name] + module.types.filter { $0 !== type && inherits($0, type) }.map(\.name)
        return names.flatMap(calls.calls).allSatisfy { isKept($0) }
    }

    private func inherits(_ type: TypeInfo, _ ancestor: TypeInfo) -> Bool {
        type.isClass && module.lineage(of: type).contains { $0 === ancestor }
    }

    private func isKept(_ site: CallIndex.Site, depth: Int = 0) -> Bool {
        let body = site.place.function.body ?? []
        // The initial value of a property.
        if site.place.function.kind == .accessor, case .expression(let value)? = body.first, body.count == 1,
            isCall(value, site)
        {
            return true
        }
        var local: Variable?
        body.walkStatements { statement in
            guard case .variable(let variable) = statement, let value = variable.initializer, isCall(value, site) else {
                return
            }
            local = variable
        }
        if depth < 3, returnsItself(local?.name, site, body) {
            let callers = calls.calls(of: site.place.function.name)
            return !callers.isEmpty && callers.allSatisfy { isKept($0, depth: depth + 1) }
        }
        guard let local else { return stores(body) { isCall($0, site) } }
        if site.place.type == nil, site.place.function.name == "main", isGlobal(local, in: body) { return true }
        if stores(body, { isName($0, local.name) }) { return true }
        return isOnlyUsed(local.name, in: body)
            && !(Module.handsOut(site.place.function) && returns(local.name, in: body))
    }

    /// Whether the function makes the object for its callers.
    private func returnsItself(_ local: String?, _ site: CallIndex.Site, _ body: [Statement]) -> Bool {
        guard site.place.function.kind == .function else { return false }
        let value: Expression?
        switch body.last {
        case .expression(let last)? where body.count == 1: value = last
        case .leave(.returns, let last)?: value = last
        default: value = nil
        }
        return value.map { value in local.map { isName(value, $0) } ?? isCall(value, site) } ?? false
    }

    private func isGlobal(_ local: Variable, in body: [Statement]) -> Bool {
        body.contains { if case .variable(let variable) = $0 { variable.position == local.position } else { false } }
    }

    private func isCall(_ expression: Expression, _ site: CallIndex.Site) -> Bool {
        switch expression {
        case .call(let call): call.position == site.call.position
        case .cast(let inner, _): isCall(inner, site)
        case .other(let parts, "??"), .other(let parts, "?:"): parts.contains { isCall($0, site) }
        default: false
        }
    }

    private func isName(_ expression: Expression, _ name: String) -> Bool {
        if case .name(name, _) = expression { true } else { false }
    }

    /// Whether what `isIt` recognises gets into a property of `self`, or an element of one.
    private func stores(_ body: [Statement], _ isIt: (Expression) -> Bool) -> Bool {
        var locals: Set<String> = []
        body.walkStatements { if case .variable(let variable) = $0 { locals.insert(variable.name) } }
        func isOutside(_ target: Expression) -> Bool {
            switch target {
            case .name(let name, _): !locals.contains(name)
            case .member(.name("self", _)?, _, _): true
            case .element(let base, _, _): isOutside(base)
            default: false
            }
        }
        var found = false
        body.walk { part in
            switch part {
            case .assignment(let target, let value, _, _): if isIt(value), isOutside(target) { found = true }
            case .call(let call) where KnownTypes.keepingMethods.contains(call.name ?? ""):
                if call.base.map(isOutside) == true, call.arguments.contains(where: { isIt($0.value) }) { found = true }
            default: break
            }
            return !found
        }
        return found
    }

    /// Whether what the function returns is made with the local variable, and so may hold it.
    private func returns(_ name: String, in body: [Statement]) -> Bool {
        var found = false
        if body.count == 1, case .expression(let value) = body[0] { found = Captures.mentions(value, [name]) }
        body.walkStatements { statement in
            if case .leave(.returns, let value?) = statement, Captures.mentions(value, [name]) { found = true }
        }
        return found
    }

    /// Whether the function only asks members of the local variable: what it gives to nobody nobody else holds later.
    private func isOnlyUsed(_ name: String, in body: [Statement]) -> Bool {
        var all = 0
        var asBase = 0
        body.walk { part in
            switch part {
            case .name(name, _): all += 1
            case .member(.name(name, _)?, _, _): asBase += 1
            // A closure may be kept for longer.
            case .closure(let closure): if Captures.mentions(closure.body, [name]) { all += 1 }
            default: break
            }
            return true
        }
        return all == asBase
    }
}
