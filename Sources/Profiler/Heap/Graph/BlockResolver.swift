import Foundation
import GameprofBasics
import GameprofTrace

/// Looks up the blocks that references name, and puts the heap together: in a large one on a thread of its own, while the next
/// blocks are read. Each look at the map misses the caches unless what it needs was fetched before.
final class BlockResolver {
    private static let fetchedAhead = 16

    private let places: BlockMap.Places
    @exclusivity(unchecked) private var heap: LiveHeap
    private let graph: BlockGraph
    private var batches: [UnresolvedBlocks]
    private let (empty, full) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    /// Batches that were handed over.
    private var count = 0
    private var thread: pthread_t?

    init(_ graph: BlockGraph, references: Int, hasThread: Bool) {
        self.graph = graph
        heap = LiveHeap(blocks: graph.blocks.count, references: references)
        places = graph.blocks.places.forAnotherThread()
        batches = [UnresolvedBlocks()]
        guard hasThread else { return }
        batches += [UnresolvedBlocks(), UnresolvedBlocks()]
        let batches = batches
        thread = startThread { [self] in
            var next = 0
            while true {
                full.wait()
                let batch = batches[next % batches.count]
                if batch.isLast { return }
                resolve(batch)
                empty.signal()
                next += 1
            }
        }
    }

    deinit { places.deallocateRemembered() }

    /// Takes a batch, and returns one to be filled.
    func next(_ batch: UnresolvedBlocks?) -> UnresolvedBlocks {
        guard let batch else { return batches[0] }
        guard thread != nil else {
            resolve(batch)
            return batch
        }
        count += 1
        full.signal()
        // One is being resolved, one waits, and one is filled.
        if count >= batches.count { empty.wait() }
        return batches[count % batches.count]
    }

    /// The heap, with the last batch.
    func end(_ batch: UnresolvedBlocks) -> LiveHeap {
        if let thread {
            next(batch).isLast = true
            full.signal()
            pthread_join(thread, nil)
        } else {
            resolve(batch)
        }
        defer { heap = LiveHeap() }
        return heap
    }

    private func resolve(_ batch: UnresolvedBlocks) {
        var next = 0
        func addReferences(upTo end: Int) {
            while next < end {
                if next + Self.fetchedAhead < batch.references.count {
                    batch.references[next + Self.fetchedAhead].fetch(from: places)
                }
                let reference = batch.references[next]
                next += 1
                guard let target = reference.target(in: places) else { continue }
                if reference.isGuessed { graph.guessing.insert(Int(reference.block)) }
                heap.add(
                    target: UInt32(target), label: UInt32(bitPattern: reference.label), ownership: reference.ownership)
            }
        }
        for row in batch.rows {
            addReferences(upTo: row.first)
            heap.add(
                address: row.address, size: row.size, type: row.type, stack: row.stack, strong: row.strong,
                flags: row.flags)
        }
        addReferences(upTo: batch.references.count)
        batch.removeAll()
    }
}

/// Some blocks and what they refer to, in order, before that is looked up.
final class UnresolvedBlocks {
    struct Row {
        var address: UInt64
        var size: UInt64
        var type = TypeID.none
        var stack = StackID.none
        var strong: UInt32 = 0
        var flags: HeapNodeRow.Flags
        /// The position of its first reference; those in front of the first row's are the last block's.
        var first: Int

        init(block: BlockMap.Block, flags: HeapNodeRow.Flags, first: Int) {
            (address, size) = (block.start, block.size)
            (self.flags, self.first) = (flags, first)
        }
    }

    struct Reference {
        private enum Lookup { case exact, inside, done }

        /// What it names: an address, or the number of a block.
        private let word: UInt64
        let block: UInt32
        let label: Int32
        let ownership: Ownership
        private let lookup: Lookup
        let isGuessed: Bool
        /// It names the block in which it stands.
        private let isToItself: Bool

        init(_ block: BlockMap.Block, _ target: Int, label: Int32, ownership: Ownership) {
            (self.block, word) = (UInt32(block.number), UInt64(target))
            (self.label, self.ownership, lookup, isGuessed, isToItself) = (label, ownership, .done, false, true)
        }

        init(_ block: BlockMap.Block, _ reference: FoundReference, label: Int32) {
            (self.block, word) = (UInt32(block.number), reference.target)
            (self.label, ownership, isGuessed) = (label, reference.ownership, reference.isGuessed)
            lookup = reference.ownership == .conservative ? .inside : .exact
            isToItself = reference.target == block.start
        }

        @inline(__always)
        func fetch(from places: BlockMap.Places) { if lookup != .done { _ = places.fetch(word) } }

        @inline(__always)
        func target(in places: BlockMap.Places) -> Int? {
            let target: Int?
            switch lookup {
            case .exact: target = places.exact(word)
            case .inside: target = places.inside(word)
            case .done: return Int(word)
            }
            return target == Int(block) && !isToItself ? nil : target
        }
    }

    /// Rows and references, each.
    static let room = 4096
    @exclusivity(unchecked) var rows: [Row] = []
    @exclusivity(unchecked) var references: [Reference] = []
    /// It is empty, and no other follows.
    var isLast = false

    init() {
        rows.reserveCapacity(Self.room)
        references.reserveCapacity(Self.room)
    }

    func removeAll() {
        rows.removeAll(keepingCapacity: true)
        references.removeAll(keepingCapacity: true)
    }
}
