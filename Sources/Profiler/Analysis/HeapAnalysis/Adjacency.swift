import GameprofBasics

/// The outgoing references of each object, packed: `targets[offsets[v]..<offsets[v + 1]]`.
struct Adjacency: Sendable, SlottedGraph {
    private(set) var offsets: [Int32]
    private(set) var targets: [Int32]
    /// The position in the graph's `edges` that each target came from.
    private(set) var edges: [Int32]

    /// Keeps the references that `include` accepts. Linear in objects and references.
    init(graph: HeapGraph, include: (HeapGraph.Edge) -> Bool) {
        let count = graph.objects.count
        var offsets = [Int32](repeating: 0, count: count + 1)
        var kept = [Int32]()
        for (position, edge) in graph.edges.enumerated() where include(edge) {
            offsets[Int(edge.from) + 1] += 1
            kept.append(Int32(position))
        }
        for vertex in 0..<count { offsets[vertex + 1] += offsets[vertex] }
        var next = offsets
        var targets = [Int32](repeating: 0, count: kept.count)
        var edges = targets
        for position in kept {
            let edge = graph.edges[Int(position)]
            let slot = Int(next[Int(edge.from)])
            next[Int(edge.from)] += 1
            targets[slot] = edge.to
            edges[slot] = position
        }
        self.offsets = offsets
        self.targets = targets
        self.edges = edges
    }

    var vertexCount: Int { offsets.count - 1 }

    /// The slots of `targets` and `edges` that belong to `vertex`.
    func slots(of vertex: Int) -> Range<Int> { Int(offsets[vertex])..<Int(offsets[vertex + 1]) }

    func target(_ slot: Int, of vertex: Int) -> Int { Int(targets[slot]) }
}
