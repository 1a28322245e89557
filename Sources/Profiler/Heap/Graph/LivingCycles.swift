import GameprofBasics
import GameprofTrace

/// Cycles of living objects in which a closure or a task takes part: a report judges whether these alone keep them alive, and
/// so needs what holds them from outside and how a root leads there.
struct LivingCycles {
    private static let (membersMost, othersMost) = (2_000, 200_000)

    /// Numbers of blocks: members, then the others.
    private(set) var blocks: [Int] = []

    /// A component that a word of a stack or a register names is left out: its function may be at work on it.
    /// - Parameter heldByPointer: members of other cycles that are to be judged.
    init(_ heap: LiveHeap, _ types: TypeTable, heldByPointer: [Int], _ walk: () -> RootWalk) {
        let graph = HoldingGraph(heap: heap)
        var members = Self.members(heap, types, graph)
        for block in heldByPointer.prefix(Self.membersMost) { members[block] = true }
        guard members.contains(true) else { return }
        blocks = members.indices.filter { members[$0] }
        let naming = graph.withUnmanaged
        let holders = (0..<heap.count).filter { block in
            heap.flags[block].contains(.reachable) && !members[block]
                && naming.slots(of: block).contains { members[naming.target($0, of: block)] }
        }
        // Without all that hold them nothing could be judged.
        guard holders.count <= Self.othersMost else {
            blocks = []
            return
        }
        let walk = walk()
        var left = Self.othersMost
        blocks += holders.flatMap { walk.path(to: $0, &left) }
    }

    private struct Traits {
        var size = 0
        var (runsCode, hasClass, isPassing) = (false, false, false)
    }

    private static func runsCode(_ kind: TypeNameRecord.Kind?) -> Bool { kind == .local || kind == .task }

    /// What living closures and tasks lead to.
    private static func led(_ heap: LiveHeap, _ types: TypeTable, _ graph: HoldingGraph) -> BitSet {
        var isLed = BitSet(count: heap.count)
        var open: [Int] = []
        var run: Set<TypeID> = []
        for type in types.ids where runsCode(types.kind(type)) { run.insert(type) }
        guard !run.isEmpty else { return isLed }
        for block in 0..<heap.count where heap.flags[block].contains(.reachable) && run.contains(heap.types[block]) {
            isLed.insert(block)
            open.append(block)
        }
        while let block = open.popLast() {
            for slot in graph.slots(of: block) {
                let target = graph.target(slot, of: block)
                if isLed.insert(target) { open.append(target) }
            }
        }
        return isLed
    }

    private static func members(_ heap: LiveHeap, _ types: TypeTable, _ graph: HoldingGraph) -> [Bool] {
        let isLed = led(heap, types, graph)
        let led = (0..<heap.count).filter(isLed.contains)
        var isMember = [Bool](repeating: false, count: heap.count)
        guard !led.isEmpty else { return isMember }
        let components = Components(PartOfGraph(graph, isLed))
        var traits = [Traits](repeating: Traits(), count: components.count)
        for block in led where heap.flags[block].contains(.reachable) {
            let component = Int(components.of[block])
            traits[component].size += 1
            let kind = types.kind(heap.types[block])
            if kind == .classInstance { traits[component].hasClass = true }
            if runsCode(kind) { traits[component].runsCode = true }
        }
        for root in heap.roots where root.kind.isOfFunction {
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
        for block in led { isMember[block] = isChosen[Int(components.of[block])] }
        return isMember
    }
}
