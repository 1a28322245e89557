import CGameprofProcessor
import Foundation
import GameprofBasics
import GameprofTraceFile

/// Which blocks the roots reach. One pass over the memory, in ascending order: what a block holds that is reached already is
/// marked at once; only what others hold is kept until they are. Four bytes a block, at most four a reference, and two bits.
final class Reachability {
    private let graph: BlockGraph
    private let pass: ReferencePass
    /// By block that has been read: where its references begin.
    @exclusivity(unchecked) private var rows = Column()
    /// By reference of a block that was not reached when it was read: the block that it names.
    @exclusivity(unchecked) private var targets = Column()
    /// Blocks that are reached, have been read, and hold what is not marked yet.
    @exclusivity(unchecked) private var next = Column()
    private let reached: Marks
    /// Objects with a type.
    private let swift: Marks
    /// The block whose references are visited: those in front of it have been read.
    @exclusivity(unchecked) private var reading = -1
    /// It is reached.
    @exclusivity(unchecked) private var isHeld = true
    private(set) var swiftObjects: UInt64 = 0
    /// What was asked for, as far as types say it.
    private(set) var bytes: UInt64 = 0
    let roots: [HeapRoot]

    /// Reads all blocks, once.
    /// - Parameter stale: blocks that are reached, and hold nothing.
    init(_ graph: BlockGraph, from roots: [HeapRoot], stale: [Int] = []) throws(MemoryImageError) {
        (self.graph, self.roots) = (graph, roots)
        pass = ReferencePass(graph)
        (reached, swift) = (Marks(count: graph.blocks.count), Marks(count: graph.blocks.count))
        for block in stale { reached.insert(block) }
        for root in roots { reached.insert(root.object.index - 1) }
        try read(readInAdvance(stale))
        for block in graph.metadataBlocks { reach(block) }
        spread()
    }

    deinit {
        for column in [rows, targets, next] { column.deallocate() }
        reached.deallocate()
        swift.deallocate()
    }

    /// Large blocks that roots name, as the elements of a program's arrays: whatever they hold needs no reference then.
    /// - Returns: all blocks that hold nothing more.
    private func readInAdvance(_ stale: [Int]) -> Set<Int> {
        var done = Set(stale)
        for root in roots where !done.contains(root.object.index - 1) {
            let block = graph.blocks[root.object.index - 1]
            guard block.size >= ReferencePass.large else { continue }
            done.insert(block.number)
            _ = pass.read(block) { reach($1) }
        }
        pass.end { reach($1) }
        return done
    }

    private func read(_ done: Set<Int>) throws(MemoryImageError) {
        let pass = pass
        try graph.blocks.visitAll { block throws(MemoryImageError) in
            let isDone = !done.isEmpty && done.contains(block.number)
            let shape = isDone ? pass.shape(of: block) : pass.read(block) { visit($0, $1) }
            if shape.isSwift {
                swift.insert(block.number)
                swiftObjects += 1
            }
            bytes &+= shape.requested(of: block.size)
            guard targets.count <= UInt32.max else {
                throw MemoryImageError("The process has more than four billion references.")
            }
        }
        pass.end { visit($0, $1) }
        begin(graph.blocks.count)
    }

    @inline(__always)
    private func visit(_ block: Int, _ target: Int) {
        if block != reading { begin(block) }
        if isHeld { reach(target) } else if !reached.contains(target) { targets.append(target) }
    }

    @inline(__always)
    private func begin(_ block: Int) {
        if next.count > 0 { spread() }
        while rows.count <= block { rows.append(targets.count) }
        reading = block
        isHeld = reached.contains(block)
    }

    /// References that were kept.
    var count: Int { targets.count }

    func contains(_ block: Int) -> Bool { reached.contains(block) }

    func isLost(_ block: Int) -> Bool { swift.contains(block) && !reached.contains(block) }

    /// Visits the blocks that nothing reaches, in ascending order.
    func visitUnreached(_ body: (BlockMap.Block) -> Void) { reached.visitOthers { body(graph.blocks[$0]) } }

    /// After that nothing more can be marked.
    func forgetReferences() {
        rows.deallocate()
        targets.deallocate()
        (rows, targets) = (Column(), Column())
    }

    /// What has not been read yet is spread from when it is.
    @inline(__always)
    private func reach(_ block: Int) { if reached.insert(block), block < reading { next.append(block) } }

    /// Some blocks wait in a ring in front of the stack: where their references begin is fetched, and half-way these.
    private func spread() {
        let (ahead, mask) = (16, 15)
        withUnsafeTemporaryAllocation(of: Int.self, capacity: ahead) { ring in
            var (head, tail) = (0, 0)
            while true {
                while tail - head < ahead, let block = next.popLast() {
                    ring[tail & mask] = block
                    tail += 1
                    rows.fetch(block)
                }
                guard tail > head else { return }
                if tail - head > ahead / 2 { targets.fetch(rows[ring[(head + ahead / 2) & mask]]) }
                let block = ring[head & mask]
                head += 1
                for edge in rows[block]..<rows[block + 1] { reach(targets[edge]) }
            }
        }
    }

    /// Marks blocks and what they hold; returns those that were not marked before.
    private func spread(from blocks: [Int]) -> [Int] {
        var fresh: [Int] = []
        func reach(_ block: Int) {
            guard reached.insert(block) else { return }
            next.append(block)
            fresh.append(block)
        }
        for block in blocks { reach(block) }
        while let block = next.popLast() { for edge in rows[block]..<rows[block + 1] { reach(targets[edge]) } }
        return fresh
    }

    /// Marks blocks that a root or a marked block names in another way than by a word, and what they hold.
    func markEncoded(in ranges: [Range<UInt64>]) {
        var bounds: ClosedRange<UInt64>?
        var isNeeded = graph.blocks.isExact
        visitUnreached {
            bounds = (bounds?.lowerBound ?? $0.start)...$0.start
            isNeeded = isNeeded || swift.contains($0.number)
        }
        guard isNeeded, let bounds else { return }
        let search = EncodedReferences(graph, bounds) { block in
            !self.reached.contains(block)
        }
        func read(_ block: BlockMap.Block) {
            search.read(block.start, graph.whole(block, graph.type(of: block)).size)
        }
        for range in ranges { search.read(range.lowerBound, UInt64(range.count)) }
        graph.blocks.visitAll {
            graph.memory.passed($0.start)
            if reached.contains($0.number) { read($0) }
        }
        while !search.found.isEmpty {
            let fresh = spread(from: search.takeFound())
            for block in fresh { read(graph.blocks[block]) }
        }
    }
}

/// Numbers of 32 bits. The C library moves a large block without copying it: growing it needs no room for two.
private struct Column {
    private var elements: UnsafeMutablePointer<UInt32>
    private var capacity = 1 << 12
    private(set) var count = 0

    init() { elements = Self.resize(nil, capacity) }

    func deallocate() { free(elements) }

    private static func resize(_ elements: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutablePointer<UInt32> {
        guard let result = realloc(elements, 4 * count) else { fatalError("out of memory") }
        return result.assumingMemoryBound(to: UInt32.self)
    }

    @inline(__always)
    subscript(_ index: Int) -> Int { Int(elements[index]) }

    @inline(__always)
    func fetch(_ index: Int) { gp_prefetch(elements + index) }

    @inline(__always)
    mutating func append(_ element: Int) {
        if count == capacity { grow() }
        elements[count] = UInt32(truncatingIfNeeded: element)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        capacity += capacity / 2
        elements = Self.resize(elements, capacity)
    }

    @inline(__always)
    mutating func popLast() -> Int? {
        guard count > 0 else { return nil }
        count -= 1
        return Int(elements[count])
    }
}

/// Some of the numbers below a count.
private struct Marks {
    private let words: UnsafeMutableBufferPointer<UInt64>
    private let count: Int

    init(count: Int) {
        self.count = count
        words = .allocate(capacity: count / 64 + 1)
        words.initialize(repeating: 0)
    }

    func deallocate() { words.deallocate() }

    @inline(__always)
    func contains(_ number: Int) -> Bool { words[number >> 6] >> UInt64(number & 63) & 1 != 0 }

    /// Whether it was not in it before.
    @discardableResult
    @inline(__always)
    func insert(_ number: Int) -> Bool {
        let (before, bit) = (words[number >> 6], UInt64(1) << UInt64(number & 63))
        words[number >> 6] = before | bit
        return before & bit == 0
    }

    /// Visits the numbers that are not in it.
    func visitOthers(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() {
            var others = ~word
            while others != 0 {
                let number = 64 * index + others.trailingZeroBitCount
                guard number < count else { return }
                body(number)
                others &= others - 1
            }
        }
    }
}
