import SourceModel

/// Ends that take one thing at a time, and in a program surely run less often than what makes such things.
struct Outrun {
    let calls: CallIndex
    let module: Module
    let maker: FunctionPlace

    /// Methods that take out one entry, whichever it is.
    private static let single: Set<String> = ["popLast", "popFirst", "removeFirst", "removeLast", "pop", "dequeue"]

    /// Whether the function takes one entry out of the member, less often than the maker puts one in.
    func takesTooFew(_ summary: MemberUses.Summary, of member: String) -> Bool {
        guard module.isProgram, !summary.removesItself.contains(member), !summary.emptiesItself.contains(member),
            let methods = summary.removesByCall[member], methods.isSubset(of: Self.single),
            let place = place(of: summary), !repeats(place)
        else { return false }
        return Runs(calls: calls, module: module, bound: .most).count(place)
            < Runs(calls: calls, module: module, bound: .least).count(maker)
    }

    /// Whether the function unties one node of a chain, less often than the maker ties one: beyond a limit, or before it
    /// is tied again, does not count.
    func untiesTooFew(_ summary: MemberUses.Summary) -> Bool {
        guard module.isProgram, let place = place(of: summary), !repeats(place) else { return false }
        if place.function === maker.function { return true }
        let ends = Runs(calls: calls, module: module, bound: .most, excluded: { isBeyondLimit($0) || tiesAgain($0) })
        return ends.count(place) < max(1, Runs(calls: calls, module: module, bound: .least).count(maker))
    }

    /// `if nodes.count > limit { unlink(last) }`
    private func isBeyondLimit(_ site: CallIndex.Site) -> Bool {
        var found = false
        (site.place.function.body ?? []).walkStatements { statement in
            guard case .choice(let choice) = statement, choice.conditions.contains(where: Removals.isLimit) else {
                return
            }
            choice.branches.walkCalls { found = found || $0.position == site.call.position }
        }
        return found
    }

    /// `unlink(node); push(node)`
    private func tiesAgain(_ site: CallIndex.Site) -> Bool {
        guard maker.type != nil, site.place.type === maker.type else { return false }
        var found = false
        [site.place.function.body ?? []].walkCalls { call in
            found = found || (call.name == maker.function.name && call.position > site.call.position)
        }
        return found
    }

    private func place(of summary: MemberUses.Summary) -> FunctionPlace? {
        guard let type = module.type(named: summary.type),
            let method = type.functions.first(where: {
                $0.file == summary.file && $0.function.position == summary.position
            })
        else { return nil }
        return FunctionPlace(function: method.function, type: type, file: method.file)
    }

    /// By a loop, a closure, or a call of itself.
    private func repeats(_ place: FunctionPlace) -> Bool {
        var found = loops(place.function.body ?? [])
        (place.function.body ?? []).walk { part in
            switch part {
            case .closure: found = true
            case .call(let call) where call.name == place.function.name:
                if call.base == nil { found = true }
                if case .name("self", _)? = call.base { found = true }
            default: break
            }
            return !found
        }
        return found
    }

    private func loops(_ body: [Statement]) -> Bool {
        var found = false
        body.walkStatements { if case .loop = $0 { found = true } }
        return found
    }
}

extension [[Statement]] {
    /// Calls `body` with every call within.
    fileprivate func walkCalls(_ body: (Call) -> Void) {
        for statements in self {
            statements.walk { part in
                if case .call(let call) = part { body(call) }
                return true
            }
        }
    }
}
