import SourceModel
import StaticFindingModel

/// A stored closure in which only a closure within captures self weakly: to do so the outer one captures it strongly.
struct NestedCapture: Rule {
    static let name = "nested-capture"
    static let summary = "only the inner of nested closures captures self weakly, the stored outer one strongly"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        for flow in flows.flows {
            guard case .closure(let closure) = flow.held.kind, Captures.hasWeakInner(closure, of: ["self"]),
                let judgement = StorageJudgement.of(flow, place, look)
            else { continue }
            let owner = place.type?.name ?? "self"
            let keeper = flow.keeper.map { $0.name } ?? "\(owner).\(flow.path.text)"
            look.report(
                Look.Suspicion(
                    rule: name, confidence: judgement.confidence, file: place.file, position: closure.position,
                    message: "Only a closure within captures self weakly; this one, kept by \(keeper), captures it "
                        + "strongly.",
                    fix: "move [weak self] to the outer closure", unknowns: judgement.unknowns, place: place,
                    field: flow.path.fields.first ?? "", holder: keeper,
                    edit: CaptureEdit.weakSelf(closure, of: flow, in: place, look.module)))
        }
    }
}
