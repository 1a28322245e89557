import SourceModel
import StaticFindingModel

/// A struct or an enum, kept by a class, that carries a reference back to it.
struct PayloadReference: Rule {
    static let name = "payload-reference"
    static let summary = "a struct's property or an enum's payload leads back to the object that keeps the value"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        for flow in flows.flows {
            guard case .object = flow.held.kind, let keeper = flow.keeper, keeper.isInValue, let type = place.type,
                let judgement = StorageJudgement.of(flow, place, look)
            else { continue }
            BackReference.report(
                name, keeper, owner: type, through: flow.path.text, judgement.confidence, judgement.unknowns, place,
                at: flow.position, look)
        }
    }

    func look(at type: TypeInfo, _ look: Look) {
        guard type.isValue else { return }
        for property in type.properties where property.isOwning {
            let variable = property.variable
            suspect(variable.name, variable.type, property.file, variable.position, type, look)
        }
        for one in type.cases {
            for part in one.payload {
                suspect(part.label ?? "", part.type, type.file, one.position, type, look)
            }
        }
    }

    private func suspect(
        _ label: String, _ declared: TypeReference?, _ file: Int, _ position: Int, _ type: TypeInfo, _ look: Look
    ) {
        guard let owner = look.module.type(of: declared, from: type.path), owner.isClass,
            BackReferenceName.leadsBack(label, to: owner), let back = look.module.property(of: owner, holding: type)
        else { return }
        let keeper = Keeper(
            type: type.path, field: label, file: file, position: position, isInValue: true, declared: declared)
        let end = Teardown(module: look.module, types: [owner.path]).emptying([back.variable.name])
        BackReference.report(
            name, keeper, owner: owner, through: back.variable.name, end == nil ? .medium : .low,
            (end.map { ["\($0) lets it go: whether that is always called is not known."] } ?? []) + [
                "That one \(type.name) is kept by the \(owner.name) it refers to is inferred from names and types."
            ],
            nil, look)
    }
}
