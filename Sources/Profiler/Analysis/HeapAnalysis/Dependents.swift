import GameprofTrace

/// Gives every lost object that is no defect itself to the one finding that keeps it alive.
enum Dependents {
    /// Findings claim what they hold in the order given, so the caller's order makes the attribution deterministic. A cycle
    /// of a library's own objects that hangs off another finding is no defect of its own: it goes with that one.
    /// Unowned references are followed only to what their deinitialised target left. Linear.
    static func attribute(
        _ findings: inout [HeapFinding], graph: HeapGraph, isStray: (HeapGraph.Edge) -> Bool = { _ in false }
    ) {
        let references = Adjacency(graph: graph) { edge in
            guard graph.object(edge.from).isLost, graph.object(edge.to).isLost else { return false }
            return edge.ownership.holds && !isStray(edge)
                || (edge.ownership == .unowned && graph.object(edge.to).flags.contains(.deinited))
        }
        let isLibrarys = findings.map { $0.tiedBy == .libraryWithoutUser }
        let own = findings.indices.filter { !isLibrarys[$0] }
        var claimed = [Bool](repeating: false, count: graph.objects.count)
        for position in own { claim(findings[position].members, &claimed) }
        var folded: Set<Int> = []
        for position in own + findings.indices.filter({ isLibrarys[$0] }) {
            if isLibrarys[position] {
                if findings[position].members.contains(where: { claimed[Int($0)] }) {
                    folded.insert(position)
                    continue
                }
                claim(findings[position].members, &claimed)
            }
            findings[position].dependents = reach(from: findings[position].members, references, &claimed)
        }
        findings = findings.indices.filter { !folded.contains($0) }.map { findings[$0] }
    }

    private static func claim(_ members: [Int32], _ claimed: inout [Bool]) {
        for member in members { claimed[Int(member)] = true }
    }

    /// The nearest first.
    private static func reach(
        from members: [Int32], _ references: Adjacency, _ claimed: inout [Bool]
    ) -> [Int32] {
        var queue = members
        var next = 0
        while next < queue.count {
            for slot in references.slots(of: Int(queue[next])) {
                let target = references.targets[slot]
                guard !claimed[Int(target)] else { continue }
                claimed[Int(target)] = true
                queue.append(target)
            }
            next += 1
        }
        return Array(queue.dropFirst(members.count))
    }
}
