/// Cycles among living objects that nothing of the user's owns: only a closure or a task keeps them alive. A doubly
/// linked list, a tree with parents or a delegate in use is a reachable cycle too and no defect, so this says little.
struct ReachableCycles {
    let graph: HeapGraph
    let roles: ObjectRoles
    /// References that hold, between objects that roots reach.
    let strong: Adjacency
    let components: Components
    private let ways: HeldByBuilder

    init(graph: HeapGraph, roles: ObjectRoles, ways: HeldByBuilder) {
        self.graph = graph
        self.ways = ways
        self.roles = roles
        strong = Adjacency(graph: graph) { edge in
            edge.ownership == .strong && !graph.object(edge.from).isLost && !graph.object(edge.to).isLost
        }
        components = Components(strong)
    }

    /// Components with an object of the user, which are entered from outside only through a closure context, a task or
    /// a library's object: no variable and no object of the user's names one of the user's in it.
    func findings() -> [HeapFinding] {
        let entries = entries()
        var holders = [UInt32](repeating: 0, count: graph.objects.count)
        for edge in graph.edges where edge.ownership == .strong { holders[Int(edge.to)] += 1 }
        var result: [HeapFinding] = []
        for (number, members) in components.members().enumerated() where members.count > 1 {
            guard let entered = entries[Int32(number)], !entered.isEmpty,
                entered.allSatisfy({ isNobodys(roles[$0]) }),
                members.contains(where: { roles[$0] == .user }), members.allSatisfy({ isFullyExplained($0, holders) })
            else { continue }
            var finding = HeapFinding(kind: .reachableCycle, members: Array(members))
            finding.heldBy = ways.names(toNearestOf: entered.sorted())
            result.append(finding)
        }
        return result
    }

    /// Held by the runtime or a library on behalf of a closure: a context, a task, a timer, an observation.
    private func isNobodys(_ role: ObjectRole) -> Bool { role == .closure || role == .task || role == .library }

    /// The snapshot lists every reference that retains the object: none of the user's can be missing.
    private func isFullyExplained(_ member: Int32, _ holders: [UInt32]) -> Bool {
        let object = graph.object(member)
        return roles[member] != .user
            || (!object.flags.contains(.countUnsure) && object.strong <= holders[Int(member)])
    }

    /// The members of each component that something outside holds: a root, or another living object.
    private func entries() -> [Int32: Set<Int32>] {
        var result: [Int32: Set<Int32>] = [:]
        for root in graph.roots where root.object.index > 0 && root.object.index <= graph.objects.count {
            let object = Int32(root.object.index - 1)
            result[components.of[Int(object)], default: []].insert(object)
        }
        for edge in graph.edges where edge.ownership.holds && !graph.object(edge.from).isLost {
            let target = components.of[Int(edge.to)]
            if components.of[Int(edge.from)] != target { result[target, default: []].insert(edge.to) }
        }
        return result
    }
}
