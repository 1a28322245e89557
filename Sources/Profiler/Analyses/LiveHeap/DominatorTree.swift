import GameprofBasics

/// The dominators of a graph with one entry: node d dominates node n when every path from the entry to n contains d.
///
/// SEMI-NCA (Georgiadis, 2005): semidominators as in Lengauer and Tarjan with path compression, then immediate dominators
/// as nearest common ancestors. Exact. Nodes are 32-bit numbers; memory while building: 36 bytes a node, and 4 for each reference
/// that does not come from a node on the way of the search.
struct DominatorTree {
    /// Nodes that the entry reaches, each in front of all that it dominates, which stand together; the entry is the first.
    let preorder: [UInt32]
    /// By node: its immediate dominator; `none` for the entry and for nodes that it does not reach.
    let parent: [UInt32]
    /// By node: its place in `preorder`, and the place of the last node that it dominates; `none`: the entry does not reach it.
    private let places: [UInt32]
    private let lasts: [UInt32]

    static let none = UInt32.max

    init(_ graph: HeldGraph) { self = graph.withEdges { Self($0) } }

    init(_ edges: HeldEdges) {
        let search = DepthFirstSearch(edges)
        let (order, count) = (search.order, search.count)
        let dominators = search.dominators(edges)
        // By number: first the sizes of the subtrees, then the places.
        let (sizes, places) = (LargeColumn<UInt32>(repeating: 1, count: count), LargeColumn<UInt32>(capacity: count))
        for w in stride(from: count - 1, through: 1, by: -1) { sizes[Int(dominators[w])] += sizes[w] }
        // By number: the last place below the node that is taken.
        let taken = LargeColumn<UInt32>(capacity: count)
        (places[0], taken[0]) = (0, 0)
        for w in 1..<max(count, 1) {
            let above = Int(dominators[w])
            places[w] = taken[above] + 1
            taken[above] += sizes[w]
            taken[w] = places[w]
        }
        taken.deallocate()
        func byNode(_ value: (Int) -> UInt32) -> [UInt32] {
            [UInt32](large: edges.entry + 1) { result in
                if count <= edges.entry { result.initialize(repeating: Self.none, count: edges.entry + 1) }
                for w in 0..<count { result[Int(order[w])] = value(w) }
            }
        }
        parent = byNode { $0 == 0 ? Self.none : order[Int(dominators[$0])] }
        dominators.deallocate()
        self.places = byNode { places[$0] }
        lasts = byNode { places[$0] + sizes[$0] - 1 }
        sizes.deallocate()
        preorder = [UInt32](large: count) { preorder in
            for w in 0..<count { preorder[Int(places[w])] = order[w] }
        }
        places.deallocate()
        order.deallocate()
    }

    /// Sums of `weights` over each node and all that it dominates; 0 for nodes that the entry does not reach.
    func retained<Weights: RandomAccessCollection<UInt64>>(_ weights: Weights) -> [UInt64] where Weights.Index == Int {
        // By place: what stands in front of it. What a node dominates stands together.
        let sums = LargeColumn<UInt64>(capacity: preorder.count + 1)
        defer { sums.deallocate() }
        var sum: UInt64 = 0
        for (place, node) in preorder.enumerated() {
            sums[place] = sum
            if node < weights.count { sum &+= weights[Int(node)] }
        }
        sums[preorder.count] = sum
        return [UInt64](large: places.count) { result in
            for node in places.indices {
                result[node] =
                    places[node] == Self.none ? 0 : sums[Int(lasts[node]) + 1] &- sums[Int(places[node])]
            }
        }
    }

    /// Nodes in the order of the tree: those that a node dominates stand behind it, together.
    func position(of node: UInt32) -> UInt32 { places[Int(node)] }

    /// Positions of the node and of all that it dominates.
    func range(of node: UInt32) -> ClosedRange<UInt32> { places[Int(node)]...lasts[Int(node)] }

    /// A node dominates itself.
    func dominates(_ node: UInt32, _ other: UInt32) -> Bool {
        places[Int(node)] <= places[Int(other)] && lasts[Int(other)] <= lasts[Int(node)]
    }

    /// Visits what a node dominates, but not what is below an end; `link`: the node that it dominates directly on the way there.
    @inline(__always)
    func visit(
        below node: UInt32, isEnd: (UInt32) -> Bool, _ body: (_ node: UInt32, _ link: UInt32, _ isEnd: Bool) -> Void
    ) {
        let last = lasts[Int(node)]
        var place = places[Int(node)] + 1
        var (link, end) = (node, place)
        while place <= last {
            let below = preorder[Int(place)]
            let behind = lasts[Int(below)] + 1
            if place == end { (link, end) = (below, behind) }
            let isEnd = isEnd(below)
            body(below, link, isEnd)
            place = isEnd ? behind : place + 1
        }
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

/// Preorder numbers of a depth-first search without recursion, and what it saw of the references.
private struct DepthFirstSearch {
    private struct Seen {
        /// `DominatorTree.none`: not reached.
        var number = DominatorTree.none
        /// Of the nodes on the way to it that refer to it: the least number.
        var highest: UInt32 = 0
        /// References of other nodes, which came later: how many; then where they stand.
        var others: UInt32 = 0
    }

    /// References of a node on the way that have not been followed.
    private struct Rest {
        var next: UInt32
        var end: UInt32
    }

    /// Node by number.
    let order: LargeColumn<UInt32>
    private(set) var count = 0
    /// By number: the number of the node from which it was reached first.
    private let parents: LargeColumn<UInt32>
    /// By node.
    private let seen: LargeColumn<Seen>

    init(_ edges: HeldEdges) {
        let nodes = edges.entry + 1
        (order, parents) = (LargeColumn(capacity: nodes), LargeColumn(capacity: nodes))
        seen = LargeColumn(repeating: Seen(), count: nodes)
        let rests = LargeColumn<Rest>(capacity: nodes)
        defer { rests.deallocate() }
        reach(edges.entry, from: 0, edges, rests)
        var current = 0
        // The way back is that of the parents.
        while true {
            let end = Int(rests[current].end)
            var next = Int(rests[current].next)
            var found = -1
            while next < end, found < 0 {
                if edges.isHeld(next) {
                    let target = edges.target(next)
                    if seen[target].number == DominatorTree.none {
                        found = target
                    } else if seen[target].number > current {
                        seen[target].highest = min(seen[target].highest, UInt32(current))
                    } else if seen[target].number < current {
                        seen[target].others += 1
                    }
                }
                next += 1
            }
            rests[current].next = UInt32(next)
            if found >= 0 {
                reach(found, from: current, edges, rests)
                current = count - 1
            } else if current > 0 {
                current = Int(parents[current])
            } else {
                return
            }
        }
    }

    @inline(__always)
    private mutating func reach(
        _ node: Int, from parent: Int, _ edges: HeldEdges, _ rests: LargeColumn<Rest>
    ) {
        (order[count], parents[count]) = (UInt32(node), UInt32(parent))
        (seen[node].number, seen[node].highest) = (UInt32(count), UInt32(parent))
        let (begin, end) = (edges.begin(of: node), edges.end(of: node))
        rests[count] = Rest(next: UInt32(begin), end: UInt32(end))
        count += 1
        for reference in begin..<min(end, begin + 8) {
            let target = edges.target(reference)
            seen.fetch(target)
            edges.rows.fetch(target)
        }
    }

    /// By number: the number of the immediate dominator. Uses up all but the order.
    func dominators(_ edges: HeldEdges) -> LargeColumn<UInt32> {
        // By number: where the later references begin. They are filled in behind.
        let starts = LargeColumn<UInt32>(capacity: count + 1)
        let semidominators = LargeColumn<UInt32>(capacity: count)
        var sum: UInt32 = 0
        for w in 0..<count {
            if w + 16 < count { seen.fetch(Int(order[w + 16])) }
            let node = Int(order[w])
            starts[w] = sum
            sum += seen[node].others
            seen[node].others = starts[w]
            semidominators[w] = seen[node].highest
        }
        starts[count] = sum
        let later = LargeColumn<UInt32>(capacity: Int(sum))
        edges.visit(ahead: seen.fetch) { source, _, target in
            let from = seen[source].number
            guard from != DominatorTree.none, from > seen[target].number else { return }
            later[Int(seen[target].others)] = from
            seen[target].others += 1
        }
        seen.deallocate()
        findSemidominators(semidominators, starts, later)
        starts.deallocate()
        later.deallocate()
        // The nearest common ancestor of w's parent and its semidominator, top down.
        let dominators = parents
        for w in 1..<max(count, 1) {
            var dominator = dominators[w]
            let semidominator = semidominators[w]
            while dominator > semidominator { dominator = dominators[Int(dominator)] }
            dominators[w] = dominator
        }
        semidominators.deallocate()
        return dominators
    }

    private struct Compressed {
        /// The least semidominator on the path that was compressed, up to `ancestor`.
        var least: UInt32
        var ancestor: UInt32
    }

    /// From the highest number down. `found`: what the nodes on the way say already.
    private func findSemidominators(
        _ found: LargeColumn<UInt32>, _ starts: LargeColumn<UInt32>, _ later: LargeColumn<UInt32>
    ) {
        let nodes = LargeColumn<Compressed>(capacity: count)
        defer { nodes.deallocate() }
        for w in 0..<count { nodes[w].ancestor = parents[w] }
        var path: [UInt32] = []
        for w in stride(from: count - 1, through: 1, by: -1) {
            var least = found[w]
            for index in stride(from: Int(starts[w + 1]) - 1, through: Int(starts[w]), by: -1) {
                if index >= 12 { nodes.fetch(Int(later[index - 12])) }
                least = min(least, Self.least(above: later[index], upTo: UInt32(w), nodes, &path))
            }
            found[w] = least
            nodes[w].least = least
        }
    }

    /// The least semidominator on the way from `v` up to the nodes whose own are not known yet, those up to `w`.
    @inline(__always)
    private static func least(
        above v: UInt32, upTo w: UInt32, _ nodes: LargeColumn<Compressed>, _ path: inout [UInt32]
    ) -> UInt32 {
        var node = nodes[Int(v)]
        guard node.ancestor > w else { return node.least }
        path.removeAll(keepingCapacity: true)
        var number = v
        while node.ancestor > w {
            path.append(number)
            number = node.ancestor
            node = nodes[Int(number)]
        }
        let root = node.ancestor
        var best = node.least
        while let number = path.popLast() {
            best = min(best, nodes[Int(number)].least)
            nodes[Int(number)] = Compressed(least: best, ancestor: root)
        }
        return best
    }
}
