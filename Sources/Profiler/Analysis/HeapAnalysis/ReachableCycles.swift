import GameprofBasics
import GameprofTrace

/// Cycles among living objects that nothing of the user's owns: only a closure or a task keeps them alive. A doubly
/// linked list, a tree with parents or a delegate in use is a reachable cycle too and no defect, so this says little.
struct ReachableCycles {
    let graph: HeapGraph
    let roles: ObjectRoles
    /// References that hold, between objects that roots reach.
    let strong: Adjacency
    let components: Components
    private let ways: RetainingPathsBuilder

    init(graph: HeapGraph, roles: ObjectRoles, ways: RetainingPathsBuilder) {
        self.graph = graph
        self.ways = ways
        self.roles = roles
        strong = Adjacency(graph: graph) { edge in
            !graph.object(edge.from).isLost && !graph.object(edge.to).isLost
                && (edge.ownership.holds || edge.isHandle(in: graph))
        }
        components = Components(strong)
    }

    /// Components with an object of the user, which only a pointer without a retain names from outside, or which are entered from outside only through a closure context, a task or
    /// a library's object: no variable and no object of the user's names one of the user's in it.
    func findings() -> [HeapFinding] {
        let entries = entries()
        let holders = Holders(graph)
        var result: [HeapFinding] = []
        for (number, members) in components.members().enumerated() {
            if let finding = heldByPointer(members, entries[Int32(number)] ?? []) {
                result.append(finding)
                continue
            }
            guard members.count > 1, let entered = entries[Int32(number)], !entered.isEmpty,
                entered.allSatisfy({ isNobodys(roles[$0]) }),
                members.contains(where: { roles[$0] == .user }),
                members.allSatisfy({ isFullyExplained($0, holders) })
            else { continue }
            var finding = HeapFinding(kind: .reachableCycle, members: Array(members))
            finding.heldBy = ways.names(toNearestOf: entered.sorted())
            result.append(finding)
        }
        return result
    }

    /// An operation that keeps itself alive while memory of C names it, or a lost cycle whose pointer was left there: only
    /// the program knows which.
    private func heldByPointer(_ members: some Sequence<Int32>, _ entered: Set<Int32>) -> HeapFinding? {
        guard members.contains(where: { graph.object($0).flags.contains(.heldByPointer) }),
            members.contains(where: { roles[$0] == .user })
        else { return nil }
        var finding = HeapFinding(kind: .reachableCycle, members: Array(members))
        finding.heldBy = ways.names(toNearestOf: entered.isEmpty ? finding.members : entered.sorted())
        finding.isHeldByPointer = true
        return finding
    }

    /// Held by the runtime or a library on behalf of a closure: a context, a task, a timer, an observation; or memory of
    /// theirs.
    private func isNobodys(_ role: ObjectRole) -> Bool { role != .user && role != .storage && role != .box }

    /// The snapshot lists every reference that retains the object: none of the user's can be missing.
    private func isFullyExplained(_ member: Int32, _ holders: Holders) -> Bool {
        let object = graph.object(member)
        guard roles[member] == .user || roles[member] == .closure else { return true }
        let known = holders.known[Int(member)]
        let guessed = holders.guessed[Int(member)]
        if guessed == 0 { return !object.flags.contains(.countUnsure) && object.strong <= known }
        // A word without a type (a task's slot) may own it: then no root may name it.
        return object.strong <= known || (!holders.named[Int(member)] && object.strong <= known + guessed)
    }

    /// The members of each component that something outside holds: a global variable, or another living object. A word of
    /// a stack owns nothing where the counts are explained without it.
    private func entries() -> [Int32: Set<Int32>] {
        var result: [Int32: Set<Int32>] = [:]
        for root in graph.roots where root.object.index > 0 && root.object.index <= graph.objects.count {
            let object = Int32(root.object.index - 1)
            if root.kind.isPassing && roles[object] == .user { continue }
            result[components.of[Int(object)], default: []].insert(object)
        }
        for edge in graph.edges
        where (edge.ownership.holds || edge.isHandle(in: graph)) && !graph.object(edge.from).isLost {
            let target = components.of[Int(edge.to)]
            if components.of[Int(edge.from)] != target { result[target, default: []].insert(edge.to) }
        }
        return result
    }

    /// How many of the listed references hold each object.
    private struct Holders {
        /// With a type that says that they own.
        var known: [UInt32]
        /// Words of memory without a type.
        var guessed: [UInt32]
        /// A root names the object.
        var named: [Bool]

        init(_ graph: HeapGraph) {
            known = [UInt32](repeating: 0, count: graph.objects.count)
            guessed = known
            named = [Bool](repeating: false, count: graph.objects.count)
            for edge in graph.edges {
                if edge.ownership == .strong { known[Int(edge.to)] += 1 }
                if edge.ownership == .conservative { guessed[Int(edge.to)] += 1 }
            }
            for root in graph.roots where root.object.index <= graph.objects.count && root.object.index > 0 {
                named[root.object.index - 1] = true
            }
        }
    }
}

extension HeapGraph.Edge {
    /// A typed pointer to memory without a count, the only owner that such memory has.
    func isHandle(in graph: HeapGraph) -> Bool {
        ownership == .unmanaged && !graph.object(to).flags.contains(.swift)
    }
}
