import GameprofBasics
import SourceModel
import StaticFindingModel

/// A strong property that leads back to the object which owns its own: a parent, an owner.
struct BackReference: Rule {
    static let name = "back-reference"
    static let summary = "a strong property (parent, owner) leads back to the object that owns its object"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        for flow in flows.flows {
            guard case .object = flow.held.kind, let keeper = flow.keeper, !keeper.isInValue,
                !BackReferenceName.isDelegate(keeper.field), let type = place.type,
                var judgement = StorageJudgement.of(flow, place, look), !movesAway(flow, place)
            else { continue }
            if let end = Teardown(module: look.module, types: [keeper.type]).ended(keeper.field) {
                judgement.confidence = .low
                judgement.unknowns.append("\(end) lets it go: whether that is always called is not known.")
            }
            // What an object keeps of itself in its own property is another matter.
            let isOwn = flow.path.fields.count == 1 && flow.held.keeper == nil && keeper.type == type.path
            guard !isOwn else { continue }
            if let first = flow.path.fields.first, BackReferenceName.leadsBack(first),
                let back = look.module.property(first, of: type),
                let other = look.module.type(of: back.variable.type, from: type.path)
            {
                // The object adds itself to what its parent keeps: its own reference is the one that leads back.
                let own = Keeper(
                    type: back.type, field: first, file: back.file, position: back.variable.position,
                    isInValue: false, declared: back.variable.type)
                Self.report(
                    name, own, owner: other, through: keeper.field, clearing: flow.path.fields.dropFirst().first,
                    judgement.confidence, judgement.unknowns, place, at: flow.position, look)
                continue
            }
            Self.report(
                name, keeper, owner: type, through: flow.path.text, judgement.confidence, judgement.unknowns, place,
                at: flow.position, look)
        }
    }

    /// `right = child.left; child.left = self`: what is given the reference is no longer where it was.
    private func movesAway(_ flow: Flow, _ place: FunctionPlace) -> Bool {
        guard let field = flow.path.fields.first else { return false }
        var found = false
        (place.function.body ?? []).walk { part in
            if case .assignment(let target, .member, "=", _) = part {
                switch target {
                case .name(field, _), .member(.name("self", _)?, field, _): found = true
                default: break
                }
            }
            return !found
        }
        return found
    }

    func look(at type: TypeInfo, _ look: Look) {
        guard type.isClass else { return }
        for property in type.properties where property.isOwning {
            guard !BackReferenceName.isDelegate(property.variable.name), let declared = property.variable.type,
                !look.module.resolve(declared).isCollection,
                let owner = owner(of: property, declared, in: type, look.module),
                let back = back(from: property, to: owner, of: type, look.module),
                back.variable.name != property.variable.name
            else { continue }
            let keeper = Keeper(
                type: type.path, field: property.variable.name, file: property.file,
                position: property.variable.position, isInValue: false, declared: declared)
            let end =
                Teardown(module: look.module, types: [type.path]).ended(property.variable.name)
                ?? Teardown(module: look.module, types: [owner.path]).emptying([back.variable.name])
                ?? (BackReferenceName.leadsBack(property.variable.name)
                    && look.module.type(of: declared, from: type.path) === owner
                    ? nil
                    : Teardown(module: look.module, types: [owner.path]).removing([back.variable.name]).map(
                        Teardown.text))
            Self.report(
                name, keeper, owner: owner, through: back.variable.name, end == nil ? .medium : .low,
                (end.map { ["\($0) lets it go: whether that is always called is not known."] } ?? [])
                    + [
                        "That one \(type.name) is kept by the \(owner.name) it refers to is inferred from names and types."
                    ],
                nil, look)
        }
    }

    /// The property of `owner` that keeps objects of the type: one of that very type where the name leads back, and
    /// otherwise, for another class, one that changes and keeps them in whatever way.
    private func back(from property: Property, to owner: TypeInfo, of type: TypeInfo, _ module: Module) -> Property? {
        if BackReferenceName.leadsBack(property.variable.name) { return module.property(of: owner, holding: type) }
        guard property.variable.isLet, !module.lineage(of: owner).contains(where: { $0 === type }),
            !module.lineage(of: type).contains(where: { $0 === owner })
        else { return nil }
        return module.lineage(of: owner).lazy.flatMap(\.properties).first { candidate in
            guard candidate.isOwning, !candidate.variable.isLet,
                let declared = candidate.variable.type ?? module.madeType(candidate)
            else { return false }
            return module.keeps(declared, in: candidate.type, type, depth: 3)
                || demandsOwner(declared, in: candidate.type, type, owner, module)
        }
    }

    /// The class of the property; of a constant with a protocol the one class that conforms to it.
    private func owner(of property: Property, _ declared: TypeReference, in type: TypeInfo, _ module: Module)
        -> TypeInfo?
    {
        guard let found = module.type(of: declared, from: type.path) else { return nil }
        guard found.kind == .protocol, property.variable.isLet else { return found.isClass ? found : nil }
        let conformers = module.conformers(to: found)
        return conformers.count == 1 && conformers[0].isClass ? conformers[0] : nil
    }

    /// What is kept is a protocol's, of the type too, and the protocol demands that its objects are made with the owner:
    /// plugins that a host makes by their metatypes.
    private func demandsOwner(
        _ kept: TypeReference, in path: String, _ type: TypeInfo, _ owner: TypeInfo, _ module: Module
    ) -> Bool {
        let names = module.kept(by: kept, in: path)
        return module.lineage(of: type).contains { parent in
            parent.kind == .protocol && names.contains(parent.name)
                && parent.methods("init").contains { demanded in
                    demanded.function.parameters.contains { parameter in
                        guard let given = module.type(of: parameter.type, from: parent.path) else { return false }
                        return module.lineage(of: owner).contains { $0 === given }
                    }
                }
        }
    }

    static func report(
        _ rule: String, _ keeper: Keeper, owner: TypeInfo, through way: String, clearing field: String? = nil,
        _ confidence: StaticFinding.Confidence, _ unknowns: [String], _ place: FunctionPlace?, at position: Int? = nil,
        _ look: Look
    ) {
        // A property of another module is reported where it gets its value.
        let isOwn = look.module.isOwn(file: keeper.file)
        guard isOwn || place != nil else { return }
        let holder = NameTokens.last(of: keeper.type)
        let isLast = !isTree(owner, way, look.module) && !look.isKept(owner)
        look.report(
            Look.Suspicion(
                rule: rule, confidence: isLast ? min(confidence, .medium) : confidence,
                file: isOwn ? keeper.file : place?.file ?? keeper.file,
                position: isOwn ? keeper.position : position ?? keeper.position,
                message: "\(keeper.name) holds the \(owner.name) that keeps the \(holder) itself, in \(way).",
                fix: isLast ? clearing(field ?? way, of: owner, keeper) : weakening(keeper, look.module),
                unknowns: unknowns
                    + (isLast ? ["That something else holds the \(owner.name) while it is used was not seen."] : []),
                place: place, type: owner.path, field: keeper.field, holder: keeper.name))
    }

    /// A tree's nodes are kept by those above them.
    private static func isTree(_ owner: TypeInfo, _ way: String, _ module: Module) -> Bool {
        let first = NameTokens.prefix(of: way[...], before: ".", "[")
        guard let property = module.property(String(first), of: owner),
            let type = property.variable.type ?? module.madeType(property)
        else { return false }
        return module.kept(by: type, in: property.type).contains(owner.name)
    }

    private static func weakening(_ keeper: Keeper, _ module: Module) -> String {
        let isCollection = keeper.declared.map { module.resolve($0).isCollection } ?? false
        let isPayload = module.type(named: keeper.type)?.kind == .enum
        return isCollection || isPayload
            ? "keep it in \(keeper.name) by a struct with a weak variable, or take it out when it is done"
            : "make \(keeper.name) weak (weak var \(keeper.field)), or unowned if it can never outlive it"
    }

    /// Where the reference may be the last one, weak would free what is in use.
    private static func clearing(_ way: String, of owner: TypeInfo, _ keeper: Keeper) -> String {
        "clear \(owner.name).\(NameTokens.prefix(of: way[...], before: "[")) when the \(owner.name) is done with; make \(keeper.name) "
            + "weak only if something else holds the \(owner.name) for as long as it is used"
    }
}
