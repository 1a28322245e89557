import SourceModel
import StaticFindingModel

/// A method of self, stored as a value: it holds its object without a closure to be seen.
struct StoredMethod: Rule {
    static let name = "stored-method"
    static let summary = "a method of self, kept as a value by what self owns, holds self"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        for flow in flows.flows {
            guard case .method(let method) = flow.held.kind,
                let judgement = StorageJudgement.of(flow, place, look)
            else { continue }
            let owner = place.type?.name ?? "self"
            let keeper = flow.keeper.map { $0.name } ?? "\(owner).\(flow.path.text)"
            look.report(
                Look.Suspicion(
                    rule: name, confidence: judgement.confidence, file: place.file, position: flow.held.position,
                    message: "The method \(method) as a value holds self; \(keeper) keeps it, and \(owner) keeps that.",
                    fix: "pass a closure instead: { [weak self] in self?.\(method)(…) }",
                    unknowns: judgement.unknowns, place: place, field: flow.path.fields.first ?? "", holder: keeper))
        }
    }
}
