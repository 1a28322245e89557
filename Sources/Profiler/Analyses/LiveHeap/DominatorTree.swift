/// The dominators of a graph with one entry: node d dominates node n when every path from the entry to n contains d.
///
/// SEMI-NCA (Georgiadis, 2005): semidominators as in Lengauer and Tarjan with path compression, then immediate dominators
/// as nearest common ancestors. Exact. Nodes are 32-bit numbers; memory while building: 40 bytes a node and 4 an edge.
struct DominatorTree {
    /// Nodes that the entry reaches in preorder of a depth-first search; the entry is the first.
    let preorder: [UInt32]
    /// By node: its immediate dominator; `none` for the entry and for nodes that it does not reach.
    let parent: [UInt32]

    static let none = UInt32.max

    /// - Parameters:
    ///   - rows: `rows[n]..<rows[n + 1]` are the positions of the edges of node n in `targets`.
    ///   - entry: the node from which all paths begin.
    init(rows: [Int], targets: [UInt32], entry: UInt32) {
        let search = DepthFirstSearch(rows: rows, targets: targets, entry: entry)
        let count = search.preorder.count
        let predecessors = search.predecessors(rows: rows, targets: targets)
        var dominators = search.parent
        var semidominators = Semidominators(parents: search.parent)
        predecessors.items.withUnsafeBufferPointer { items in
            for w in stride(from: count - 1, through: 1, by: -1) {
                semidominators.find(of: w, predecessors: items[predecessors.rows[w]..<predecessors.rows[w + 1]])
            }
        }
        // The nearest common ancestor of w's parent and its semidominator, top down.
        dominators.withUnsafeMutableBufferPointer { dominators in
            for w in 1..<max(count, 1) {
                var dominator = dominators[w]
                let semidominator = semidominators[w]
                while dominator > semidominator { dominator = dominators[Int(dominator)] }
                dominators[w] = dominator
            }
        }
        var parent = [UInt32](repeating: Self.none, count: rows.count - 1)
        for w in 1..<max(count, 1) { parent[Int(search.preorder[w])] = search.preorder[Int(dominators[w])] }
        self.parent = parent
        preorder = search.preorder
    }

    /// Sums of `weights` over each node and all that it dominates; 0 for nodes that the entry does not reach.
    func retained(_ weights: [UInt64]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: weights.count)
        for node in preorder { result[Int(node)] = weights[Int(node)] }
        for node in preorder.dropFirst().reversed() { result[Int(parent[Int(node)])] &+= result[Int(node)] }
        return result
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
    var preorder: [UInt32] = []
    /// Number by node; `DominatorTree.none`: not reached.
    var number: [UInt32]
    /// By number: the number of the node from which it was reached first.
    var parent: [UInt32] = []

    init(rows: [Int], targets: [UInt32], entry: UInt32) {
        number = [UInt32](repeating: DominatorTree.none, count: rows.count - 1)
        var next: [(node: UInt32, edge: Int)] = []
        func enter(_ node: UInt32, from parent: UInt32, _ search: inout DepthFirstSearch) {
            search.number[Int(node)] = UInt32(search.preorder.count)
            search.preorder.append(node)
            search.parent.append(parent)
            next.append((node, rows[Int(node)]))
        }
        enter(entry, from: 0, &self)
        while let (node, edge) = next.last {
            guard edge < rows[Int(node) + 1] else {
                next.removeLast()
                continue
            }
            next[next.count - 1].edge = edge + 1
            let target = targets[edge]
            if number[Int(target)] == DominatorTree.none { enter(target, from: number[Int(node)], &self) }
        }
    }

    /// By number, the numbers of the nodes that refer to it, one after the other.
    func predecessors(rows: [Int], targets: [UInt32]) -> (rows: [Int], items: [UInt32]) {
        var starts = [Int](repeating: 0, count: preorder.count + 2)
        for node in preorder {
            for edge in rows[Int(node)]..<rows[Int(node) + 1] { starts[Int(number[Int(targets[edge])]) + 2] += 1 }
        }
        for i in 2..<starts.count { starts[i] += starts[i - 1] }
        var items = [UInt32](repeating: 0, count: starts[starts.count - 1])
        for (from, node) in preorder.enumerated() {
            for edge in rows[Int(node)]..<rows[Int(node) + 1] {
                let to = Int(number[Int(targets[edge])]) + 1
                items[starts[to]] = UInt32(from)
                starts[to] += 1
            }
        }
        starts.removeLast()
        return (starts, items)
    }
}
