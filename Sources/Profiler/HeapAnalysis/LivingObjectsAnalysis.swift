/// Answers why objects live, for those that were asked for when the snapshot was taken.
struct LivingObjectsAnalysis {
    let snapshot: HeapSnapshot
    let graph: HeapGraph
    let roles: ObjectRoles
    let ways: HeldByBuilder

    /// In the order of what was asked; types with more objects first.
    func answers() -> [LivingObjects] {
        var result: [LivingObjects] = []
        let targets = snapshot.targets.filter { $0.cause != .growth }
        for target in targets where target.object.isNone { result.append(summary(of: target)) }
        for target in targets where !target.object.isNone {
            let object = Int32(target.object.index - 1)
            let way = ways.way(to: object, instances: Int(clamping: target.count), bytes: target.bytes)
            if target.cause == .address {
                result.append(single(target, object, way))
            } else if let way, let row = result.firstIndex(where: { isRow($0, for: target) }) {
                result[row].ways.append(way)
            }
        }
        for row in result.indices {
            result[row].ways.sort { ($1.instances, $0.root.name) < ($0.instances, $1.root.name) }
        }
        return result.sorted { ($0.asked, $1.instances, $0.type ?? "") < ($1.asked, $0.instances, $1.type ?? "") }
    }

    private func isRow(_ row: LivingObjects, for target: HeapTarget) -> Bool {
        row.asked == target.label && row.type == typeName(target.type)
    }

    private func typeName(_ type: TypeID) -> String? { graph.typeName(type) }

    private func summary(of target: HeapTarget) -> LivingObjects {
        let lost = target.cause == .type ? lostObjects(of: target) : 0
        let lostOnes = "\(Quantity.count(lost, "object")) \(lost == 1 ? "is" : "are") leaked"
        guard let type = typeName(target.type) else {
            let message =
                lost > 0
                ? "No object that something can reach has a type that matches \(target.label), but \(lostOnes): "
                    + "see the findings."
                : target.cause == .type
                    ? "No living object has a type that matches \(target.label)."
                    : "\(target.label.isEmpty ? "The object" : target.label) was deallocated."
            return LivingObjects(asked: target.label, message: message)
        }
        let count = Int(clamping: target.count)
        return LivingObjects(
            asked: target.label, type: type, instances: count, bytes: target.bytes,
            message: "\(Quantity.count(count, "object")) of \(TypeName.bare(type)) "
                + "\(count == 1 ? "lives" : "live")" + (lost > 0 ? ", and \(lostOnes): see the findings." : "."))
    }

    /// Objects that nothing can reach, of the type that was found for a pattern, or of any that matches it.
    private func lostObjects(of target: HeapTarget) -> Int {
        let type = typeName(target.type)
        var matches: [Int: Bool] = [:]
        return graph.objects.count { object in
            guard object.isLost, graph.types[object.type.index]?.kind == .classInstance else { return false }
            let number = object.type.index
            if let known = matches[number] { return known }
            let name = typeName(object.type) ?? ""
            let isAsked = type.map { $0 == name } ?? TypeName.matches(name, GlobPattern(target.label))
            matches[number] = isAsked
            return isAsked
        }
    }

    private func single(_ target: HeapTarget, _ object: Int32, _ way: HeldBy?) -> LivingObjects {
        let type = roles.typeName(object)
        let name = target.label.isEmpty ? TypeName.bare(type) : target.label
        let isLost = graph.object(object).isLost
        var result = LivingObjects(
            asked: target.label, type: type, instances: 1, bytes: target.bytes,
            message: isLost
                ? "\(name) was not deallocated although nothing can reach it: it is leaked." : "\(name) lives.")
        if let way, !isLost { result.ways = [way] }
        return result
    }
}
