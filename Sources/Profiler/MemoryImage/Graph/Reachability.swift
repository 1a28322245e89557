import Foundation
import GameprofBasics
import GameprofTraceFile

/// Which blocks the roots reach. Four bytes a block, four a reference, and two bits.
final class Reachability {
    private let graph: BlockGraph
    /// By block: where its references begin.
    private var rows = Column()
    /// By reference that holds: the block that it names.
    private var targets = Column()
    private var reached: BitSet
    /// Objects with a type.
    private var swift: BitSet
    private(set) var swiftObjects: UInt64 = 0
    /// What was asked for, as far as types say it.
    private(set) var bytes: UInt64 = 0
    private(set) var roots: [HeapRoot] = []

    /// Reads all blocks, once.
    init(_ graph: BlockGraph) throws(MemoryImageError) {
        self.graph = graph
        reached = BitSet(count: graph.blocks.count)
        swift = reached
        try graph.blocks.visitAll { block throws(MemoryImageError) in
            graph.memory.passed(block.start)
            rows.append(targets.count)
            let type = graph.type(of: block)
            if type != nil {
                swift.insert(block.number)
                swiftObjects += 1
            }
            bytes &+= type?.requested(of: block.size) ?? block.size
            graph.forEachHeld(by: block, type) { targets.append($0) }
            guard targets.count <= UInt32.max else {
                throw MemoryImageError("The process has more than four billion references.")
            }
        }
        rows.append(targets.count)
    }

    /// References that hold.
    var count: Int { targets.count }

    func contains(_ block: Int) -> Bool { reached.contains(block) }

    func isLost(_ block: Int) -> Bool { swift.contains(block) && !reached.contains(block) }

    /// After that nothing more can be marked.
    func forgetReferences() { (rows, targets) = (Column(), Column()) }

    /// Marks blocks that hold nothing.
    func mark(stale blocks: [Int]) { for block in blocks { reached.insert(block) } }

    /// Marks what the roots reach.
    func mark(_ roots: [HeapRoot]) {
        spread(from: roots.map { $0.object.index - 1 } + graph.metadataBlocks)
        self.roots = roots
    }

    /// Marks blocks and what they hold; returns those that were not marked before, as far as they are wanted.
    @discardableResult
    private func spread(from blocks: [Int], wantsFresh: Bool = false) -> [Int] {
        let next = Column()
        var fresh: [Int] = []
        func reach(_ block: Int) {
            guard reached.insert(block) else { return }
            next.append(block)
            if wantsFresh { fresh.append(block) }
        }
        for block in blocks { reach(block) }
        while let block = next.popLast() { for edge in rows[block]..<rows[block + 1] { reach(targets[edge]) } }
        return fresh
    }

    /// Marks blocks that a root or a marked block names in another way than by a word, and what they hold.
    func markEncoded(in ranges: [Range<UInt64>]) {
        var bounds: ClosedRange<UInt64>?
        var isNeeded = graph.blocks.isExact
        graph.blocks.visitAll {
            guard !reached.contains($0.number) else { return }
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
            let fresh = spread(from: search.takeFound(), wantsFresh: true)
            for block in fresh { read(graph.blocks[block]) }
        }
    }
}

/// Numbers of 32 bits. The C library moves a large block without copying it: growing it needs no room for two.
private final class Column {
    private var elements: UnsafeMutablePointer<UInt32>
    private var capacity = 1 << 12
    private(set) var count = 0

    init() { elements = Self.resize(nil, capacity) }

    deinit { free(elements) }

    private static func resize(_ elements: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutablePointer<UInt32> {
        guard let result = realloc(elements, 4 * count) else { fatalError("out of memory") }
        return result.assumingMemoryBound(to: UInt32.self)
    }

    subscript(_ index: Int) -> Int { Int(elements[index]) }

    func append(_ element: Int) {
        if count == capacity {
            capacity += capacity / 2
            elements = Self.resize(elements, capacity)
        }
        elements[count] = UInt32(truncatingIfNeeded: element)
        count += 1
    }

    func popLast() -> Int? {
        guard count > 0 else { return nil }
        count -= 1
        return Int(elements[count])
    }
}
