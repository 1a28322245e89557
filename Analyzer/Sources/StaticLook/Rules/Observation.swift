import SourceModel
import StaticFindingModel

/// Key-value observation and observation tracking whose handler holds the observer.
struct Observation: Rule {
    static let name = "observation"
    static let summary = "an observation's handler holds the object that keeps the observation, or what it observes"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        if let type = place.type, look.module.isSingleton(type) { return }
        for site in flows.sites {
            switch site.call.name {
            case "observe": keyValue(site, place, look)
            case "withObservationTracking": tracking(site, place, look)
            default: break
            }
        }
    }

    private func keyValue(_ site: CallSite, _ place: FunctionPlace, _ look: Look) {
        guard case .keyPath? = site.call.arguments.first?.value, let path = site.storage,
            let closure = NotificationRule.strongClosure(site),
            !Teardown.isWithin(closure, emptying: path.fields, calling: ["invalidate"])
        else { return }
        let field = path.fields.first ?? ""
        let teardown = Teardown(module: look.module, types: [place.type?.path ?? ""])
        var confidence = StaticFinding.Confidence.high
        var unknowns: [String] = []
        if let function = teardown.emptying([field], besides: place)
            ?? teardown.ending(field, by: ["invalidate"], besides: place)
        {
            confidence = .low
            unknowns.append("\(function) ends it: whether that is always called is not known.")
        }
        look.report(
            Look.Suspicion(
                rule: name, confidence: confidence, file: place.file, position: closure.position,
                message: "The observation in \(path.text) keeps its handler, and the handler keeps self.",
                fix: "capture self weakly: [weak self]", unknowns: unknowns, place: place, field: field,
                holder: "\(place.type?.name ?? "").\(path.text)",
                edit: CaptureEdit.weakSelf(closure, at: site, in: place, look.module)))
    }

    private func tracking(_ site: CallSite, _ place: FunctionPlace, _ look: Look) {
        guard case .closure(let closure)? = site.call.argument("onChange"),
            site.held.contains(where: { held in
                if case .closure(let strong) = held.kind { return strong === closure }
                return false
            })
        else { return }
        look.report(
            Look.Suspicion(
                rule: name, confidence: .medium, file: place.file, position: closure.position,
                message: "What is observed keeps onChange until it changes, and onChange keeps self.",
                fix: "capture self weakly: [weak self]",
                unknowns: ["Whether what is observed changes once more is not known."], place: place,
                holder: "withObservationTracking",
                edit: CaptureEdit.weakSelf(closure, at: site, in: place, look.module)))
    }
}
