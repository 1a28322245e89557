import GameprofTrace

/// The shortest ways from the roots to living objects, as the recorder found them: what stays (globals, mapped memory)
/// goes before stacks and registers, whose words may be stale; unmanaged references come last.
struct RootPaths {
    private let graph: HeapGraph
    /// The reference by which each object was first reached; −1: a root names it; −2: not reached.
    private var cameBy: [Int32]
    /// References on the path to each object.
    private var depths: [Int32]
    private var rootOf: [Int32: HeapRoot] = [:]

    /// Breadth first from all roots at once. Linear.
    ///
    /// `isLibcs`: whether a root is a variable of libc's own, whose buffers show what their last owners left.
    init(graph: HeapGraph, isLibcs: (HeapRoot) -> Bool = { _ in false }) {
        self.graph = graph
        cameBy = [Int32](repeating: -2, count: graph.objects.count)
        depths = [Int32](repeating: 0, count: graph.objects.count)
        let owning = Adjacency(graph: graph) { $0.ownership.holds || $0.isHandle(in: graph) }
        let libcs = graph.roots.map(isLibcs)
        let others = zip(graph.roots, libcs).filter { !$1 }.map(\.0)
        var reached = follow(owning, from: start(at: others.filter { !$0.kind.isPassing }))
        reached += follow(owning, from: start(at: others.filter { $0.kind.isPassing }))
        reached += follow(owning, from: start(at: zip(graph.roots, libcs).filter { $1 }.map(\.0)))
        let all = Adjacency(graph: graph) { $0.ownership.holds || $0.ownership == .unmanaged }
        _ = follow(all, from: reached)
    }

    private mutating func start(at roots: [HeapRoot]) -> [Int32] {
        var result: [Int32] = []
        for root in roots where root.object.index > 0 && root.object.index <= graph.objects.count {
            let object = Int32(root.object.index - 1)
            guard cameBy[Int(object)] == -2 else { continue }
            cameBy[Int(object)] = -1
            rootOf[object] = root
            result.append(object)
        }
        return result
    }

    private mutating func follow(_ references: Adjacency, from start: [Int32]) -> [Int32] {
        var queue = start
        var next = 0
        while next < queue.count {
            for slot in references.slots(of: Int(queue[next])) {
                let target = references.targets[slot]
                guard cameBy[Int(target)] == -2 else { continue }
                cameBy[Int(target)] = references.edges[slot]
                depths[Int(target)] = depths[Int(queue[next])] + 1
                queue.append(target)
            }
            next += 1
        }
        return queue
    }

    /// The root and the references that lead from the object it names to `member`; nil when the snapshot does not list
    /// the way.
    func way(to member: Int32) -> (root: HeapRoot, edges: [Int32])? {
        guard cameBy[Int(member)] != -2 else { return nil }
        var edges: [Int32] = []
        var object = member
        while cameBy[Int(object)] >= 0 {
            edges.append(cameBy[Int(object)])
            object = graph.edges[Int(cameBy[Int(object)])].from
        }
        return rootOf[object].map { ($0, edges.reversed()) }
    }

    /// The way to the nearest of `members`. Linear in their number and in the length of that way.
    func way(toNearestOf members: [Int32]) -> (root: HeapRoot, edges: [Int32])? {
        members.filter { cameBy[Int($0)] != -2 }.min { depths[Int($0)] < depths[Int($1)] }.flatMap(way)
    }
}

extension HeapRoot.Kind {
    /// The word may be stale, or belong to a function that only borrows the object.
    var isPassing: Bool { self == .stack || self == .register || self == .threadLocal }
}
