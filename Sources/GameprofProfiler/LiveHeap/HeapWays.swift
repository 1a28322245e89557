import GameprofRecording
import GameprofReportModel
import GameprofTraceFile

/// The way from a root to each living block: of all ways one with the fewest doubtful words, of these one of the shortest.
///
/// A word of a stack, of a register or of memory without a type is doubtful: it may be stale. A variable of libc's own is
/// the last to begin at, because its buffers show what their last owners left.
struct HeapWays {
    private static let unreached = -2
    private static let byRoot = -1

    private let ownership: HeapOwnership
    /// By block: position of the reference in the graph, by a root, or not reached.
    private var cameBy: [Int]
    /// By block: the block that refers to it on the way.
    private var cameFrom: [UInt32]

    init(_ ownership: HeapOwnership, isLibcs: (HeapRoot) -> Bool) {
        self.ownership = ownership
        cameBy = [Int](repeating: Self.unreached, count: ownership.heap.count)
        cameFrom = [UInt32](repeating: ownership.entry, count: ownership.heap.count)
        // By number of doubtful words: blocks and the references that lead there.
        var levels: [[(block: UInt32, reference: Int, from: UInt32)]] = [[], [], [], []]
        for reference in ownership.graph.rows[Int(ownership.entry)]..<ownership.graph.rows[Int(ownership.entry) + 1] {
            let block = ownership.graph.targets[reference]
            let root = ownership.roots[block]
            let level = root.map { Self.doubts(of: $0, isLibcs) } ?? 1
            levels[level].append((block, Self.byRoot, ownership.entry))
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
    private mutating func follow(
        _ start: [(block: UInt32, reference: Int, from: UInt32)],
        later: inout [(block: UInt32, reference: Int, from: UInt32)]
    ) {
        let (heap, graph) = (ownership.heap, ownership.graph)
        var queue: [UInt32] = []
        for (block, reference, from) in start where cameBy[Int(block)] == Self.unreached {
            cameBy[Int(block)] = reference
            cameFrom[Int(block)] = from
            queue.append(block)
        }
        var next = 0
        while next < queue.count {
            let block = queue[next]
            next += 1
            for reference in graph.rows[Int(block)]..<graph.rows[Int(block) + 1] {
                let target = graph.targets[reference]
                guard cameBy[Int(target)] == Self.unreached else { continue }
                guard heap.ownerships[graph.edges[reference]] != .conservative else {
                    later.append((target, reference, block))
                    continue
                }
                cameBy[Int(target)] = reference
                cameFrom[Int(target)] = block
                queue.append(target)
            }
        }
    }

    /// The blocks on the way, that which a root names first and `block` last; empty: nothing reaches it.
    func way(to block: UInt32) -> [UInt32] {
        guard cameBy[Int(block)] != Self.unreached else { return [] }
        var result = [block]
        var next = block
        while cameBy[Int(next)] >= 0 {
            next = cameFrom[Int(next)]
            result.append(next)
        }
        return result.reversed()
    }

    /// The reference by which the way comes to the block; nil: a root names it, or nothing reaches it.
    func reference(to block: UInt32) -> Int? { cameBy[Int(block)] >= 0 ? cameBy[Int(block)] : nil }

    /// The ways to some blocks as a snapshot that lists them and nothing else, for what words paths.
    func excerpt(to blocks: [UInt32], of begin: HeapBeginRecord) -> HeapSnapshot {
        let heap = ownership.heap
        var numbers: [UInt32: UInt32] = [:]
        var snapshot = HeapSnapshot(begin: begin)
        for block in blocks {
            for step in way(to: block) where numbers[step] == nil {
                numbers[step] = UInt32(numbers.count + 1)
                let id = ObjectID(UInt32(numbers.count))
                let position = Int(step)
                snapshot.objects.append(
                    HeapObject(
                        id: id, flags: heap.flags[position].contains(.swift) ? [.swift, .reachable] : [.reachable],
                        address: heap.addresses[position], size: heap.sizes[position], type: heap.types[position],
                        stack: heap.stacks[position], strong: heap.strongCounts[position]))
                guard let reference = reference(to: step), let label = ownership.label(reference),
                    let from = numbers[cameFrom[position]]
                else {
                    if var root = ownership.roots[step] {
                        root.object = id
                        snapshot.roots.append(root)
                    }
                    continue
                }
                snapshot.references.append(
                    HeapReference(
                        from: ObjectID(from), to: id, kind: label.kind,
                        ownership: heap.ownerships[ownership.graph.edges[reference]], label: label.excerptLabel,
                        function: label.function, declaredType: label.declaredType))
            }
        }
        return snapshot
    }
}

extension HeapLabelRecord {
    /// As a reference of a snapshot has it: the path of a dictionary's value stands behind its key.
    fileprivate var excerptLabel: String { kind == .value && !path.isEmpty ? "\u{1f}\(path)" : path }
}
