import SourceModel
import StaticFindingModel

/// A dispatch source whose handler holds the object that keeps the source.
struct DispatchSourceRule: Rule {
    static let name = "dispatch-source"
    static let summary = "a dispatch source's handler holds the object that keeps the source"

    /// A registration handler is not among them: it is let go once it has run.
    private static let setters: Set<String> = ["setEventHandler", "setCancelHandler"]

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        if let type = place.type, look.module.isSingleton(type) { return }
        for site in flows.sites where Self.setters.contains(site.call.name ?? "") {
            guard let path = site.base, let closure = NotificationRule.strongClosure(site),
                !Teardown.isWithin(closure, emptying: path.fields, calling: ["cancel"])
            else { continue }
            let field = path.fields.first ?? ""
            let teardown = Teardown(module: look.module, types: [place.type?.path ?? ""])
            var confidence = StaticFinding.Confidence.high
            var unknowns: [String] = []
            var end = ""
            if let function = teardown.ending(field, by: ["cancel"], besides: place) {
                confidence = .low
                unknowns.append("\(function) cancels it: whether that is always called is not known.")
            } else if teardown.endsInDeinit(field, by: ["cancel"]) {
                end = " The deinit that cancels it can never run."
            }
            look.report(
                Look.Suspicion(
                    rule: name, confidence: confidence, file: place.file, position: closure.position,
                    message: "The dispatch source in \(path.text) keeps its handler, and the handler keeps self.\(end)",
                    fix: "capture self weakly: [weak self]", unknowns: unknowns, place: place, field: field,
                    holder: "\(place.type?.name ?? "").\(path.text)",
                    edit: CaptureEdit.weakSelf(closure, at: site, in: place, look.module)))
        }
    }
}
