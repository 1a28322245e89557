import GameprofBasics

/// The dominators of a graph with one entry: node d dominates node n when every path from the entry to n contains d.
///
/// SEMI-NCA (Georgiadis, 2005): semidominators as in Lengauer and Tarjan with path compression, then immediate dominators
/// as nearest common ancestors. Exact. Nodes are 32-bit numbers; memory while building: 26 bytes a node, and 4 for each reference
/// that does not come from a node on the way of the search; then 13.
struct DominatorTree {
    /// Nodes that the entry reaches, each in front of all that it dominates, which stand together; the entry is the first.
    let preorder: [UInt32]
    /// By node: its immediate dominator; `none` for the entry and for nodes that it does not reach.
    let parent: [UInt32]
    /// By node: its place in `preorder`; `none`: the entry does not reach it.
    private let places: [UInt32]
    private let sizes: SubtreeSizes

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
        self.sizes = SubtreeSizes(sizes, at: places)
        sizes.deallocate()
        preorder = [UInt32](large: count) { preorder in
            for w in 0..<count { preorder[Int(places[w])] = order[w] }
        }
        places.deallocate()
        order.deallocate()
    }

    /// Sums of `weights` over each node and all that it dominates; 0 for nodes that the entry does not reach.
    func retained<Weights: RandomAccessCollection<UInt64>>(_ weights: Weights) -> RetainedBytes
    where Weights.Index == Int {
        // What a node dominates stands together.
        var sums = WideColumn(room: preorder.count + 1)
        var sum: UInt64 = 0
        for node in preorder {
            sums.append(sum)
            if node < weights.count { sum &+= weights[Int(node)] }
        }
        sums.append(sum)
        return RetainedBytes(tree: self, sums: sums)
    }

    /// Nodes in the order of the tree: those that a node dominates stand behind it, together.
    func position(of node: UInt32) -> UInt32 { places[Int(node)] }

    /// Positions of the node and of all that it dominates.
    func range(of node: UInt32) -> ClosedRange<UInt32> { places[Int(node)]...lastPlace(of: node) }

    /// The place of the last node that the one at a place dominates.
    @inline(__always)
    func lastPlace(at place: UInt32) -> UInt32 { place &+ sizes[place] }

    private func lastPlace(of node: UInt32) -> UInt32 { lastPlace(at: places[Int(node)]) }

    /// Has the place of a node that is soon asked for fetched.
    @inline(__always)
    func fetch(_ node: UInt32) { places.withUnsafeBufferPointer { $0.fetch(Int(node)) } }

    /// Nil: the entry does not reach it.
    fileprivate func reachedRange(of node: UInt32) -> ClosedRange<UInt32>? {
        places[Int(node)] == Self.none ? nil : range(of: node)
    }

    /// A node dominates itself.
    func dominates(_ node: UInt32, _ other: UInt32) -> Bool {
        let (place, others) = (places[Int(node)], places[Int(other)])
        return place <= others && others != Self.none && others <= lastPlace(at: place)
    }

    /// Visits what the node at a place dominates, but not what is below an end; `link`: the place of what it dominates directly on the
    /// way there. In the order of the tree.
    @inline(__always)
    func visit(
        below above: UInt32, isEnd: (_ node: UInt32) -> Bool,
        _ body: (_ place: UInt32, _ link: UInt32, _ isEnd: Bool) -> Void
    ) {
        let last = lastPlace(at: above)
        var place = above + 1
        var (link, end) = (above, place)
        while place <= last {
            let behind = lastPlace(at: place) + 1
            if place == end { (link, end) = (place, behind) }
            let isEnd = isEnd(preorder[Int(place)])
            body(place, link, isEnd)
            place = isEnd ? behind : place + 1
        }
    }

    /// What a node dominates directly.
    func children(of node: UInt32) -> some Sequence<UInt32> {
        let last = lastPlace(of: node)
        return sequence(state: places[Int(node)]) { place -> UInt32? in
            guard place < last else { return nil }
            let child = place + 1
            place = lastPlace(at: child)
            return preorder[Int(child)]
        }
    }
}

/// How many nodes each node dominates besides itself: mostly none.
private struct SubtreeSizes {
    /// By place; `large`: the number stands in `others`. Empty where `all` is not.
    private var small: [UInt8] = []
    /// Places and their numbers, in ascending order.
    private var others: (places: [UInt32], numbers: [UInt32]) = ([], [])
    /// By place, where many are large.
    private var all: [UInt32] = []
    private static let large = UInt8.max

    /// - Parameters:
    ///   - sizes: by number, with the node itself.
    ///   - places: by number.
    init(_ sizes: LargeColumn<UInt32>, at places: LargeColumn<UInt32>) {
        let count = sizes.count
        let numbers = (0..<count).lazy.filter { sizes[$0] > UInt32(Self.large) }
        guard numbers.count <= count / 16 else {
            all = [UInt32](large: count) { result in
                for w in 0..<count { result[Int(places[w])] = sizes[w] - 1 }
            }
            return
        }
        small = [UInt8](large: count) { result in
            for w in 0..<count { result[Int(places[w])] = UInt8(clamping: sizes[w] - 1) }
        }
        let sorted = numbers.map { (place: places[$0], number: sizes[$0] - 1) }.sorted { $0.place < $1.place }
        others = (sorted.map(\.place), sorted.map(\.number))
    }

    @inline(__always)
    subscript(place: UInt32) -> UInt32 {
        guard all.isEmpty else { return all[Int(place)] }
        let number = small[Int(place)]
        return number == Self.large ? other(place) : UInt32(number)
    }

    private func other(_ place: UInt32) -> UInt32 {
        others.numbers[partition(0..<others.places.count) { others.places[$0] >= place }]
    }
}

/// Of each node, the sum over it and all that it dominates. Four bytes a node besides the tree.
public struct RetainedBytes: RandomAccessCollection {
    fileprivate let tree: DominatorTree
    /// By place in the tree: what stands in front of it.
    fileprivate let sums: WideColumn

    public var startIndex: Int { 0 }
    public var endIndex: Int { tree.parent.count }

    public subscript(node: Int) -> UInt64 {
        guard let places = tree.reachedRange(of: UInt32(node)) else { return 0 }
        return sums[Int(places.upperBound) + 1] &- sums[Int(places.lowerBound)]
    }

    /// The sum for the node at a place of the tree.
    func at(place: UInt32) -> UInt64 { sums[Int(tree.lastPlace(at: place)) + 1] &- sums[Int(place)] }
}

/// Preorder numbers of a depth-first search without recursion, and what it saw of the references.
private struct DepthFirstSearch {
    private struct Seen {
        /// `DominatorTree.none`: not reached.
        var number = DominatorTree.none
        /// Of the nodes on the way to it that refer to it: the least number. Then where the references of others stand.
        var highest: UInt32 = 0
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
    /// By node: references of other nodes, which came later. From 128 on more stand in `many`.
    private let others: LargeColumn<UInt8>
    private var many: [UInt32: UInt32] = [:]

    init(_ edges: HeldEdges) {
        let nodes = edges.entry + 1
        (order, parents) = (LargeColumn(capacity: nodes), LargeColumn(capacity: nodes))
        seen = LargeColumn(repeating: Seen(), count: nodes)
        others = LargeColumn(repeating: 0, count: nodes)
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
                        addLater(target)
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
    private mutating func addLater(_ target: Int) {
        if others[target] == UInt8.max {
            others[target] = 128
            many[UInt32(target), default: 0] += 128
        } else {
            others[target] += 1
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
            if w + 16 < count {
                seen.fetch(Int(order[w + 16]))
                others.fetch(Int(order[w + 16]))
            }
            let node = Int(order[w])
            semidominators[w] = seen[node].highest
            (starts[w], seen[node].highest) = (sum, sum)
            sum += UInt32(others[node]) + (others[node] < 128 ? 0 : many[UInt32(node)] ?? 0)
        }
        others.deallocate()
        starts[count] = sum
        let later = LargeColumn<UInt32>(capacity: Int(sum))
        edges.visit(ahead: seen.fetch) { source, _, target in
            let from = seen[source].number
            guard from != DominatorTree.none, from > seen[target].number else { return }
            later[Int(seen[target].highest)] = from
            seen[target].highest += 1
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
