import GameprofBasics
import GameprofTrace

/// The path from a root to each living block: of all paths one with the fewest doubtful words, of these one of the
/// shortest. All paths share one tree. Linear in blocks and references.
///
/// A word of a stack, of a register or of memory without a type is doubtful: it may be stale. A variable of libc's own is
/// the last to begin at, because its buffers show what their last owners left.
struct RetainingPathTree {
    /// Blocks on a path.
    struct Path {
        /// That which a root names first; empty: nothing reaches the block.
        var blocks: [UInt32]
        /// How many blocks are left out behind the first `RetainingPathTree.endLimit`.
        var omitted = 0
    }

    /// Of a path with more than twice as many blocks as many at each end are kept.
    static let endLimit = 1_000

    private struct Step {
        var block: UInt32
        var from: UInt32
    }

    private let ownership: HeapOwnership
    /// By block: the one that refers to it on the path; the entry: a root names it; `none`: nothing reaches it.
    private var from: [UInt32]
    private static let none = UInt32.max
    private let starts: PathStarts

    /// - Parameter order: of two roots with as few doubtful words as near, that with the lesser text is the path's.
    init(
        _ ownership: HeapOwnership, order: (HeapRoot) -> String = { _ in "" }, isLibcs: (HeapRoot) -> Bool
    ) {
        self.ownership = ownership
        starts = PathStarts(blocks: ownership.heap.count)
        from = [UInt32](large: ownership.heap.count) {
            $0.initialize(repeating: Self.none, count: ownership.heap.count)
        }
        let roots = ownership.graph.references(of: ownership.entry).compactMap(ownership.graph.target).map { block in
            (block: block, root: ownership.roots[block], order: ownership.roots[block].map(order) ?? "")
        }
        // By number of doubtful words: blocks and those that lead there.
        var levels: [[Step]] = [[], [], [], []]
        for (block, root, _) in roots.sorted(by: { $0.order < $1.order }) {
            let level = root.map { Self.doubts(of: $0, isLibcs) } ?? 1
            levels[level].append(Step(block: block, from: ownership.entry))
        }
        var level = 0
        while level < levels.count {
            let start = levels[level]
            levels[level] = []
            if level + 1 == levels.count { levels.append([]) }
            follow(start, later: &levels[level + 1])
            level += 1
            if levels[level...].allSatisfy(\.isEmpty) { break }
        }
    }

    private static func doubts(of root: HeapRoot, _ isLibcs: (HeapRoot) -> Bool) -> Int {
        switch root.kind {
        case .global: isLibcs(root) ? 3 : 0
        case .threadLocal, .runtime, .kernel: 0
        case .stack, .register, .mapped: 1
        }
    }

    /// Follows what is certain, breadth first. `later`: receives what a doubtful word leads to.
    private mutating func follow(_ start: [Step], later: inout [Step]) {
        let (heap, graph) = (ownership.heap, ownership.graph)
        let queue = LargeColumn<UInt32>(capacity: heap.count)
        defer { queue.deallocate() }
        graph.withEdges { edges in
            from.withUnsafeMutableBufferPointer { from in
                var (head, tail) = (0, 0)
                for step in start where from[Int(step.block)] == Self.none {
                    from[Int(step.block)] = step.from
                    queue[tail] = step.block
                    tail += 1
                }
                while head < tail {
                    // What comes is fetched: the references of one block, and what those of an earlier one name.
                    if head + 24 < tail { edges.rows.fetch(Int(queue[head + 24])) }
                    if head + 16 < tail { edges.targets.fetch(edges.begin(of: Int(queue[head + 16]))) }
                    if head + 8 < tail {
                        let soon = edges.references(of: Int(queue[head + 8])).prefix(4)
                        for reference in soon { UnsafeBufferPointer(from).fetch(edges.target(reference)) }
                    }
                    let block = queue[head]
                    head += 1
                    for reference in edges.references(of: Int(block)) where edges.isHeld(reference) {
                        let target = UInt32(edges.target(reference))
                        guard from[Int(target)] == Self.none else { continue }
                        guard heap.ownership(of: reference) != .conservative else {
                            later.append(Step(block: target, from: block))
                            continue
                        }
                        from[Int(target)] = block
                        queue[tail] = target
                        tail += 1
                    }
                }
            }
        }
    }

    /// Blocks on the path; 0: nothing reaches the block.
    func depth(of block: UInt32) -> Int {
        from[Int(block)] == Self.none ? 0 : Int(starts.start(of: block, from, entry: ownership.entry).depth)
    }

    /// The block that a root names, for one that is reached.
    func top(of block: UInt32) -> UInt32 { starts.start(of: block, from, entry: ownership.entry).top }

    /// The last blocks of the path, `block` first. Linear in `most`.
    func upwards(from block: UInt32, most: Int) -> [UInt32] {
        var result: [UInt32] = []
        var next = block
        for _ in 0..<min(most, depth(of: block)) {
            result.append(next)
            next = from[Int(next)]
        }
        return result
    }

    /// The path to a block; of a deep one the two ends, so that its cost does not grow with the depth.
    func path(to block: UInt32) -> Path {
        let depth = depth(of: block)
        guard depth > 2 * Self.endLimit else { return Path(blocks: upwards(from: block, most: depth).reversed()) }
        let head: [UInt32] = upwards(
            from: starts.start(of: block, from, entry: ownership.entry).head, most: Self.endLimit
        )
        .reversed()
        var tail: ArraySlice<UInt32> = upwards(from: block, most: Self.endLimit).reversed()[...]
        // Where the blocks repeat, the second part begins where it continues the first.
        let aligned = tail.prefix(Self.endLimit / 2).firstIndex { continues($0, head[head.count - 1]) }
        if let aligned { tail = tail[aligned...] }
        return Path(blocks: head + tail, omitted: depth - head.count - tail.count)
    }

    /// Whether what refers to the block is called as the other.
    private func continues(_ block: UInt32, _ other: UInt32) -> Bool {
        ownership.names.number(from[Int(block)]) == ownership.names.number(other)
    }

    /// The reference by which the path comes to the block; nil: a root names it, or nothing reaches it.
    private func reference(to block: UInt32) -> Int? {
        let from = from[Int(block)]
        guard from != ownership.entry, from != Self.none else { return nil }
        let all = ownership.graph.references(of: from).lazy.filter { ownership.graph.target($0) == block }
        return all.first { ownership.heap.ownership(of: $0) != .conservative } ?? all.first
    }

    /// Some paths as a snapshot that lists them and nothing else, for what words paths.
    func excerpt(of paths: [Path], _ begin: HeapBeginRecord) -> HeapSnapshot {
        let heap = ownership.heap
        var numbers: [UInt32: UInt32] = [:]
        var snapshot = HeapSnapshot(begin: begin)
        for path in paths {
            var before: UInt32?
            for block in path.blocks {
                defer { before = block }
                guard numbers[block] == nil else { continue }
                numbers[block] = UInt32(numbers.count + 1)
                let id = ObjectID(UInt32(numbers.count))
                let position = Int(block)
                snapshot.objects.append(
                    HeapObject(
                        id: id, flags: heap.flags[position].contains(.swift) ? [.swift, .reachable] : [.reachable],
                        address: heap.addresses[position], size: heap.sizes[position], type: heap.types[position],
                        stack: heap.stacks[position], strong: heap.strongCounts[position]))
                if let before, let from = numbers[before] {
                    snapshot.references.append(reference(from: before, ObjectID(from), to: block, id))
                } else if var root = ownership.roots[block] {
                    root.object = id
                    snapshot.roots.append(root)
                }
            }
        }
        return snapshot
    }

    /// The reference between blocks that follow each other on a path. Where blocks between them are left out it has the
    /// label of the one behind the gap, if that is a label of the same objects.
    private func reference(from: UInt32, _ fromID: ObjectID, to block: UInt32, _ id: ObjectID) -> HeapReference {
        guard let reference = reference(to: block), let label = ownership.label(reference), continues(block, from)
        else {
            return HeapReference(from: fromID, to: id, kind: .none, ownership: .strong, label: "")
        }
        return HeapReference(
            from: fromID, to: id, kind: label.kind,
            ownership: ownership.heap.ownership(of: reference), label: label.excerptLabel,
            function: label.function, declaredType: label.declaredType)
    }
}

/// Where the paths to some blocks begin. What was found is kept for one block of a path in so many, so that deep paths that share
/// their beginnings are not followed again.
private final class PathStarts {
    struct Start {
        /// Blocks on the path.
        var depth: UInt32 = 0
        /// The first of them.
        var top: UInt32 = 0
        /// The same; of a path deeper than `RetainingPathTree.endLimit` the block at that depth.
        var head: UInt32 = 0
    }

    private static let distance: UInt32 = 32
    private var known: [UInt32: Start] = [:]
    private var isKnown: BitSet
    private var way: [UInt32] = []

    init(blocks: Int) { isKnown = BitSet(count: blocks) }

    /// `from`: by block, the one before it on the path; `entry`: it is the first.
    func start(of block: UInt32, _ from: [UInt32], entry: UInt32) -> Start {
        way.removeAll(keepingCapacity: true)
        var next = block
        while next != entry, !isKnown.contains(Int(next)) {
            way.append(next)
            next = from[Int(next)]
        }
        var start = known[next] ?? Start()
        for block in way.reversed() {
            if start.depth == 0 { (start.top, start.head) = (block, block) }
            if start.depth == UInt32(RetainingPathTree.endLimit) { start.head = next }
            start.depth += 1
            if start.depth % Self.distance == 0, isKnown.insert(Int(block)) { known[block] = start }
            next = block
        }
        return start
    }
}

/// Words some paths of a tree.
struct RetainingPathWords {
    private let heap: LiveHeap
    private let whole: HeapAnalysis
    /// Those with a gap, each by itself: another's blocks would lead around the gap.
    private var cut: [UInt32: (analysis: HeapAnalysis, omitted: Int)] = [:]

    init(
        _ tree: RetainingPathTree, to blocks: [UInt32], of heap: LiveHeap, _ begin: HeapBeginRecord, types: TypeTable,
        rootNames: RootNames
    ) {
        self.heap = heap
        let paths = blocks.map { (block: $0, path: tree.path(to: $0)) }
        func analysis(_ paths: [RetainingPathTree.Path]) -> HeapAnalysis {
            HeapAnalysis(snapshot: tree.excerpt(of: paths, begin), types: types, rootNames: rootNames)
        }
        whole = analysis(paths.map(\.path).filter { $0.omitted == 0 })
        for (block, path) in paths where path.omitted > 0 { cut[block] = (analysis([path]), path.omitted) }
    }

    private func analysis(of block: UInt32) -> HeapAnalysis { cut[block]?.analysis ?? whole }

    /// The path to one of the blocks; nil: nothing reaches it.
    func path(to block: UInt32, instances: Int, bytes: UInt64) -> HeldBy? {
        var path = analysis(of: block).way(
            toObjectAt: heap.addresses[Int(block)], instances: instances, bytes: bytes)
        path?.omitted = cut[block]?.omitted
        return path
    }

    /// The same in a line: the root, then the types on the path. Empty: nothing reaches the block.
    func holders(of block: UInt32) -> [String] {
        analysis(of: block).holders(ofObjectAt: heap.addresses[Int(block)])
    }
}

extension HeapLabelRecord {
    /// As a reference of a snapshot has it: the path of a dictionary's value stands behind its key.
    fileprivate var excerptLabel: String { kind == .value && !path.isEmpty ? "\u{1f}\(path)" : path }
}
