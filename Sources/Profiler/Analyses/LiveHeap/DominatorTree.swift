/// A graph of numbered nodes with one from which all paths begin.
protocol RootedGraph {
    /// How many there are.
    var nodes: Int { get }
    var entry: UInt32 { get }
    /// Positions of the references of a node.
    func references(of node: UInt32) -> Range<Int>
    /// What a reference leads to; nil: it does not count.
    func target(_ reference: Int) -> UInt32?
}

/// The dominators of a graph with one entry: node d dominates node n when every path from the entry to n contains d.
///
/// SEMI-NCA (Georgiadis, 2005): semidominators as in Lengauer and Tarjan with path compression, then immediate dominators
/// as nearest common ancestors. Exact. Nodes are 32-bit numbers; memory while building: 36 bytes a node and 4 an edge.
struct DominatorTree {
    /// Nodes that the entry reaches, each in front of all that it dominates, which stand together; the entry is the first.
    let preorder: [UInt32]
    /// By node: its immediate dominator; `none` for the entry and for nodes that it does not reach.
    let parent: [UInt32]
    /// By node: its place in `preorder`, and the place of the last node that it dominates; `none`: the entry does not reach it.
    private let places: [UInt32]
    private let lasts: [UInt32]

    static let none = UInt32.max

    init(_ graph: some RootedGraph) {
        let search = DepthFirstSearch(graph)
        let dominators = search.dominators(graph)
        var parent = [UInt32](repeating: Self.none, count: graph.nodes)
        var sizes = [UInt32](repeating: 1, count: dominators.count)
        for w in stride(from: dominators.count - 1, through: 1, by: -1) {
            parent[Int(search.preorder[w])] = search.preorder[Int(dominators[w])]
            sizes[Int(dominators[w])] += sizes[w]
        }
        var (places, lasts) = (parent, parent)
        (places[Int(graph.entry)], lasts[Int(graph.entry)]) = (0, 0)
        var order = search.preorder
        for w in 1..<max(dominators.count, 1) {
            let (node, above) = (Int(search.preorder[w]), Int(parent[Int(search.preorder[w])]))
            // Until then the last place that is taken.
            places[node] = lasts[above] + 1
            lasts[above] += sizes[w]
            lasts[node] = places[node]
            order[Int(places[node])] = UInt32(node)
        }
        (preorder, self.parent, self.places, self.lasts) = (order, parent, places, lasts)
    }

    /// Sums of `weights` over each node and all that it dominates; 0 for nodes that the entry does not reach.
    func retained(_ weights: [UInt64]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: parent.count)
        for node in preorder.reversed() {
            if node < weights.count { result[Int(node)] &+= weights[Int(node)] }
            if parent[Int(node)] != Self.none { result[Int(parent[Int(node)])] &+= result[Int(node)] }
        }
        return result
    }

    /// Nodes in the order of the tree: those that a node dominates stand behind it, together.
    func position(of node: UInt32) -> UInt32 { places[Int(node)] }

    /// Positions of the node and of all that it dominates.
    func range(of node: UInt32) -> ClosedRange<UInt32> { places[Int(node)]...lasts[Int(node)] }

    /// A node dominates itself.
    func dominates(_ node: UInt32, _ other: UInt32) -> Bool {
        places[Int(node)] <= places[Int(other)] && lasts[Int(other)] <= lasts[Int(node)]
    }

    /// What a node dominates directly.
    func children(of node: UInt32) -> some Sequence<UInt32> {
        let last = lasts[Int(node)]
        return sequence(state: places[Int(node)]) { place -> UInt32? in
            guard place < last else { return nil }
            let child = preorder[Int(place) + 1]
            place = lasts[Int(child)]
            return child
        }
    }
}

/// Semidominators by preorder number, found from the highest number down.
private struct Semidominators {
    private struct Node {
        /// The node's semidominator, once it was found; until then itself.
        var semidominator: UInt32
        /// The node of least semidominator on the compressed path up to `ancestor`.
        var label: UInt32
        var ancestor: UInt32
    }

    private var nodes: [Node]
    private let parents: [UInt32]
    private var path: [UInt32] = []

    init(parents: [UInt32]) {
        self.parents = parents
        nodes = parents.indices.map { Node(semidominator: UInt32($0), label: UInt32($0), ancestor: parents[$0]) }
    }

    subscript(_ w: Int) -> UInt32 { nodes[w].semidominator }

    mutating func find(of w: Int, predecessors: Slice<UnsafeBufferPointer<UInt32>>) {
        var least = parents[w]
        nodes.withUnsafeMutableBufferPointer { nodes in
            for v in predecessors {
                let candidate = v <= UInt32(w) ? v : Self.least(above: v, upTo: UInt32(w), nodes, &path)
                least = min(least, candidate)
            }
            nodes[w].semidominator = least
        }
    }

    /// The least semidominator on the tree path from `v` up to the nodes whose own are not known yet, those up to `w`.
    private static func least(
        above v: UInt32, upTo w: UInt32, _ nodes: UnsafeMutableBufferPointer<Node>, _ path: inout [UInt32]
    ) -> UInt32 {
        path.removeAll(keepingCapacity: true)
        var node = v
        while nodes[Int(node)].ancestor > w {
            path.append(node)
            node = nodes[Int(node)].ancestor
        }
        var best = nodes[Int(node)].label
        let root = nodes[Int(node)].ancestor
        for node in path.reversed() {
            let label = nodes[Int(node)].label
            if nodes[Int(label)].semidominator > nodes[Int(best)].semidominator {
                nodes[Int(node)].label = best
            } else {
                best = label
            }
            nodes[Int(node)].ancestor = root
        }
        return nodes[Int(best)].semidominator
    }
}

/// Preorder numbers of a depth-first search without recursion.
private struct DepthFirstSearch {
    /// Node by number.
    var preorder: [UInt32]
    /// Number by node; `DominatorTree.none`: not reached.
    private var number: [UInt32]
    /// By number: the number of the node from which it was reached first.
    private var parent: [UInt32] = [0]

    init(_ graph: some RootedGraph) {
        preorder = [graph.entry]
        number = [UInt32](repeating: DominatorTree.none, count: graph.nodes)
        number[Int(graph.entry)] = 0
        // By number: references that were followed. The way back is that of the parents.
        var followed: [UInt32] = [0]
        var current = 0
        while true {
            let references = graph.references(of: preorder[current])
            var next = references.lowerBound + Int(followed[current])
            var found: UInt32?
            while next < references.upperBound, found == nil {
                if let target = graph.target(next), number[Int(target)] == DominatorTree.none { found = target }
                next += 1
            }
            followed[current] = UInt32(next - references.lowerBound)
            if let found {
                number[Int(found)] = UInt32(preorder.count)
                preorder.append(found)
                parent.append(UInt32(current))
                followed.append(0)
                current = preorder.count - 1
            } else if current > 0 {
                current = Int(parent[current])
            } else {
                return
            }
        }
    }

    /// By number: the number of the immediate dominator.
    func dominators(_ graph: some RootedGraph) -> [UInt32] {
        let count = preorder.count
        let predecessors = predecessors(graph)
        var semidominators = Semidominators(parents: parent)
        predecessors.items.withUnsafeBufferPointer { items in
            for w in stride(from: count - 1, through: 1, by: -1) {
                let own = Int(predecessors.rows[w])..<Int(predecessors.rows[w + 1])
                semidominators.find(of: w, predecessors: items[own])
            }
        }
        // The nearest common ancestor of w's parent and its semidominator, top down.
        var dominators = parent
        dominators.withUnsafeMutableBufferPointer { dominators in
            for w in 1..<max(count, 1) {
                var dominator = dominators[w]
                let semidominator = semidominators[w]
                while dominator > semidominator { dominator = dominators[Int(dominator)] }
                dominators[w] = dominator
            }
        }
        return dominators
    }

    /// By number, the numbers of the nodes that refer to it, one after the other.
    private func predecessors(_ graph: some RootedGraph) -> (rows: [UInt32], items: [UInt32]) {
        var starts = [UInt32](repeating: 0, count: preorder.count + 2)
        for node in preorder {
            for reference in graph.references(of: node) {
                if let target = graph.target(reference) { starts[Int(number[Int(target)]) + 2] += 1 }
            }
        }
        for i in 2..<starts.count { starts[i] += starts[i - 1] }
        var items = [UInt32](repeating: 0, count: Int(starts[starts.count - 1]))
        for (from, node) in preorder.enumerated() {
            for reference in graph.references(of: node) {
                guard let target = graph.target(reference) else { continue }
                let to = Int(number[Int(target)]) + 1
                items[Int(starts[to])] = UInt32(from)
                starts[to] += 1
            }
        }
        starts.removeLast()
        return (starts, items)
    }
}
