import CTraceFormat
import GameprofBasics
import GameprofTrace

/// Reads all blocks of a heap once, and makes the graph of them that a trace stores. What a reference names is looked up some
/// thousand references later, in a large heap by another thread.
final class LiveHeapPass {
    private static let labelLimit = 1 << 15

    private let graph: BlockGraph
    private let clone: FrozenClone?
    private var labels: [LabelKey: Int32] = [:]
    /// The heap's, from 1 on.
    private var labelRecords: [HeapLabelRecord] = []
    @exclusivity(unchecked) private var batch: UnresolvedBlocks
    private let resolver: BlockResolver

    /// - Parameters:
    ///   - clone: knows what was asked for, and the stacks.
    ///   - hasThread: blocks are looked up by another thread; nil: in a large heap.
    static func heap(
        _ graph: BlockGraph, _ reached: Reachability, _ clone: FrozenClone?, hasThread: Bool? = nil
    ) -> LiveHeap {
        let references = reached.count + reached.count / 8
        reached.forgetReferences()
        let resolver = BlockResolver(
            graph, references: references, hasThread: hasThread ?? isShared(blocks: graph.blocks.count))
        let pass = LiveHeapPass(graph, clone, resolver)
        pass.readAll(reached)
        var heap = resolver.end(pass.batch)
        heap.roots = reached.roots
        heap.labels += pass.labelRecords
        return heap
    }

    private init(_ graph: BlockGraph, _ clone: FrozenClone?, _ resolver: BlockResolver) {
        (self.graph, self.clone, self.resolver) = (graph, clone, resolver)
        batch = resolver.next(nil)
    }

    private func readAll(_ reached: Reachability) {
        let (blocks, memory) = (graph.blocks, graph.memory)
        var window = MemoryImage.Window()
        blocks.visitAll { block in
            memory.passed(block.start)
            // What the allocator says of a block stands in front of it.
            if window.pointer(block.start - 16, block.size + 16) == nil {
                window = memory.pass(block.start - 16, count: block.size + 16) ?? MemoryImage.Window()
            }
            read(block, isReached: reached.contains(block.number))
        }
        memory.endPass()
    }

    private func read(_ block: BlockMap.Block, isReached: Bool) {
        if batch.rows.count >= UnresolvedBlocks.room { batch = resolver.next(batch) }
        let type = graph.type(of: block)
        var row = UnresolvedBlocks.Row(
            block: block, flags: isReached ? .reachable : [], first: batch.references.count)
        var table: Int?
        if let type {
            let counts = ReferenceCounts(of: block.start, in: graph.memory)
            row.flags.insert(.swift)
            if type.isCounted, !counts.isImmortal { row.flags.insert(.countSure) }
            (row.type, row.strong) = (type.id, counts.strong)
            row.size = type.requested(of: block.size)
            table = graph.blocks.exact(counts.sideTable)
        }
        if let entry = clone?.entry(block) { (row.size, row.stack) = (entry.size, entry.stack) }
        batch.rows.append(row)
        if let table { add(UnresolvedBlocks.Reference(block, table, label: 0, ownership: .strong)) }
        let bare = type == nil && isCancelledWorkItem(block) ? label(Self.cancelled) : 0
        graph.forEachAddress(in: block, type) { reference in
            add(UnresolvedBlocks.Reference(block, reference, label: label(reference)))
        } word: { target in
            add(UnresolvedBlocks.Reference(block, target, label: bare, ownership: .conservative))
        }
    }

    @inline(__always)
    private func add(_ reference: UnresolvedBlocks.Reference) {
        if batch.references.count >= UnresolvedBlocks.room { batch = resolver.next(batch) }
        batch.references.append(reference)
    }

    // MARK: - Labels

    private struct LabelKey: Hashable {
        var kind: HeapReference.Kind
        var path: String
        var function: UInt64
        var declaredBy: UInt64
    }

    private static let cancelled = LabelKey(kind: .raw, path: GP_LABEL_CANCELLED, function: 0, declaredBy: 0)

    /// What libdispatch made of a DispatchWorkItem's closure: four words of a Block, then dispatch_block_private_data_s with its
    /// magic number, flags, and flags of its state, behind which stands how often it ran.
    private func isCancelledWorkItem(_ block: BlockMap.Block) -> Bool {
        guard block.size >= 13 * 8, graph.memory.word(block.start + 4 * 8) == 0xd159_b10c,
            let state = graph.memory.word(block.start + 6 * 8)
        else { return false }
        return state & 1 != 0 && state >> 32 == 0
    }

    /// The number of what a reference is called: the same for each element of a collection.
    private func label(_ reference: FoundReference) -> Int32 {
        guard let step = reference.step else {
            let key = LabelKey(kind: reference.kind, path: "", function: 0, declaredBy: 0)
            return reference.kind == .none ? 0 : label(key)
        }
        let slot = Int(reference.kind.rawValue)
        if reference.function == 0, slot < step.labels.count, step.labels[slot] >= 0 { return step.labels[slot] }
        let number = label(
            LabelKey(
                kind: reference.kind, path: step.path, function: reference.function, declaredBy: reference.declaredBy))
        if reference.function == 0 {
            while step.labels.count <= slot { step.labels.append(-1) }
            step.labels[slot] = number
        }
        return number
    }

    private func label(_ key: LabelKey) -> Int32 {
        if let number = labels[key] { return number }
        guard labels.count < Self.labelLimit else { return 0 }
        let number = Int32(labelRecords.count + 1)
        labels[key] = number
        labelRecords.append(
            HeapLabelRecord(
                number: UInt32(number), kind: key.kind, function: key.function,
                declaredType: graph.number(ofClass: key.declaredBy), path: key.path))
        return number
    }
}
