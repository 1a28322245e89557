/// Gives every lost object that is no defect itself to the one finding that keeps it alive.
enum Dependents {
    /// Findings claim what they hold in the order given, so the caller's order makes the attribution deterministic.
    /// Unowned references are followed only to what their deinitialised target left. Linear.
    static func attribute(_ findings: inout [HeapFinding], graph: HeapGraph) {
        let references = Adjacency(graph: graph) { edge in
            guard graph.object(edge.from).isLost, graph.object(edge.to).isLost else { return false }
            return edge.ownership.holds
                || (edge.ownership == .unowned && graph.object(edge.to).flags.contains(.deinited))
        }
        var claimed = [Bool](repeating: false, count: graph.objects.count)
        for finding in findings {
            for member in finding.members { claimed[Int(member)] = true }
        }
        for position in findings.indices {
            var open = findings[position].members
            var dependents: [Int32] = []
            while let vertex = open.popLast() {
                for slot in references.slots(of: Int(vertex)) {
                    let target = references.targets[slot]
                    guard !claimed[Int(target)] else { continue }
                    claimed[Int(target)] = true
                    dependents.append(target)
                    open.append(target)
                }
            }
            findings[position].dependents = dependents
        }
    }
}
