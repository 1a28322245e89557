import SourceModel
import StaticFindingModel

/// A subscription that its owner keeps and whose closures hold the owner.
struct Subscription: Rule {
    static let name = "subscription"
    static let summary = "a stored subscription (sink, assign, an operator before it) holds the object that stores it"

    private static let ends: Set<String> = ["sink", "assign"]

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        if let type = place.type, look.module.isSingleton(type) { return }
        for site in flows.sites {
            guard let path = storage(site) else { continue }
            for held in site.held { report(held, site, path, place, look) }
        }
    }

    private func storage(_ site: CallSite) -> StoragePath? {
        let name = site.call.name ?? ""
        switch site.destination {
        case .stored(let path) where Self.ends.contains(name):
            return name == "sink" || site.call.argument("on") != nil ? path : nil
        case .subscribed(let path) where !Self.ends.contains(name): return path
        default: return nil
        }
    }

    private func report(
        _ held: Held, _ site: CallSite, _ path: StoragePath, _ place: FunctionPlace, _ look: Look
    ) {
        var edit: StaticFinding.Edit?
        switch held.kind {
        case .closure(let closure):
            guard !Teardown.isWithin(closure, emptying: path.fields, calling: ["cancel"]) else { return }
            if site.call.name == "sink" { edit = CaptureEdit.weakSelf(closure, at: site, in: place, look.module) }
        case .method, .made: break
        case .object: guard site.call.name == "assign" else { return }
        case .parameter: return
        }
        let field = path.fields.first ?? ""
        let teardown = Teardown(
            module: look.module, types: [place.type?.path ?? ""],
            maker: Maker(place: place, position: site.call.position))
        var confidence = StaticFinding.Confidence.high
        var unknowns = path.unknowns
        if let function = teardown.emptying([field], besides: place)
            ?? teardown.ending(field, by: ["cancel"], besides: place)
        {
            confidence = .low
            unknowns.append("\(function) ends it: whether that is always called is not known.")
        } else if ends(site.call) {
            confidence = .low
            unknowns.append("The publisher seems to complete, which ends it.")
        } else if let function = teardown.perhapsEnding([field]) {
            confidence = .low
            unknowns.append("\(function) may let it go: whether it is this one, and when, is not known.")
        }
        let position = if case .object = held.kind { site.call.position } else { held.position }
        look.report(
            Look.Suspicion(
                rule: name, confidence: confidence, file: place.file, position: position,
                message: "The subscription in \(path.text) keeps self, and self keeps the subscription.",
                fix: site.call.name == "assign"
                    ? "use sink with [weak self], or assign(to: &$property)" : "capture self weakly: [weak self]",
                unknowns: unknowns, place: place, field: field, holder: "\(place.type?.name ?? "").\(path.text)",
                edit: edit))
    }

    /// Whether the chain before it has an end by itself.
    private func ends(_ call: Call) -> Bool {
        var next = call.base
        while let expression = next {
            switch expression {
            case .call(let inner):
                if ["first", "Just", "Future", "prefix", "Empty", "Fail"].contains(inner.name ?? "") { return true }
                next = inner.base
            case .member(let base, _, _): next = base
            default: next = nil
            }
        }
        return false
    }
}
