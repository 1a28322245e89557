import GameprofRecording
import GameprofTraceFile

/// The references of a heap that keep what they name alive, and one node more that stands for all roots.
///
/// Weak and unowned references never do; a typed pointer to memory without a reference count does, since such memory has
/// no other owner. A word of unknown meaning (on a stack, in memory without a type) does unless the
/// typed references to an object already explain its whole reference count, or its deinit has run: then it is stale, or only
/// borrows.
struct HeldGraph {
    /// `rows[n]..<rows[n + 1]` are the positions of node n's references in `targets` and `edges`.
    private(set) var rows: [Int] = [0]
    private(set) var targets: [UInt32] = []
    /// By reference: its position in the heap; -1 for those of the roots.
    private(set) var edges: [Int] = []
    /// The node of the roots: the number of blocks.
    let entry: UInt32

    /// Blocks that only a doubtful word keeps, although their counts are explained without it.
    private let heap: LiveHeap
    private let isExplained: [Bool]
    private let roots: [HeapRoot]

    init(_ heap: LiveHeap) {
        self.heap = heap
        entry = UInt32(heap.count)
        isExplained = Self.explained(heap)
        roots = heap.roots
        build { _ in false }
        // What the certain references do not reach is held by the doubtful ones after all.
        let reached = reachable()
        let heap = heap
        if (0..<heap.count).contains(where: { heap.flags[$0].contains(.reachable) && !reached[$0] }) {
            build { !reached[$0] && !heap.isDeinitialised($0) }
        }
    }

    /// Objects whose strong count is no larger than the number of typed strong references from living objects.
    private static func explained(_ heap: LiveHeap) -> [Bool] {
        var owners = [UInt32](repeating: 0, count: heap.count)
        for block in 0..<heap.count where heap.flags[block].contains(.reachable) {
            for edge in heap.rows[block]..<heap.rows[block + 1] where heap.ownerships[edge] == .strong {
                owners[Int(heap.targets[edge])] &+= 1
            }
        }
        return (0..<heap.count).map { block in
            heap.isDeinitialised(block)
                || heap.flags[block].contains(.countSure) && owners[block] > 0
                    && owners[block] >= heap.strongCounts[block]
        }
    }

    private mutating func build(isHeldByDoubtful: (Int) -> Bool) {
        rows = [0]
        targets = []
        edges = []
        rows.reserveCapacity(heap.count + 2)
        for block in 0..<heap.count {
            for edge in heap.rows[block]..<heap.rows[block + 1] {
                let target = Int(heap.targets[edge])
                guard holds(heap.ownerships[edge], target, isHeldByDoubtful) else { continue }
                targets.append(heap.targets[edge])
                edges.append(edge)
            }
            rows.append(targets.count)
        }
        for root in roots {
            let target = root.object.index - 1
            guard root.kind.isCertain || !isExplained[target] || isHeldByDoubtful(target) else { continue }
            targets.append(UInt32(target))
            edges.append(-1)
        }
        rows.append(targets.count)
    }

    private func holds(_ ownership: Ownership, _ target: Int, _ isHeldByDoubtful: (Int) -> Bool) -> Bool {
        switch ownership {
        case .strong: true
        case .conservative: !isExplained[target] || isHeldByDoubtful(target)
        case .unmanaged: !heap.flags[target].contains(.swift)
        case .unowned, .weak: false
        }
    }

    private func reachable() -> [Bool] {
        var reached = [Bool](repeating: false, count: heap.count + 1)
        var next = [entry]
        reached[Int(entry)] = true
        while let node = next.popLast() {
            for edge in rows[Int(node)]..<rows[Int(node) + 1] where !reached[Int(targets[edge])] {
                reached[Int(targets[edge])] = true
                next.append(targets[edge])
            }
        }
        return reached
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
