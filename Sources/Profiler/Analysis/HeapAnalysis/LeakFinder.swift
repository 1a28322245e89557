import GameprofBasics
import GameprofTrace

/// Finds the defects among the objects that nothing can reach: cycles, and what nothing refers to although it lives.
struct LeakFinder {
    let graph: HeapGraph
    let roles: ObjectRoles
    /// References that hold, between lost objects.
    let strong: Adjacency
    let components: Components
    let waits: TaskWaits
    private let isExplained: [Bool]

    init(graph: HeapGraph, roles: ObjectRoles) {
        self.graph = graph
        self.roles = roles
        let (isExplained, waits) = (Self.explained(graph), TaskWaits(graph: graph, roles: roles))
        strong = Adjacency(graph: graph) { edge in
            graph.object(edge.from).isLost && graph.object(edge.to).isLost
                && Self.mayHold(edge, where: isExplained) && !waits.isStray(edge)
        }
        components = Components(strong)
        (self.isExplained, self.waits) = (isExplained, waits)
    }

    func mayHold(_ edge: HeapGraph.Edge) -> Bool { Self.mayHold(edge, where: isExplained) && !waits.isStray(edge) }

    private static func mayHold(_ edge: HeapGraph.Edge, where isExplained: [Bool]) -> Bool {
        edge.ownership == .strong || edge.ownership == .conservative && !isExplained[Int(edge.to)]
    }

    /// Whether an object's strong references are as many as its retains: a word that may name it, too, owns nothing.
    private static func explained(_ graph: HeapGraph) -> [Bool] {
        var holders = [UInt32](repeating: 0, count: graph.objects.count)
        for edge in graph.edges where edge.ownership == .strong { holders[Int(edge.to)] += 1 }
        return graph.objects.indices.map { index in
            let object = graph.objects[index]
            return object.flags.contains(.swift) && !object.flags.contains(.countUnsure)
                && object.strong > 0 && object.strong <= holders[index]
        }
    }

    /// One finding per nontrivial component and per object that no other holds. Linear.
    func findings() -> [HeapFinding] {
        var holders = [UInt32](repeating: 0, count: graph.objects.count)
        var unsure = [Bool](repeating: false, count: graph.objects.count)
        var selfHeld = Set<Int32>()
        for edge in graph.edges where edge.ownership.holds {
            if edge.ownership == .strong { holders[Int(edge.to)] += 1 } else { unsure[Int(edge.to)] = true }
            if edge.from == edge.to, !roles.isTaskItself(edge) { selfHeld.insert(edge.from) }
        }
        var held = [Bool](repeating: false, count: components.count)
        for vertex in 0..<strong.vertexCount {
            for slot in strong.slots(of: vertex) {
                let target = components.of[Int(strong.targets[slot])]
                if target != components.of[vertex] { held[Int(target)] = true }
            }
        }

        var result: [HeapFinding] = []
        for (number, members) in components.members().enumerated() {
            guard let first = members.first, graph.object(first).isLost else { continue }
            let isCycle = members.count > 1 || selfHeld.contains(first)
            if isCycle, let task = members.first(where: { roles[$0] == .task }), isIdle(members) {
                guard !held[number] else { continue }
                result.append(HeapFinding(kind: .leak, members: [task] + members.filter { $0 != task }))
            } else if isCycle, members.contains(where: { roles[$0] != .raw }) {
                let excess = members.reduce(into: UInt32(0)) {
                    $0.add(clamping: excessRetains(of: $1, holders[Int($1)], unsure[Int($1)]))
                }
                result.append(HeapFinding(kind: .retainCycle, members: Array(members), excessRetains: excess))
            } else if let finding = single(
                first, isHeld: held[number], holders: holders[Int(first)], isUnsure: unsure[Int(first)])
            {
                result.append(finding)
            }
        }
        return result
    }

    /// Nothing but tasks and what belongs to them: they wait for each other, or for what is lost.
    private func isIdle(_ members: some Sequence<Int32>) -> Bool {
        members.allSatisfy { roles[$0] != .user && roles[$0] != .library }
    }

    /// Retains that no reference accounts for; 0 where counts cannot be compared.
    private func excessRetains(of member: Int32, _ holders: UInt32, _ isUnsure: Bool) -> UInt32 {
        let object = graph.object(member)
        let isSure = !isUnsure && !object.flags.contains(.countUnsure) && object.flags.contains(.swift)
        return isSure && object.strong > holders ? object.strong - holders : 0
    }

    private func single(
        _ member: Int32, isHeld: Bool, holders: UInt32, isUnsure: Bool
    ) -> HeapFinding? {
        let object = graph.object(member)
        // What stays of a deinitialised object belongs to its unowned references, or to a thread just destroying it.
        guard !object.flags.contains(.deinited) else { return nil }
        guard roles[member] != .raw else {
            return isHeld ? nil : HeapFinding(kind: .rawLeak, members: [member])
        }
        let excess = excessRetains(of: member, holders, isUnsure)
        if isHeld {
            return excess > 0
                ? HeapFinding(kind: .overRetain, members: [member], excessRetains: excess) : nil
        }
        if excess > 1 {
            return HeapFinding(kind: .overRetain, members: [member], excessRetains: excess)
        }
        return HeapFinding(kind: .leak, members: [member], excessRetains: excess)
    }
}
