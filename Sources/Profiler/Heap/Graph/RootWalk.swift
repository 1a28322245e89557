import CGameprofProcessor
import GameprofBasics
import GameprofTrace

/// The shortest paths from the roots to each block: breadth first over references that hold, from what stays before stacks and
/// registers, from the C library's own variables last; then over unmanaged references to what nothing else leads to.
struct RootWalk {
    /// By block: the one that holds it, and 1; 0: a root names it, or nothing leads there.
    private var holders: [UInt32]
    /// The blocks that were reached, nearest to a root first.
    private(set) var order: [UInt32] = []
    private var isReached: BitSet

    /// - Parameters:
    ///   - stale: blocks that live, and hold nothing.
    ///   - wanted: where one of them is not reached, unmanaged references are followed too.
    init(_ graph: HoldingGraph, _ roots: [HeapRoot], libc: Int, stale: [Int], wanted: [Int] = []) {
        holders = [UInt32](repeating: 0, count: graph.vertexCount)
        isReached = BitSet(count: graph.vertexCount)
        for block in stale { isReached.insert(block) }
        let own = roots[..<libc]
        follow(graph, from: own.filter { !$0.kind.isOfFunction })
        follow(graph, from: own.filter { $0.kind.isOfFunction })
        follow(graph, from: roots[libc...])
        if wanted.contains(where: { !isReached.contains($0) }) { follow(graph.withUnmanaged, again: order) }
    }

    private mutating func follow(_ graph: HoldingGraph, from roots: some Sequence<HeapRoot>) {
        let start = order.count
        for root in roots where isReached.insert(root.object.index - 1) { order.append(root.object.rawValue - 1) }
        follow(graph, next: start)
    }

    private mutating func follow(_ graph: HoldingGraph, again blocks: [UInt32]) {
        let start = order.count
        for block in blocks { reach(graph, from: Int(block)) }
        follow(graph, next: start)
    }

    private mutating func follow(_ graph: HoldingGraph, next start: Int) {
        var next = start
        WalkAhead.with(graph.heap) { ahead in
            while next < order.count {
                ahead.fetch(order, at: next) { block in
                    holders.withUnsafeBufferPointer { gp_prefetch($0.baseAddress! + block) }
                }
                reach(graph, from: Int(order[next]))
                next += 1
            }
        }
    }

    private mutating func reach(_ graph: HoldingGraph, from block: Int) {
        for slot in graph.slots(of: block) {
            let target = graph.target(slot, of: block)
            guard isReached.insert(target) else { continue }
            holders[target] = UInt32(block + 1)
            order.append(UInt32(target))
        }
    }

    /// The block through which a block was reached; nil: a root names it, or nothing leads there.
    func holder(of block: Int) -> Int? { holders[block] == 0 ? nil : Int(holders[block]) - 1 }

    func reaches(_ block: Int) -> Bool { isReached.contains(block) }
}

extension HeapRoot.Kind {
    /// A word of a function that may have returned, or that only borrows the object.
    var isOfFunction: Bool { self == .stack || self == .register }
}

/// A heap with those of its references that keep what they name; any other leads back to its own block.
struct HoldingGraph: SlottedGraph {
    let heap: LiveHeap
    private var followsUnmanaged = false

    init(heap: LiveHeap) { self.heap = heap }

    /// The same with unmanaged references.
    var withUnmanaged: HoldingGraph {
        var result = self
        result.followsUnmanaged = true
        return result
    }

    var vertexCount: Int { heap.count }

    func slots(of vertex: Int) -> Range<Int> { heap.references(of: vertex) }

    func target(_ slot: Int, of vertex: Int) -> Int {
        let target = Int(heap.targets[slot])
        switch heap.ownership(of: slot) {
        case .strong, .conservative: return target
        // Memory without a count has no other owner.
        case .unmanaged: return heap.flags[target].contains(.swift) && !followsUnmanaged ? vertex : target
        case .unowned, .weak: return vertex
        }
    }
}
