import GameprofBasics
import GameprofRecording
import GameprofTraceFile

/// The references of a heap that keep what they name alive, and one node more that stands for all roots. A bit for each: the
/// references are the heap's.
///
/// Weak and unowned references never do; a typed pointer to memory without a reference count does, since such memory has
/// no other owner. A word of unknown meaning (on a stack, in memory without a type) does unless the
/// typed references to an object already explain its whole reference count, or its deinit has run: then it is stale, or only
/// borrows.
struct HeldGraph: RootedGraph {
    private let heap: LiveHeap
    private var held: BitSet
    /// The node of the roots: the number of blocks.
    let entry: UInt32
    var nodes: Int { Int(entry) + 1 }

    init(_ heap: LiveHeap) {
        self.heap = heap
        entry = UInt32(heap.count)
        held = BitSet(count: heap.targets.count + heap.roots.count)
        let explained = Self.explained(heap)
        hold { !explained.contains($0) }
        // What the certain references do not reach is held by the doubtful ones after all.
        let reached = reachable()
        guard (0..<heap.count).contains(where: { heap.flags[$0].contains(.reachable) && !reached.contains($0) }) else {
            return
        }
        hold { !explained.contains($0) || !reached.contains($0) && !heap.isDeinitialised($0) }
    }

    /// Objects whose strong count is no larger than the number of typed strong references from living objects: what a doubtful
    /// word keeps needs no more.
    private static func explained(_ heap: LiveHeap) -> BitSet {
        var owners = [UInt32](repeating: 0, count: heap.count)
        for block in 0..<heap.count where heap.flags[block].contains(.reachable) {
            for edge in heap.references(of: block) where heap.ownerships[edge] == .strong {
                owners[Int(heap.targets[edge])] &+= 1
            }
        }
        var result = BitSet(count: heap.count)
        for block in 0..<heap.count
        where heap.isDeinitialised(block)
            || heap.flags[block].contains(.countSure) && owners[block] > 0 && owners[block] >= heap.strongCounts[block]
        {
            result.insert(block)
        }
        return result
    }

    private mutating func hold(isHeldByDoubtful: (Int) -> Bool) {
        for edge in heap.targets.indices {
            let target = Int(heap.targets[edge])
            let holds =
                switch heap.ownerships[edge] {
                case .strong: true
                case .conservative: isHeldByDoubtful(target)
                case .unmanaged: !heap.flags[target].contains(.swift)
                case .unowned, .weak: false
                }
            if holds { held.insert(edge) }
        }
        for (number, root) in heap.roots.enumerated()
        where root.kind.isCertain || isHeldByDoubtful(root.object.index - 1) {
            held.insert(heap.targets.count + number)
        }
    }

    private func reachable() -> BitSet {
        var reached = BitSet(count: heap.count + 1)
        var next = [entry]
        reached.insert(Int(entry))
        while let node = next.popLast() {
            for reference in references(of: node) {
                if let target = target(reference), reached.insert(Int(target)) { next.append(target) }
            }
        }
        return reached
    }

    /// Positions of a node's references in the heap; behind those of the last block stand the roots.
    func references(of node: UInt32) -> Range<Int> {
        node < entry
            ? heap.references(of: Int(node)) : heap.targets.count..<heap.targets.count + heap.roots.count
    }

    func target(_ reference: Int) -> UInt32? {
        guard held.contains(reference) else { return nil }
        return reference < heap.targets.count
            ? heap.targets[reference] : UInt32(heap.roots[reference - heap.targets.count].object.index - 1)
    }

    /// Visits the references between blocks.
    func visitAll(_ visit: (_ source: UInt32, _ reference: Int, _ target: UInt32) -> Void) {
        for source in 0...entry {
            for reference in references(of: source) {
                if let target = target(reference) { visit(source, reference, target) }
            }
        }
    }
}

extension HeapRoot.Kind {
    /// A word that says what it names: a variable, not what a function has left on a stack.
    fileprivate var isCertain: Bool {
        switch self {
        case .global, .threadLocal, .runtime, .kernel: true
        case .stack, .register, .mapped: false
        }
    }
}
