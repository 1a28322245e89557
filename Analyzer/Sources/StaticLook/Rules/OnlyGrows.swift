import SourceModel
import SuspectModel

/// A collection that lives long and is only ever added to.
struct OnlyGrows: Rule {
    static let name = "only-grows"
    static let summary = "a long-lived collection is only ever added to"

    func look(at type: TypeInfo, _ look: Look) {
        guard type.kind != .protocol, type.isDeclared else { return }
        let isShared = look.module.hasSharedInstance(type)
        for property in type.properties where isCandidate(property.variable) && !property.isRequirement {
            let isCache = [property.variable.name, type.name].contains { $0.lowercased().contains("cache") }
            guard property.variable.isStatic || (type.isClass && (isShared || isCache)) else { continue }
            guard let growth = growth(of: property.variable, declaredIn: type.path, look.module) else { continue }
            let life =
                property.variable.isStatic
                ? "lives as long as the program" : isShared ? "belongs to a shared object" : "is a cache"
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
        guard !variable.isLet, !variable.isComputed, variable.ownership == .strong else { return false }
        return isDictionary(variable) || isCollection(variable)
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
        switch variable.type?.unwrapped {
        case .dictionary: return true
        case .named(let path, _): return ["Dictionary", "OrderedDictionary"].contains(path.last ?? "")
        case nil:
            if case .literal(.emptyDictionary)? = variable.initializer { return true }
            return false
        default: return false
        }
    }

    /// The function that adds; nil when nothing does, or something takes out.
    private func growth(of variable: Variable, declaredIn type: String, _ module: Module) -> String? {
        let name = variable.name
        var adding: String?
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
            if summary.adds.contains(name) || (isDictionary(variable) && summary.setsElements.contains(name)) {
                adding = adding ?? summary.function
            }
        }
        return adding
    }

    /// A registry: as many entries as the program has names to give to `register`.
    private func isRegistry(_ variable: Variable, _ growth: String) -> Bool {
        isDictionary(variable) && growth.lowercased().hasPrefix("register")
    }

    private func report(
        _ variable: Variable, file: Int, owner: TypeInfo?, life: String, growth: String, isSure: Bool, _ look: Look
    ) {
        let full = owner.map { "\($0.name).\(variable.name)" } ?? variable.name
        var unknowns = ["How many different entries there can be is not known."]
        if !variable.isPrivate { unknowns.append("Code of other modules may take entries out.") }
        look.report(
            Look.Suspicion(
                rule: name, confidence: isRegistry(variable, growth) ? .low : isSure ? .high : .medium, file: file,
                position: variable.position,
                message: "\(full) \(life), \(growth)() adds to it, and nothing takes anything out.",
                fix: "bound it: throw away the oldest, or let entries go when they are done", unknowns: unknowns,
                type: owner?.path ?? "", field: variable.name, holder: full))
    }
}
