import GameprofBasics
import GameprofTrace

/// The references of a heap that keep what they name alive, and one node more that stands for all roots. A bit for each: the
/// references are the heap's.
///
/// Weak and unowned references never do; a typed pointer to memory without a reference count does, since such memory has
/// no other owner, and one to an object to which nothing else leads: who has it may release it. A word of unknown meaning (on a stack, in memory without a type) does unless the
/// typed references to an object already explain its whole reference count, its deinit has run, or it is lost for all that: then
/// the word is stale, or only borrows.
struct HeldGraph {
    private let heap: LiveHeap
    private var held: BitSet
    /// By root: the block that it names.
    private let rooted: [UInt32]
    /// The node of the roots: the number of blocks.
    let entry: UInt32

    init(_ heap: LiveHeap) {
        self.heap = heap
        entry = UInt32(heap.count)
        rooted = heap.roots.map { UInt32($0.object.index - 1) }
        held = BitSet(count: heap.targets.count + heap.roots.count)
        func isReachable(_ block: Int) -> Bool { heap.flags[block].contains(.reachable) }
        let explained = Self.explained(heap)
        hold { isReachable($0) && !explained.contains($0) }
        // What the certain references do not reach is held by the doubtful ones after all.
        let reached = withEdges { $0.reachable() }
        guard heap.flags.indices.contains(where: { isReachable($0) && !reached.contains($0) })
        else { return }
        hold {
            isReachable($0) && (!explained.contains($0) || !reached.contains($0) && !heap.isDeinitialised($0))
        }
        let all = withEdges { $0.reachable() }
        for edge in heap.targets.indices where heap.ownership(of: edge) == .unmanaged {
            let target = Int(heap.targets[edge])
            if isReachable(target), !all.contains(target), !heap.isDeinitialised(target) { held.insert(edge) }
        }
    }

    /// Objects whose strong count is no larger than the number of typed strong references from living objects: what a doubtful
    /// word keeps needs no more.
    private static func explained(_ heap: LiveHeap) -> BitSet {
        let owners = LargeColumn<UInt32>(repeating: 0, count: heap.count)
        defer { owners.deallocate() }
        var result = BitSet(count: heap.count)
        heap.targets.withUnsafeBufferPointer { targets in
            for block in heap.flags.indices where heap.flags[block].contains(.reachable) {
                for edge in heap.references(of: block) {
                    if edge + 16 < targets.count { owners.fetch(Int(targets[edge + 16])) }
                    if heap.ownership(of: edge) == .strong { owners[Int(targets[edge])] &+= 1 }
                }
            }
        }
        for block in heap.flags.indices
        where heap.isDeinitialised(block)
            || heap.flags[block].contains(.countSure) && owners[block] > 0 && owners[block] >= heap.strongCounts[block]
        {
            result.insert(block)
        }
        return result
    }

    private mutating func hold(isHeldByDoubtful: (Int) -> Bool) {
        for edge in heap.targets.indices {
            let holds =
                switch heap.ownership(of: edge) {
                case .strong: true
                case .conservative: isHeldByDoubtful(Int(heap.targets[edge]))
                case .unmanaged: !heap.flags[Int(heap.targets[edge])].contains(.swift)
                case .unowned, .weak: false
                }
            if holds { held.insert(edge) }
        }
        for (number, root) in heap.roots.enumerated()
        where root.kind.isCertain || isHeldByDoubtful(root.object.index - 1) {
            held.insert(heap.targets.count + number)
        }
    }

    /// Positions of a node's references in the heap; behind those of the last block stand the roots.
    func references(of node: UInt32) -> Range<Int> {
        node < entry
            ? heap.references(of: Int(node)) : heap.targets.count..<heap.targets.count + rooted.count
    }

    /// The node to which a reference at a position belongs.
    func source(of reference: Int) -> UInt32 {
        guard reference < heap.targets.count else { return entry }
        return UInt32(partition(0..<heap.count) { Int(heap.rows[$0 + 1]) > reference })
    }

    func target(_ reference: Int) -> UInt32? {
        guard held.contains(reference) else { return nil }
        return reference < heap.targets.count ? heap.targets[reference] : rooted[reference - heap.targets.count]
    }

    /// For loops over all of it.
    func withEdges<Result>(_ body: (HeldEdges) -> Result) -> Result {
        heap.rows.withUnsafeBufferPointer { rows in
            heap.targets.withUnsafeBufferPointer { targets in
                rooted.withUnsafeBufferPointer { rooted in
                    held.withWords { body(HeldEdges(rows: rows, targets: targets, rooted: rooted, held: $0)) }
                }
            }
        }
    }
}

/// The nodes of a graph and the references between them. All of it is pointers.
struct HeldEdges {
    /// By node but the entry: where its references begin; behind them, where those of the entry do.
    let rows: UnsafeBufferPointer<UInt32>
    let targets: UnsafeBufferPointer<UInt32>
    /// What the entry refers to.
    let rooted: UnsafeBufferPointer<UInt32>
    /// By reference, a bit: it counts.
    let held: UnsafeBufferPointer<UInt64>

    /// The node from which all paths begin: the last one.
    var entry: Int { rows.count - 1 }

    @inline(__always)
    func isHeld(_ reference: Int) -> Bool { held[reference >> 6] >> UInt64(reference & 63) & 1 != 0 }

    @inline(__always)
    func begin(of node: Int) -> Int { Int(rows[node]) }

    @inline(__always)
    func end(of node: Int) -> Int { node < entry ? Int(rows[node + 1]) : targets.count + rooted.count }

    @inline(__always)
    func references(of node: Int) -> Range<Int> { begin(of: node)..<end(of: node) }

    @inline(__always)
    func target(_ reference: Int) -> Int {
        Int(reference < targets.count ? targets[reference] : rooted[reference - targets.count])
    }

    /// Visits all references, those of each node together, in ascending order. `ahead`: what will be visited soon.
    @inline(__always)
    func visit(ahead: (Int) -> Void = { _ in }, _ body: (_ source: Int, _ reference: Int, _ target: Int) -> Void) {
        for source in 0...entry {
            for reference in references(of: source) {
                if reference + 16 < targets.count { ahead(Int(targets[reference + 16])) }
                if isHeld(reference) { body(source, reference, target(reference)) }
            }
        }
    }

    fileprivate func reachable() -> BitSet {
        var reached = BitSet(count: entry + 1)
        reached.insert(entry)
        let next = LargeColumn<UInt32>(capacity: entry + 1)
        defer { next.deallocate() }
        // First in, first out: what comes is fetched.
        next[0] = UInt32(entry)
        var (head, tail) = (0, 1)
        while head < tail {
            if head + 16 < tail { rows.fetch(Int(next[head + 16])) }
            if head + 8 < tail { targets.fetch(begin(of: Int(next[head + 8]))) }
            let node = Int(next[head])
            head += 1
            for reference in references(of: node) where isHeld(reference) {
                let target = target(reference)
                guard reached.insert(target) else { continue }
                next[tail] = UInt32(target)
                tail += 1
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
