import SourceModel
import StaticFindingModel

/// An observer block that holds the object which keeps the token.
struct NotificationRule: Rule {
    static let name = "notification"
    static let summary = "a notification block holds the object that would have to remove the observer"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        if let type = place.type, look.module.isSingleton(type) { return }
        for site in flows.sites where Self.isObservation(site.call) {
            guard let closure = Self.strongClosure(site),
                !Teardown.isWithin(closure, emptying: [], calling: ["removeObserver"])
            else { continue }
            report(site, closure, place, look)
        }
    }

    static func isObservation(_ call: Call) -> Bool { call.name == "addObserver" && call.argument("forName") != nil }

    static func strongClosure(_ site: CallSite) -> Closure? {
        site.held.lazy.compactMap { held -> Closure? in
            if case .closure(let closure) = held.kind { return closure }
            return nil
        }.first
    }

    private func report(_ site: CallSite, _ closure: Closure, _ place: FunctionPlace, _ look: Look) {
        let field = site.storage?.fields.first ?? ""
        let teardown = Teardown(module: look.module, types: [place.type?.path ?? ""])
        var confidence = StaticFinding.Confidence.high
        var unknowns: [String] = []
        var end = ""
        if !field.isEmpty, let function = teardown.ending(field, by: ["removeObserver"], besides: place) {
            confidence = .low
            unknowns.append("\(function) removes the observer: whether that is always called is not known.")
        } else if !field.isEmpty, teardown.endsInDeinit(field, by: ["removeObserver"]) {
            end = " The deinit that removes it can never run."
        } else if field.isEmpty {
            // Perhaps meant to stay for as long as the program runs.
            confidence = .low
            unknowns.append("The token that would remove it is not stored.")
        }
        look.report(
            Look.Suspicion(
                rule: name, confidence: confidence, file: place.file, position: closure.position,
                message: "The notification center keeps the block, and the block keeps self.\(end)",
                fix: "capture self weakly: [weak self]", unknowns: unknowns, place: place, field: field,
                holder: "NotificationCenter",
                edit: CaptureEdit.weakSelf(closure, at: site, in: place, look.module)))
    }
}
