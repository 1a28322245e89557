import Foundation
import GameprofBasics
import GameprofTrace

/// A search of the heap of an image: what nothing reaches, living cycles, the paths that were asked for, and the graph.
struct HeapSearch {
    /// A search for leaks does without the graph of more blocks, unless closures hold what may be growth, and without the tasks among
    /// them.
    private static let smallGraph = 100_000

    /// A search for leaks does not look for cycles by counts in more blocks, and no search for living cycles: of two million objects with
    /// random references that took 1.5 seconds of 12.
    private static let mostSearched = 1_000_000

    /// Memory that the whole report takes for each block, dominators and paths included; measured: 56 to 65 for a block with one to three references.
    private static let graphBytes: UInt64 = 100

    private(set) var snapshot = HeapSnapshot(
        begin: HeapBeginRecord(trigger: .onRequest, snapshot: SnapshotID(rawValue: 1)))
    let graph: BlockGraph
    let roots: ImageRoots
    var types: TypeTable { graph.types }
    /// The loaded executables and libraries.
    let images: [ImageRecord]
    /// Sentences about what was not searched for.
    private(set) var notes: [String] = []
    /// Cycles that are lost unless a running thread, whose stack shows them, uses them.
    private(set) var hiddenCount = 0
    /// Blocks on cycles that only words without a type name, and what these alone hold.
    private var lostCycles: [Int] = []
    /// Addresses of the lost blocks whose stacks are known.
    private(set) var lostAddresses: [UInt64] = []
    private let questions: HeapQuestions
    private let clone: FrozenClone?
    private let stale: StaleWords?
    /// Cycles are looked for.
    private let seeksCycles: Bool
    /// Whatever was not read may name any block.
    private let isWhole: Bool
    private var isWritten: Bool

    /// - Parameters:
    ///   - findRoots: the words that name blocks of the graph.
    ///   - clone: the process to which the blocks belong, if the recorder has said where its words stand.
    /// - Throws: where the machine's memory does not suffice.
    init(
        _ image: MemoryImage, _ blocks: BlockMap, _ questions: HeapQuestions, clone: FrozenClone? = nil,
        findRoots: (BlockGraph) -> ImageRoots
    ) throws(MemoryImageError) {
        let start = DispatchTime.now().uptimeNanoseconds
        (self.questions, self.clone) = (questions, clone)
        let most = clone == nil ? Self.smallGraph : Self.mostSearched
        seeksCycles = blocks.count <= most || questions.graph == .always
        isWritten = questions.graph == .always || questions.graph == .whereSmall && blocks.count <= Self.smallGraph
        let hasGraph = seeksCycles || isWritten || questions.seeksPaths || questions.seeksTasks
        try MemoryImageError.checkRoom(
            UInt64(blocks.count) * (hasGraph ? Self.graphBytes : 24), for: "search in \(blocks.count) blocks",
            remedy: hasGraph ? "gameprof leaks needs less" : "take a core file to a larger machine")
        let found = ELFImages(image)
        images = found.records
        let graph = BlockGraph(Metadata.Space(image, found, blocks))
        let stale = clone.map { StaleWords($0, graph) }
        graph.filledEnds = stale?.filledEnds ?? [:]
        let threads = clone?.threadPointers ?? image.threadPointers
        let cached = stale?.blocks ?? []
        (self.graph, self.stale) = (graph, stale)
        roots = findRoots(graph)
        graph.filling = roots.filling
        isWhole = image.unread.isEmpty
        let reached = try reach(stale: cached)
        snapshot.unread = isWhole ? nil : image.unread.clause
        var heap = hasGraph ? LiveHeapPass.heap(graph, reached, clone) : nil
        let (byPointer, told) = releaseLostCycles(&heap, reached)
        snapshot.tasks = try findTasks(&heap, reached, threads, cached)
        let (living, targets) = heap.map { findPaths($0, byPointer) } ?? ([], nil)
        if isWritten, let heap { snapshot.graph = UntoldReferences(graph, heap, reached).completed(told) }
        heap = nil
        list(living, byPointer, targets, reached)
        if let clone, !questions.seeksPathsAlone, var footprint = clone.footprint {
            MappingReferrers(clone, graph.blocks).find(for: &footprint.ranges)
            snapshot.resident = footprint.facts(graph, clone.malloc) { clone.entry($0).stack }
        }
        snapshot.end?.analysis = DispatchTime.now().uptimeNanoseconds - start
        if !seeksCycles {
            notes.insert(
                "Cycles of living objects through closures, and lost ones that a stale word names, were not searched for: "
                    + "there are more than \(NumberFormat.count(most, "block")).", at: 0)
        }
    }

    /// Searches the heap of a frozen copy.
    /// - Throws: where the machine's memory does not suffice.
    init(_ clone: FrozenClone) throws(MemoryImageError) {
        try self.init(clone.image, clone.blocks, clone.questions, clone: clone) { ImageRoots.find(clone, $0) }
    }

    private func reach(stale: [Int], suspended: [Int] = []) throws(MemoryImageError) -> Reachability {
        let reached = try Reachability(graph, from: roots.roots, stale: stale, suspended: suspended)
        reached.markUntold(in: roots.ranges)
        if !isWhole { reached.markByUnread() }
        return reached
    }

    // MARK: - Tasks

    /// What tasks wait for; nil: it is not to be found out. Unmarks those that are lost with what they alone hold.
    private func findTasks(
        _ heap: inout LiveHeap?, _ reached: Reachability, _ threads: [(thread: UInt32, pointer: UInt64)],
        _ cached: [Int]
    ) throws(MemoryImageError) -> TaskList? {
        guard questions.seeksTasks || !questions.seeksPathsAlone else { return nil }
        guard graph.hasTasks else { return TaskList() }
        guard let whole = heap, questions.seeksTasks || graph.blocks.count <= Self.smallGraph else {
            var list = TaskList()
            list.isOmitted = true
            return list
        }
        // What a search for leaks takes for living, because an unused continuation names it, nothing can resume.
        let unused = clone == nil ? CachedContinuations(graph).blocks(of: threads) : cached
        func exact(_ suspended: [Int]) throws(MemoryImageError) -> Reachability {
            let exact = try reach(stale: unused, suspended: suspended)
            exact.release(lostCycles)
            return exact
        }
        let search = try TaskSearch(
            graph, whole, clone == nil && !unused.isEmpty ? exact([]) : reached, threads, roots.ranges,
            stale: Set(unused), isWhole: isWhole && graph.blocks.scanned == nil, reach: exact)
        reached.release(search.lostBlocks)
        for block in search.lostBlocks { heap?.flags[block].remove(.reachable) }
        return search.list
    }

    // MARK: - Cycles

    /// Unmarks cycles that only words without a type name, and what they alone hold. Meanwhile a large heap that is to be written is
    /// walked, over references that stay.
    private mutating func releaseLostCycles(
        _ heap: inout LiveHeap?, _ reached: Reachability
    ) -> (byPointer: [Int], told: RootWalk?) {
        guard isWritten, let whole = heap, isShared(blocks: whole.count) else {
            return (findLostCycles(&heap, reached), nil)
        }
        return sideBySide({ findLostCycles(&heap, reached) }, { UntoldReferences.walk(whole) })
    }

    /// - Returns: members of those that a pointer without a count names.
    private mutating func findLostCycles(_ heap: inout LiveHeap?, _ reached: Reachability) -> [Int] {
        guard seeksCycles, let whole = heap else { return [] }
        var held = roots.held
        for block in reached.encoded.map(\.block) + reached.awaited { held.insert(block) }
        for block in graph.metadataBlocks { held.insert(block) }
        var cycles = CountedCycles(
            whole, held: held, running: clone == nil ? held : roots.running,
            room: stale?.room ?? BitSet(count: whole.count), guessing: graph.guessing,
            frames: clone == nil ? BitSet(count: whole.count) : graph.taskFrames,
            holdsAddress: clone == nil ? { _, _ in true } : { [graph] in graph.holdsAddress($0, of: $1) })
        // The recorder counts what a word of C memory names as living.
        if clone == nil, isWhole { cycles.addOwned() }
        reached.release(cycles.lost)
        lostCycles = cycles.lost
        for block in cycles.lost { heap?.flags[block].remove(.reachable) }
        guard clone != nil else { return [] }
        hiddenCount = cycles.hiddenCount
        return cycles.heldByPointer
    }

    // MARK: - Paths

    /// The blocks to be listed though they live: those on paths that were asked for, and living cycles with their holders.
    private mutating func findPaths(_ heap: LiveHeap, _ byPointer: [Int]) -> (living: [Int], targets: PathTargets?) {
        var known: RootWalk?
        func walk(_ wanted: [Int]) -> RootWalk {
            let walk =
                known
                ?? RootWalk(
                    HoldingGraph(heap: heap), heap.roots, libc: roots.libc, stale: stale?.blocks ?? [], wanted: wanted)
            known = walk
            return walk
        }
        var living: [Int] = []
        var targets: PathTargets?
        if questions.seeksPaths {
            var asked = PathTargets(
                questions, heap, graph.types, exact: graph.blocks.exact, isInstance: isInstance)
            let walk = walk(asked.wanted)
            asked.choose(walk, isInstance: isInstance)
            living = asked.blocks(walk)
            isWritten = isWritten || questions.graph == .whereSmall && asked.closuresHoldGrowing(walk)
            targets = asked
        }
        if isWhole, seeksCycles, !questions.seeksPathsAlone {
            living += LivingCycles(heap, graph.types, heldByPointer: byPointer) { walk([]) }.blocks
        }
        return (living, targets)
    }

    private func isInstance(_ block: Int) -> Bool {
        let block = graph.blocks[block]
        guard let type = graph.type(of: block), type.kind == .classInstance else { return false }
        return !ReferenceCounts(of: block.start, in: graph.memory).isDeiniting
    }

    // MARK: - The result

    private mutating func list(_ living: [Int], _ byPointer: [Int], _ targets: PathTargets?, _ reached: Reachability) {
        var lost = LostObjects(graph, reached, lists: !questions.seeksPathsAlone, living: living, clone)
        lost.mark(byPointer, .heldByPointer)
        (snapshot.objects, snapshot.references, snapshot.roots) = (lost.objects, lost.references, lost.roots)
        snapshot.targets = targets?.answers(number: lost.id) ?? []
        snapshot.lost = lost.rows
        var end = HeapEndRecord(
            snapshot: snapshot.begin.snapshot, blocks: UInt64(graph.blocks.count), bytes: reached.bytes,
            swiftObjects: reached.swiftObjects, listedObjects: UInt64(lost.objects.count))
        var untyped = UntypedBlocks()
        reached.visitUnreached { block in
            let type = graph.type(of: block)
            end.unreachableBlocks += 1
            end.unreachableBytes &+= type?.requested(of: block.size) ?? block.size
            if type == nil { untyped.add(block) }
            if let entry = clone?.entry(block), !entry.stack.isNone { lostAddresses.append(block.start) }
        }
        snapshot.end = end
        if clone == nil, !questions.seeksTasks,
            let sentence = untyped.sentence(besides: lost.objects, of: reached.bytes)
        {
            notes.append(sentence)
        }
    }
}
