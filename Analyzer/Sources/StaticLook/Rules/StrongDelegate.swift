import SourceModel
import StaticFindingModel

/// A delegate or data source that is held strongly.
struct StrongDelegate: Rule {
    static let name = "strong-delegate"
    static let summary = "a delegate or data source is held strongly, while it owns the object that it serves"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        for flow in flows.flows {
            guard case .object = flow.held.kind, let keeper = flow.keeper, !keeper.isInValue,
                BackReferenceName.isDelegate(keeper.field), let type = place.type,
                let judgement = StorageJudgement.of(flow, place, look)
            else { continue }
            let isOwn = flow.path.fields.count == 1 && flow.held.keeper == nil && keeper.type == type.path
            guard !isOwn else { continue }
            BackReference.report(
                name, keeper, owner: type, through: flow.path.text, judgement.confidence, judgement.unknowns, place,
                at: flow.position, look)
        }
    }

    func look(at type: TypeInfo, _ look: Look) {
        guard type.isClass else { return }
        for property in type.properties where property.isOwning {
            guard BackReferenceName.isDelegate(property.variable.name), !property.variable.isLet,
                let declared = property.variable.type, declared.isOptional,
                let served = look.module.type(of: declared, from: type.path), served.kind == .protocol,
                look.module.isClassBound(served)
            else { continue }
            look.report(
                Look.Suspicion(
                    rule: name, confidence: .low, file: property.file, position: property.variable.position,
                    message: "\(type.name).\(property.variable.name) is strong, and only classes can be "
                        + "\(served.name).",
                    fix: "make it weak: weak var \(property.variable.name)",
                    unknowns: ["No place was seen where the delegate also owns the \(type.name)."],
                    type: type.path, field: property.variable.name, holder: "\(type.name).\(property.variable.name)"))
        }
    }
}
