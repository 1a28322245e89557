import GameprofBasics
import GameprofRecording
import GameprofTraceFile

/// Cycles of living objects in which a closure or a task takes part: a report judges whether these alone keep them alive, and
/// so needs what holds them from outside and how a root leads there.
struct LivingCycles {
    private static let (membersMost, othersMost) = (2_000, 200_000)

    /// Numbers of blocks: members, then the others.
    private(set) var blocks: [Int] = []

    /// A component that a word of a stack or a register names is left out: its function may be at work on it.
    init(_ heap: LiveHeap, _ types: TypeTable) {
        let graph = HoldingGraph(heap: heap)
        let components = Components(graph)
        let members = Self.members(heap, types, components)
        guard members.contains(true) else { return }
        blocks = members.indices.filter { members[$0] }
        let holders = (0..<heap.count).filter { block in
            heap.flags[block].contains(.reachable) && !members[block]
                && graph.slots(of: block).contains { members[graph.target($0, of: block)] }
        }
        // Without all that hold them nothing could be judged.
        guard holders.count <= Self.othersMost else {
            blocks = []
            return
        }
        blocks += holders
        let ways = Ways(graph)
        var isListed = BitSet(count: heap.count)
        for block in blocks { isListed.insert(block) }
        for holder in holders {
            var next = ways.holder(of: holder)
            while let step = next, isListed.insert(step), blocks.count < Self.othersMost {
                blocks.append(step)
                next = ways.holder(of: step)
            }
        }
    }

    private struct Traits {
        var size = 0
        var (runsCode, hasClass, isPassing) = (false, false, false)
    }

    private static func members(_ heap: LiveHeap, _ types: TypeTable, _ components: Components) -> [Bool] {
        var traits = [Traits](repeating: Traits(), count: components.count)
        for block in 0..<heap.count where heap.flags[block].contains(.reachable) {
            let component = Int(components.of[block])
            traits[component].size += 1
            switch types.kind(heap.types[block]) {
            case .classInstance: traits[component].hasClass = true
            case .local, .task: traits[component].runsCode = true
            default: break
            }
        }
        for root in heap.roots where root.kind == .stack || root.kind == .register {
            traits[Int(components.of[root.object.index - 1])].isPassing = true
        }
        var left = membersMost
        let isChosen = traits.map { component in
            guard component.size > 1, component.runsCode, component.hasClass, !component.isPassing,
                component.size <= left
            else { return false }
            left -= component.size
            return true
        }
        return components.of.map { isChosen[Int($0)] }
    }
}

/// A heap with those of its references that keep what they name; any other leads back to its own block.
private struct HoldingGraph: SlottedGraph {
    let heap: LiveHeap
    var vertexCount: Int { heap.count }

    func slots(of vertex: Int) -> Range<Int> { heap.references(of: vertex) }

    func target(_ slot: Int, of vertex: Int) -> Int {
        let target = Int(heap.targets[slot])
        switch heap.ownership(of: slot) {
        case .strong, .conservative: return target
        // Memory without a count has no other owner.
        case .unmanaged: return heap.flags[target].contains(.swift) ? vertex : target
        case .unowned, .weak: return vertex
        }
    }
}

/// How the roots lead to each block, by few references: from variables first.
private struct Ways {
    /// By block: the one that holds it, and 1; 0: a root names it, or nothing leads there.
    private var holders: [UInt32]

    func holder(of block: Int) -> Int? { holders[block] == 0 ? nil : Int(holders[block]) - 1 }

    init(_ graph: HoldingGraph) {
        holders = [UInt32](repeating: 0, count: graph.vertexCount)
        var isReached = BitSet(count: graph.vertexCount)
        var queue: [Int] = []
        func follow(_ roots: [HeapRoot]) {
            var next = queue.count
            for root in roots where isReached.insert(root.object.index - 1) { queue.append(root.object.index - 1) }
            while next < queue.count {
                for slot in graph.slots(of: queue[next]) {
                    let target = graph.target(slot, of: queue[next])
                    guard isReached.insert(target) else { continue }
                    holders[target] = UInt32(queue[next] + 1)
                    queue.append(target)
                }
                next += 1
            }
        }
        let isPassing = { (root: HeapRoot) in root.kind == .stack || root.kind == .register }
        follow(graph.heap.roots.filter { !isPassing($0) })
        follow(graph.heap.roots.filter(isPassing))
    }
}
