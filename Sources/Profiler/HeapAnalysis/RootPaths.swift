/// The shortest ways from the roots to living objects.
struct RootPaths {
    private let graph: HeapGraph
    private let roles: ObjectRoles
    /// The reference by which each object was first reached; −1: a root names it; −2: not reached.
    private var cameBy: [Int32]
    private var rootOf: [Int32: HeapRoot] = [:]

    /// Breadth first from all roots at once. Linear.
    init(graph: HeapGraph, roles: ObjectRoles) {
        self.graph = graph
        self.roles = roles
        cameBy = [Int32](repeating: -2, count: graph.objects.count)
        let references = Adjacency(graph: graph) { $0.ownership.holds }
        var frontier: [Int32] = []
        for root in graph.roots where root.object.index > 0 && root.object.index <= graph.objects.count {
            let object = Int32(root.object.index - 1)
            guard cameBy[Int(object)] == -2 else { continue }
            cameBy[Int(object)] = -1
            rootOf[object] = root
            frontier.append(object)
        }
        while !frontier.isEmpty {
            var next: [Int32] = []
            for vertex in frontier {
                for slot in references.slots(of: Int(vertex)) {
                    let target = references.targets[slot]
                    guard cameBy[Int(target)] == -2 else { continue }
                    cameBy[Int(target)] = references.edges[slot]
                    next.append(target)
                }
            }
            frontier = next
        }
    }

    /// What keeps the nearest of `members` alive: the root, then the objects on the way without storage; empty when the
    /// snapshot does not list the way.
    func names(to members: [Int32]) -> [String] {
        let ways = members.filter { cameBy[Int($0)] != -2 }.map(way)
        guard let shortest = ways.min(by: { $0.count < $1.count }), let start = shortest.first,
            let root = rootOf[start]
        else { return [] }
        let objects = shortest.filter { roles[$0] != .storage && roles[$0] != .box && roles[$0] != .raw }
        return [Self.name(of: root)] + objects.map { TypeName.bare(roles.typeName($0)) }
    }

    private func way(to member: Int32) -> [Int32] {
        var result = [member]
        while let last = result.last, cameBy[Int(last)] >= 0 {
            result.append(graph.edges[Int(cameBy[Int(last)])].from)
        }
        return result.reversed()
    }

    private static func name(of root: HeapRoot) -> String {
        if !root.label.isEmpty { return root.label }
        switch root.kind {
        case .global: return "a global variable"
        case .stack: return "a local variable"
        case .register: return "a register"
        case .threadLocal: return "a thread-local variable"
        case .runtime: return "the runtime"
        }
    }
}
