import Foundation
import GameprofBasics
import GameprofTrace

/// Which blocks the roots reach. One pass over the memory, in ascending order: what a block holds that is reached already is
/// marked at once; only what others hold is kept until they are. Four bytes a block, at most four a reference, and two bits.
final class Reachability {
    private let graph: BlockGraph
    private let pass: ReferencePass
    private let marking: UnsafeMutablePointer<Marking>
    /// Objects with a type.
    private let swift: Marks
    private(set) var swiftObjects: UInt64 = 0
    /// What was asked for, as far as types say it.
    private(set) var bytes: UInt64 = 0
    private(set) var roots: [HeapRoot]
    /// Blocks that are named in another way than by a word.
    private(set) var encoded: [EncodedReferences.Found] = []
    /// Memory of tasks that wait: it holds nothing until it is expanded.
    private let suspended: [Int]

    /// Reads all blocks, once.
    /// - Parameters:
    ///   - stale: blocks that are reached, and hold nothing.
    ///   - suspended: memory of tasks that holds nothing until it is expanded.
    init(
        _ graph: BlockGraph, from roots: [HeapRoot], stale: [Int] = [], suspended: [Int] = []
    ) throws(MemoryImageError) {
        (self.graph, self.roots, self.suspended) = (graph, roots, suspended)
        pass = ReferencePass(graph)
        swift = Marks(count: graph.blocks.count)
        marking = .allocate(capacity: 1)
        marking.initialize(to: Marking(count: graph.blocks.count))
        for block in stale { marking.pointee.reach(block) }
        for root in roots { marking.pointee.reach(root.object.index - 1) }
        try read(readInAdvance(stale + suspended))
        for block in graph.metadataBlocks { marking.pointee.reach(block) }
        marking.pointee.spread()
    }

    deinit {
        marking.pointee.deallocate()
        marking.deallocate()
        swift.deallocate()
    }

    /// Large blocks that roots name, as the elements of a program's arrays: whatever they hold needs no reference then.
    /// - Returns: all blocks that hold nothing more.
    private func readInAdvance(_ stale: [Int]) -> Set<Int> {
        var done = Set(stale)
        let marking = marking
        for root in roots where !done.contains(root.object.index - 1) {
            let block = graph.blocks[root.object.index - 1]
            guard block.size >= ReferencePass.large else { continue }
            done.insert(block.number)
            _ = pass.read(block) { marking.pointee.reach($1) }
        }
        pass.end { marking.pointee.reach($1) }
        return done
    }

    private func read(_ done: Set<Int>) throws(MemoryImageError) {
        let (pass, swift, marking) = (pass, swift, marking)
        var (swiftObjects, bytes): (UInt64, UInt64) = (0, 0)
        try graph.blocks.visitAll { block throws(MemoryImageError) in
            let isDone = !done.isEmpty && done.contains(block.number)
            let shape = isDone ? pass.shape(of: block) : pass.read(block) { marking.pointee.visit($0, $1) }
            if shape.isSwift {
                swift.insert(block.number)
                swiftObjects += 1
            }
            bytes &+= shape.requested(of: block.size)
            guard marking.pointee.count <= UInt32.max else {
                throw MemoryImageError("The process has more than four billion references.")
            }
        }
        pass.end { marking.pointee.visit($0, $1) }
        marking.pointee.begin(graph.blocks.count)
        (self.swiftObjects, self.bytes) = (swiftObjects, bytes)
    }

    /// References that were kept.
    var count: Int { marking.pointee.count }

    func contains(_ block: Int) -> Bool { marking.pointee.reached.contains(block) }

    /// Reaches what suspended memory holds.
    /// - Returns: what it names, and the blocks that were not reached before.
    func expand(_ blocks: [Int]) -> [Int] {
        var named: [Int] = []
        for block in blocks.map({ graph.blocks[$0] }) {
            graph.forEachHeld(by: block, graph.type(of: block)) { named.append($0) }
        }
        return named + marking.pointee.spread(from: blocks + named)
    }

    /// Takes back that the blocks are reached.
    func release(_ blocks: [Int]) { for block in blocks { marking.pointee.reached.remove(block) } }

    func isLost(_ block: Int) -> Bool { swift.contains(block) && !contains(block) }

    /// Marks what nothing reaches as reached by memory that was not read: from the blocks that no other of these holds.
    func markByUnread() {
        mark(marking.pointee.markRest(), by: "memory that was not read")
    }

    /// Two words may look like the head of an object by chance where memory was scanned for objects. One that nothing names is reported only
    /// if its counts are those of an object with a single owner and three or more of its type are found; otherwise it counts as used.
    private func markDoubtful() {
        var isHeld = BitSet(count: graph.blocks.count)
        var heads: [UInt64: [Int]] = [:]
        var doubtful: [Int] = []
        visitUnreached { block in
            graph.forEachHeld(by: block, graph.type(of: block)) { if $0 != block.number { isHeld.insert($0) } }
        }
        visitUnreached { block in
            guard !isHeld.contains(block.number), let word = graph.memory.word(block.start) else { return }
            let counts = graph.memory.word(block.start + 8) ?? 0
            if counts & 0xffff_ffff == 3 || counts >> 62 == 3 {
                heads[word, default: []].append(block.number)
            } else {
                doubtful.append(block.number)
            }
        }
        doubtful += heads.values.filter { $0.count < Self.believed }.joined()
        mark(doubtful.sorted(), by: "memory without a type")
    }

    /// So many lost objects of one type are no accident.
    private static let believed = 3

    /// Marks what a living weak reference names and what leads to a task that waits: whoever loads the reference may resume the task.
    private func markAwaited() {
        var isTask = BitSet(count: graph.blocks.count)
        var named: [Int] = []
        var hasTasks = !suspended.isEmpty
        for block in suspended { isTask.insert(block) }
        visitUnreached { block in
            guard let type = graph.type(of: block) else { return }
            if type.kind == .task {
                isTask.insert(block.number)
                hasTasks = true
            } else if graph.sideTable(of: block) != nil,
                !ReferenceCounts(of: block.start, in: graph.memory).isDeiniting
            {
                named.append(block.number)
            }
        }
        guard hasTasks else { return }
        // What was marked may contain weak references, too.
        var leadsNowhere = BitSet(count: graph.blocks.count)
        var isChanged = true
        while isChanged {
            isChanged = false
            named = named.filter { block in
                guard let table = graph.sideTable(of: graph.blocks[block]), contains(table) else { return true }
                if !contains(block) {
                    guard leads(from: block, to: isTask, besides: &leadsNowhere) else { return false }
                    mark([block], by: "a weak reference")
                    isChanged = true
                }
                awaited.append(block)
                return false
            }
        }
    }

    /// Blocks that weak references name, and that lead to tasks (`markAwaited`).
    private(set) var awaited: [Int] = []

    /// - Parameter nowhere: blocks that do not lead there; more are added.
    private func leads(from block: Int, to wanted: BitSet, besides nowhere: inout BitSet) -> Bool {
        guard !nowhere.contains(block) else { return false }
        var (open, seen) = ([block], [block])
        var isSeen: Set = [block]
        while let next = open.popLast() {
            if wanted.contains(next) { return true }
            let block = graph.blocks[next]
            graph.forEachHeld(by: block, graph.type(of: block)) {
                guard !contains($0) || wanted.contains($0), !nowhere.contains($0), isSeen.insert($0).inserted
                else { return }
                open.append($0)
                seen.append($0)
            }
        }
        for block in seen { nowhere.insert(block) }
        return false
    }

    private func mark(_ blocks: [Int], by label: String) {
        _ = marking.pointee.spread(from: blocks)
        roots += blocks.map {
            HeapRoot(
                object: ObjectID(rawValue: UInt32($0 + 1)), kind: .mapped, address: 0, thread: .none, label: label)
        }
    }

    /// Visits the blocks that nothing reaches, in ascending order.
    func visitUnreached(_ body: (BlockMap.Block) -> Void) {
        marking.pointee.reached.visitOthers { body(graph.blocks[$0]) }
    }

    /// After that nothing more can be marked.
    func forgetReferences() { marking.pointee.forgetReferences() }

    /// Marks what is named in another way than by a word.
    func markUntold(in ranges: [Range<UInt64>]) {
        markEncoded(in: ranges)
        if graph.blocks.scanned != nil { markDoubtful() }
        markAwaited()
    }

    /// Marks blocks that a root or a marked block names in another way than by a word, and what they hold.
    private func markEncoded(in ranges: [Range<UInt64>]) {
        var bounds: ClosedRange<UInt64>?
        var isNeeded = graph.blocks.isExact
        visitUnreached {
            bounds = (bounds?.lowerBound ?? $0.start)...$0.start
            isNeeded = isNeeded || swift.contains($0.number)
        }
        guard isNeeded, let bounds else { return }
        let search = EncodedReferences(graph, bounds) { block in
            !self.contains(block)
        }
        func read(_ block: BlockMap.Block) {
            let type = graph.type(of: block)
            let block = graph.whole(block, type)
            // What is left in a table's free buckets does not look encoded, nor do breadcrumbs.
            let filled = graph.filled(block, type).flatMap { $0.isTable ? nil : $0.end }
            search.read(block.start, filled ?? block.size, of: block.number)
        }
        for range in ranges { search.read(range.lowerBound, UInt64(range.count), of: nil) }
        var window = MemoryImage.Window()
        graph.blocks.visitAll {
            guard contains($0.number) else { return }
            if window.pointer($0.start, $0.size) == nil {
                window = graph.memory.pass($0.start, count: $0.size) ?? MemoryImage.Window()
            }
            read($0)
        }
        graph.memory.endPass()
        while !search.found.isEmpty {
            let found = search.takeFound()
            encoded += found
            let fresh = marking.pointee.spread(from: found.map(\.block))
            for block in fresh { read(graph.blocks[block]) }
        }
    }
}
