import GameprofBasics
import GameprofTrace

/// Answers why objects live, for those that were asked for when the snapshot was taken.
struct LiveObjectsAnalysis {
    let snapshot: HeapSnapshot
    let graph: HeapGraph
    let roles: ObjectRoles
    let ways: RetainingPathsBuilder

    /// In the order of what was asked; types with more objects first.
    func answers() -> [AnalyzedObjects] {
        var result: [AnalyzedObjects] = []
        let targets = snapshot.targets.filter { $0.cause == .type || $0.cause == .address }
        for target in targets where target.object.isNone { result.append(summary(of: target)) }
        for target in targets where !target.object.isNone {
            let object = Int32(target.object.index - 1)
            let way = ways.way(to: object, instances: Int(clamping: target.count), bytes: target.bytes)
            if target.cause == .address {
                result.append(single(target, object, way))
            } else if let way, let row = result.firstIndex(where: { isRow($0.facts, for: target) }) {
                result[row].facts.ways.append(way)
            }
        }
        for row in result.indices {
            result[row].facts.ways.sort { ($1.instances, $0.root.name) < ($0.instances, $1.root.name) }
        }
        return result.sorted { left, right in
            (left.facts.asked, right.facts.instances, left.facts.type ?? "")
                < (right.facts.asked, left.facts.instances, right.facts.type ?? "")
        }
    }

    private func isRow(_ row: LiveObjects, for target: HeapTarget) -> Bool {
        row.asked == target.label && row.type == typeName(target.type)
    }

    private func typeName(_ type: TypeID) -> String? { graph.typeName(type) }

    private func summary(of target: HeapTarget) -> AnalyzedObjects {
        let leaked = target.cause == .type ? lostObjects(of: target) : 0
        guard let type = typeName(target.type) else {
            return AnalyzedObjects(
                LiveObjects(asked: target.label),
                answer: target.cause == .type ? .noneLives(leaked: leaked) : .deallocated)
        }
        return AnalyzedObjects(
            LiveObjects(
                asked: target.label, type: type, instances: Int(clamping: target.count), bytes: target.bytes),
            answer: .live(leaked: leaked))
    }

    /// Objects that nothing can reach, of the type that was found for a pattern, or of any that matches it.
    private func lostObjects(of target: HeapTarget) -> Int {
        let asked = typeName(target.type)
        var matches: [Int: Bool] = [:]
        func isAsked(_ type: TypeID) -> Bool {
            if let known = matches[type.index] { return known }
            let name = typeName(type) ?? ""
            let isClass = graph.record(of: type)?.kind == .classInstance
            let isAsked =
                isClass && (asked.map { $0 == name } ?? TypeName.matches(name, GlobPattern(target.label)))
            matches[type.index] = isAsked
            return isAsked
        }
        // Of very many the objects are a sample.
        guard snapshot.lost.isEmpty else {
            var count: UInt64 = 0
            for row in snapshot.lost where isAsked(row.type) { count.add(clamping: row.count) }
            return Int(clamping: count)
        }
        return graph.objects.count { $0.isLost && isAsked($0.type) }
    }

    private func single(_ target: HeapTarget, _ object: Int32, _ way: HeldBy?) -> AnalyzedObjects {
        let isLost = graph.object(object).isLost
        var facts = LiveObjects(
            asked: target.label, type: roles.typeName(object), instances: 1, bytes: target.bytes)
        if let way, !isLost { facts.ways = [way] }
        return AnalyzedObjects(facts, answer: isLost ? .isLeaked : .lives)
    }
}
