import SourceModel
import StaticFindingModel

/// A collection that lives long and is only ever added to.
struct OnlyGrows: Rule {
    static let name = "only-grows"
    static let summary = "a long-lived collection is only ever added to"

    func look(at type: TypeInfo, _ look: Look) {
        guard type.kind != .protocol, type.isDeclared else { return }
        let isShared = look.module.hasSharedInstance(type)
        for property in type.properties where isCandidate(property.variable) && !property.isRequirement {
            let isCache = [property.variable.name, type.name].contains { $0.lowercased().contains("cache") }
            let isHeld = look.module.isHeldForEver(type)
            guard property.variable.isStatic || (type.isClass && (isShared || isCache || isHeld)) else { continue }
            guard let growth = growth(of: property.variable, declaredIn: type.path, look.module) else { continue }
            let life =
                property.variable.isStatic
                ? "lives as long as the program"
                : isShared || isHeld ? "belongs to a shared object" : "is a cache"
            report(
                property.variable, file: property.file, owner: type, life: life, growth: growth,
                isSure: property.variable.isPrivate && (property.variable.isStatic || isShared), look)
        }
    }

    func look(atGlobalsOf file: Int, _ look: Look) {
        for variable in look.module.files[file].globals where isCandidate(variable) {
            guard let growth = growth(of: variable, declaredIn: "", look.module) else { continue }
            report(
                variable, file: file, owner: nil, life: "lives as long as the program", growth: growth,
                isSure: variable.isPrivate, look)
        }
    }

    private func isCandidate(_ variable: Variable) -> Bool {
        if let inner = locked(variable) { return inner.isCollection }
        guard !variable.isLet, !variable.isComputed, variable.ownership == .strong else { return false }
        return isDictionary(variable) || isCollection(variable)
    }

    /// What a lock holds: `Mutex<[String: Entry]>`.
    private func locked(_ variable: Variable) -> TypeReference? {
        if case .named(let path, let arguments)? = variable.type, ObjectWalker.locks.contains(path.last ?? "") {
            return arguments.first
        }
        guard variable.type == nil, case .call(let call)? = variable.initializer,
            case .type(.named(let path, let arguments), _) = call.callee, ObjectWalker.locks.contains(path.last ?? "")
        else { return nil }
        return arguments.first
    }

    private func isCollection(_ variable: Variable) -> Bool {
        if let type = variable.type { return type.isCollection }
        switch variable.initializer {
        case .literal(.emptyArray), .literal(.emptyDictionary): return true
        case .call(let call): return ["Set", "Array", "Dictionary"].contains(call.name ?? "") && call.arguments.isEmpty
        default: return false
        }
    }

    private func isDictionary(_ variable: Variable) -> Bool {
        switch (locked(variable) ?? variable.type)?.unwrapped {
        case .dictionary: return true
        case .named(let path, _): return ["Dictionary", "OrderedDictionary"].contains(path.last ?? "")
        case nil:
            if case .literal(.emptyDictionary)? = variable.initializer { return true }
            return false
        default: return false
        }
    }

    /// Who adds to a collection.
    private struct Growth {
        var function: String
        /// It only counts entries up: as many as there are different keys.
        var isTally: Bool
        /// It is called as many times as the text of the program says: when that starts, for the most part.
        var isCounted = false
    }

    /// The keys are cases of an enum, or yes and no.
    private func hasFewKeys(_ variable: Variable, _ owner: String, _ module: Module) -> Bool {
        guard case .dictionary(let key, _)? = variable.type?.unwrapped else { return false }
        if ["Bool", "UInt8", "Int8"].contains(key.name ?? "") { return true }
        guard let type = module.type(of: key, from: owner), type.kind == .enum else { return false }
        return type.cases.allSatisfy(\.payload.isEmpty)
    }

    /// The function that adds; nil when nothing does, or something takes out.
    private func growth(of variable: Variable, declaredIn type: String, _ module: Module) -> Growth? {
        guard !hasFewKeys(variable, type, module) else { return nil }
        let name = variable.name
        var adding: [MemberUses.Summary] = []
        var tallying: String?
        for summary in module.uses.summaries(mentioning: name) {
            let isInside = summary.type == type || summary.type.hasPrefix(type + ".")
            let isOwn = type.isEmpty || isInside || !variable.isPrivate
            guard isOwn else { continue }
            if summary.empties.contains(name) || summary.removes.contains(name) || summary.lends.contains(name)
                || summary.measures.contains(name)
            {
                return nil
            }
            guard summary.kind != .initializer, summary.function != name else { continue }
            if summary.assigns.contains(name) { return nil }
            let counts = isDictionary(variable) && summary.tallies.contains(name)
            if counts { tallying = tallying ?? summary.function }
            if summary.adds.contains(name) || (isDictionary(variable) && summary.setsElements.contains(name)) {
                adding.append(summary)
            }
        }
        if let first = adding.first {
            return Growth(
                function: first.function, isTally: false, isCounted: adding.allSatisfy { module.isCounted($0) })
        }
        return tallying.map { Growth(function: $0, isTally: true) }
    }

    /// A registry: as many entries as the program has names to give to `register`.
    private func isRegistry(_ variable: Variable, _ growth: Growth) -> Bool {
        isDictionary(variable)
            && ["register", "intern", "define", "declare"].contains { growth.function.lowercased().hasPrefix($0) }
    }

    /// Entries replace those of the same key: how many there can be depends on the keys.
    private func isKeyed(_ variable: Variable) -> Bool {
        if isDictionary(variable) { return true }
        let type = (locked(variable) ?? variable.type)?.name
        if case .call(let call)? = variable.initializer, type == nil { return call.name == "Set" }
        return ["Set", "OrderedSet"].contains(type ?? "")
    }

    /// Numbers by numbers: a histogram.
    private func isCount(_ variable: Variable, _ growth: Growth) -> Bool {
        guard growth.isTally, case .dictionary(let key, _)? = variable.type?.unwrapped else { return false }
        return ["Int", "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32", "UInt", "Character"]
            .contains(key.name ?? "")
    }

    private func report(
        _ variable: Variable, file: Int, owner: TypeInfo?, life: String, growth: Growth, isSure: Bool, _ look: Look
    ) {
        let full = owner.map { "\($0.name).\(variable.name)" } ?? variable.name
        var unknowns = ["How many different entries there can be is not known."]
        if !variable.isPrivate { unknowns.append("Code of other modules may take entries out.") }
        look.report(
            Look.Suspicion(
                rule: name,
                confidence: isRegistry(variable, growth) || isCount(variable, growth)
                    ? .low : isSure && !growth.isTally && !growth.isCounted && !isKeyed(variable) ? .high : .medium,
                file: file,
                position: variable.position,
                message: "\(full) \(life), \(growth.function)() adds to it, and nothing takes anything out.",
                fix: "bound it: throw away the oldest, or let entries go when they are done", unknowns: unknowns,
                type: owner?.path ?? "", field: variable.name, holder: full))
    }
}

extension Module {
    /// A static property, or a global variable of a library, keeps an object of the type.
    func isHeldForEver(_ type: TypeInfo) -> Bool {
        types.contains { owner in
            owner.properties.contains { property in
                guard property.variable.isStatic, !property.variable.isComputed else { return false }
                let declared = property.variable.type ?? madeType(property)
                return declared?.isCollection == false && self.type(of: declared, from: owner.path) === type
            }
        }
    }
}
