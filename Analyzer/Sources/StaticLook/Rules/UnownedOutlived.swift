import SourceModel
import StaticFindingModel

/// `unowned` for something that can die first.
struct UnownedOutlived: Rule {
    static let name = "unowned-outlived"
    static let summary = "unowned, or unowned(unsafe), for an object that can die before it is used"

    /// Calls that run a closure later, when its object may be gone.
    private static let later: Set<String> = [
        "async", "asyncAfter", "Task", "detached", "dataTask", "uploadTask", "downloadTask", "addOperation",
        "addObserver", "scheduledTimer", "Timer", "perform", "notify", "whenSuccess", "whenComplete", "whenFailure",
        "addBarrierBlock", "scheduleTask", "scheduleRepeatedTask", "execute", "data",
    ]

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        for site in flows.unowned {
            let name = site.call.name ?? ""
            guard Self.later.contains(name) || site.label?.lowercased().contains("completion") == true else { continue }
            guard !(site.isOwned && !["async", "asyncAfter", "dataTask", "addOperation"].contains(name)),
                !isEnded(site, place, look.module)
            else { continue }
            let isUnsafe = site.capture.ownership == .unownedUnsafe
            look.report(
                Look.Suspicion(
                    rule: self.name, confidence: .low, file: place.file, position: site.capture.position,
                    message: "\(name) runs the closure later; if \(site.capture.name) is gone by then, "
                        + (isUnsafe ? "it uses freed memory." : "the program stops."),
                    fix: "capture it weakly: [weak \(site.capture.name)]",
                    unknowns: ["Whether something else keeps \(site.capture.name) for as long is not known."],
                    place: place, field: "",
                    holder: site.capture.name))
        }
    }

    /// The observation or timer ends with its object.
    private func isEnded(_ site: UnownedClosure, _ place: FunctionPlace, _ module: Module) -> Bool {
        guard case .stored(let path) = site.destination, let field = path.fields.first else { return false }
        let ends: Set = ["removeObserver", "invalidate", "cancel"]
        return !module.uses.ending(field, by: ends).isEmpty && site.call.name != "Task"
    }

    func look(at type: TypeInfo, _ look: Look) {
        guard type.isClass || type.isValue else { return }
        for property in type.properties where property.isStored {
            guard [.unowned, .unownedUnsafe].contains(property.variable.ownership),
                !property.variable.name.lowercased().contains("executor")
            else { continue }
            check(property, of: type, look)
        }
    }

    private func check(_ property: Property, of type: TypeInfo, _ look: Look) {
        let other = look.module.type(of: property.variable.type, from: type.path)
        if let other, other.isDeclared, look.module.owns(other, type) { return }
        look.report(
            Look.Suspicion(
                rule: name, confidence: .low, file: property.file, position: property.variable.position,
                message:
                    "\(type.name).\(property.variable.name) does not keep its object, and no \(other?.name ?? "owner") "
                    + "was seen to own the \(type.name): it can be used after the object is gone.",
                fix: "make it weak, or strong where there is no way back",
                unknowns: ["Whether something else keeps it for as long is not known."], type: type.path,
                field: property.variable.name, holder: "\(type.name).\(property.variable.name)"))
    }
}
