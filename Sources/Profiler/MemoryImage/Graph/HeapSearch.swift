import Foundation
import GameprofBasics
import GameprofRecording
import GameprofTraceFile

/// A search of the heap of an image: what nothing reaches, living cycles, the paths that were asked for, and the graph.
struct HeapSearch {
    /// A search for leaks does without the graph of more blocks, unless closures hold what may be growth.
    private static let smallGraph = 100_000

    /// A search for leaks does not look for cycles by counts in more blocks, and no search for living cycles: of two million objects with
    /// random references that took 1.5 seconds of 12.
    private static let mostSearched = 1_000_000

    /// Of the whole report, dominators and paths included; measured: 56 to 65 for a block with one to three references.
    private static let graphBytes: UInt64 = 100

    private(set) var snapshot: HeapSnapshot
    let graph: BlockGraph
    let roots: ImageRoots
    var types: TypeTable { graph.types }
    /// The loaded executables and libraries.
    let images: [ImageRecord]
    /// Sentences about what was not searched for.
    private(set) var notes: [String] = []
    /// Cycles that are lost unless a running thread, whose stack shows them, uses them.
    private(set) var hiddenCount = 0
    /// Addresses of the lost blocks whose stacks are known.
    private(set) var lostAddresses: [UInt64] = []

    /// - Parameters:
    ///   - findRoots: the words that name blocks of the graph.
    ///   - clone: of which the blocks are.
    init(
        _ image: MemoryImage, _ blocks: BlockMap, _ questions: HeapQuestions, clone: FrozenClone? = nil,
        findRoots: (BlockGraph) -> ImageRoots
    ) throws(MemoryImageError) {
        let start = DispatchTime.now().uptimeNanoseconds
        let isSmall = blocks.count <= (clone == nil ? Self.smallGraph : Self.mostSearched)
        var isWritten =
            questions.graph == .always || questions.graph == .whereSmall && blocks.count <= Self.smallGraph
        let hasGraph = isSmall || isWritten || questions.seeksPaths
        try MemoryImageError.checkRoom(
            UInt64(blocks.count) * (hasGraph ? Self.graphBytes : 24), for: "search in \(blocks.count) blocks",
            remedy: hasGraph ? "gameprof leaks needs less" : "take a core file to a larger machine")
        let found = ELFImages(image)
        images = found.records
        let graph = BlockGraph(Metadata.Space(image, found, blocks), filledEnds: clone?.filledEnds ?? [:])
        let roots = findRoots(graph)
        (self.graph, self.roots) = (graph, roots)
        let reached = try Reachability(graph, from: roots.roots, stale: clone?.stale ?? [])
        reached.markEncoded(in: roots.ranges)
        // Whatever was not read may name any block.
        let isWhole = image.unread.isEmpty
        if !isWhole { reached.markByUnread() }
        var heap = hasGraph ? graph.liveHeap(reached, clone) : nil
        var (living, byPointer): ([Int], [Int]) = ([], [])
        var targets: PathTargets?
        if let whole = heap {
            if isSmall || questions.graph == .always {
                var held = roots.held
                for block in reached.encoded { held.insert(block) }
                for block in graph.metadataBlocks { held.insert(block) }
                let running = clone == nil ? held : roots.running
                let room = clone?.room ?? BitSet(count: whole.count)
                var cycles = CountedCycles(
                    whole, held: held, running: running, room: room, guessing: graph.guessing)
                // The recorder counts what a word of C memory names as living.
                if clone == nil {
                    if isWhole { cycles.addOwned() }
                } else {
                    byPointer = cycles.heldByPointer
                }
                reached.release(cycles.lost)
                for block in cycles.lost { heap?.flags[block].remove(.reachable) }
                if clone != nil { hiddenCount = cycles.hiddenCount }
            }
        }
        if let whole = heap {
            func isInstance(_ block: Int) -> Bool {
                let block = blocks[block]
                guard let type = graph.type(of: block), type.kind == .classInstance else { return false }
                return !ReferenceCounts(of: block.start, in: image).isDeiniting
            }
            var walk: RootWalk?
            func walked(_ wanted: [Int]) -> RootWalk {
                let made =
                    walk
                    ?? RootWalk(
                        HoldingGraph(heap: whole), whole.roots, libc: roots.libc, stale: clone?.stale ?? [],
                        wanted: wanted)
                walk = made
                return made
            }
            if questions.seeksPaths {
                var asked = PathTargets(questions, whole, graph.types, exact: blocks.exact, isInstance: isInstance)
                let walk = walked(asked.wanted)
                asked.choose(walk, isInstance: isInstance)
                living = asked.blocks(walk)
                isWritten = isWritten || questions.graph == .whereSmall && asked.closuresHoldGrowing(walk)
                targets = asked
            }
            if isWhole, isSmall || questions.graph == .always, !questions.seeksPathsAlone {
                living += LivingCycles(whole, graph.types, heldByPointer: byPointer) { walked([]) }.blocks
            }
        }
        var lost = LostObjects(graph, reached, lists: !questions.seeksPathsAlone, living: living, clone)
        lost.mark(byPointer, .heldByPointer)
        snapshot = HeapSnapshot(
            begin: HeapBeginRecord(trigger: .onRequest, snapshot: SnapshotID(rawValue: 1)),
            objects: lost.objects, references: lost.references, roots: lost.roots,
            targets: targets?.answers(number: lost.id) ?? [])
        snapshot.lost = lost.rows
        snapshot.unread = isWhole ? nil : image.unread.clause
        var unreachable: (count: UInt64, bytes: UInt64) = (0, 0)
        var untyped = UntypedBlocks()
        var lostAddresses: [UInt64] = []
        reached.visitUnreached { block in
            let type = graph.type(of: block)
            unreachable.count += 1
            unreachable.bytes &+= type?.requested(of: block.size) ?? block.size
            if type == nil { untyped.add(block) }
            if let entry = clone?.entry(block), !entry.stack.isNone { lostAddresses.append(block.start) }
        }
        self.lostAddresses = lostAddresses
        snapshot.end = HeapEndRecord(
            snapshot: snapshot.begin.snapshot, blocks: UInt64(blocks.count), bytes: reached.bytes,
            swiftObjects: reached.swiftObjects,
            unreachableBlocks: unreachable.count, unreachableBytes: unreachable.bytes,
            listedObjects: UInt64(lost.objects.count), analysis: DispatchTime.now().uptimeNanoseconds - start)
        if isWritten { snapshot.graph = heap }
        if !isSmall, questions.graph != .always {
            notes.append(
                "Cycles of living objects through closures, and lost ones that a stale word names, were not searched for: "
                    + "there are more than \(NumberFormat.count(clone == nil ? Self.smallGraph : Self.mostSearched, "block"))."
            )
        }
        if clone == nil, let sentence = untyped.sentence(besides: lost.objects, of: reached.bytes) {
            notes.append(sentence)
        }
    }
}
