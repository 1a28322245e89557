/// Which graphs of the heap's snapshots are kept while a trace is read.
public enum KeptGraphs: Hashable, Sendable {
    case all
    /// What a report shows: the first, the one at the peak, the last and the one with this number; of those with a result.
    case ofReport(number: Int?)
    /// The roots of each stand among its snapshot's.
    case rootsAlone
}

/// The heaps of a trace need more memory than there is.
public struct HeapTooLarge: Error, Hashable, Sendable {
    /// Of the largest heap.
    public var blocks: Int
    /// In bytes, about.
    public var needed: UInt64

    package init(blocks: Int, needed: UInt64) { (self.blocks, self.needed) = (blocks, needed) }
}

/// Puts the heap records of a trace together into snapshots.
package struct SnapshotAssembler {
    /// What is done with the blocks of graphs.
    var kept = KeptGraphs.all
    /// Images of heaps that nobody has searched are kept.
    var keepsImages = false
    /// Bytes that the graphs and their analysis may take; nil: as many as they need.
    var room: UInt64?
    private var finished: [HeapSnapshot] = []
    private var current: HeapSnapshot?
    private var graph = LiveHeapBuilder()
    /// What a snapshot's image counts, where nobody has searched it.
    private var blocks = BlockCensus()
    private var graphRoots: [HeapRoot] = []
    /// Blocks and references of the finished graphs.
    private var sizes: [(Int, Int)] = []

    init(keeping kept: KeptGraphs = .all) { self.kept = kept }

    /// Goes on with a snapshot that was read before.
    package init(_ snapshot: HeapSnapshot) { current = snapshot }

    /// Takes the next record.
    /// - Throws: `HeapTooLarge`.
    package mutating func note(_ record: TraceRecord.Heap) throws {
        switch record {
        case .begin(let begin):
            close()
            current = HeapSnapshot(begin: begin)
        case .census(let census): current?.census.append(census)
        case .lost(let lost): current?.lost.append(lost)
        case .residentMap(let map): current?.resident.maps.append(map)
        case .residentRange(let range): current?.resident.ranges.append(range)
        case .pinned(let pinned): current?.resident.pinned.append(pinned)
        case .untouched(let untouched): current?.resident.untouched.append(untouched)
        case .unused(let unused): current?.resident.unused.append(unused)
        case .object(let object): current?.objects.append(object)
        case .reference(let reference): current?.references.append(reference)
        case .root(let root): current?.roots.append(root)
        case .target(let target): current?.targets.append(target)
        case .nodes where kept == .rootsAlone: break
        case .label where kept == .rootsAlone: break
        case .image(let part):
            if current != nil { blocks.add(part) }
            if keepsImages { current?.image.append(part) }
        case .graphRoot(let root) where kept == .rootsAlone: graphRoots.append(root)
        case .nodes(let nodes):
            graph.note(nodes)
            try checkRoom()
        case .label(let label): graph.note(label)
        case .graphRoot(let root): graph.note(root)
        case .tasks(let tasks): current?.tasks = tasks
        case .task(let task): current?.tasks?.tasks.append(task)
        case .generation(let generation): current?.generations.append(generation)
        case .expectation(let expectation): current?.expectations.append(expectation)
        case .end(var end):
            if end.hasUnread {
                current?.unread = end.reason
                (end.isCutShort, end.reason, end.hasUnread) = (false, "", false)
            }
            current?.end = end
            close()
        }
    }

    /// All snapshots, in the order of time.
    package mutating func finish() -> [HeapSnapshot] {
        close()
        return finished.sorted { $0.begin.snapshot.rawValue < $1.begin.snapshot.rawValue }
    }

    private mutating func close() {
        guard var snapshot = current else { return }
        snapshot.graph = graph.finish()
        snapshot.census += blocks.rows
        snapshot.generations += blocks.generations
        blocks = BlockCensus()
        snapshot = Self.sound(snapshot)
        if let tasks = snapshot.tasks {
            // Of a long run with a snapshot each second all tasks together would take many times the memory of the last ones.
            let isSound = snapshot.unsoundReason == nil
            for place in finished.indices where isSound || finished[place].unsoundReason != nil {
                finished[place].tasks = nil
            }
            snapshot.tasks = Self.sound(tasks)
        }
        snapshot.roots += graphRoots
        graphRoots = []
        add(snapshot)
        current = nil
        dropGraphs()
        sizes = finished.compactMap { $0.graph.map { ($0.count, $0.targets.count) } }
    }

    /// Of a long run with a snapshot each second all graphs together take many times the memory of one.
    private mutating func dropGraphs() {
        guard case .ofReport(let number) = kept else { return }
        let graphs = finished.indices.filter { finished[$0].graph != nil }
        let sound = graphs.filter { finished[$0].unsoundReason == nil }
        for place in graphs where place != sound.first && place != sound.last {
            let begin = finished[place].begin
            guard begin.trigger != .atPeak, number.map({ $0 != begin.snapshot.rawValue }) ?? true else { continue }
            finished[place].graph = nil
        }
    }

    /// Measured: what a block and a reference take, and what more while a heap is analysed; at most two are at once.
    private enum Cost {
        static let (block, reference): (UInt64, UInt64) = (60, 14)
        static let (analyzedBlock, analyzedReference): (UInt64, UInt64) = (30, 34)
        /// For all else, as the names of functions.
        static let rest: UInt64 = 48 << 20
    }

    private func checkRoom() throws {
        guard let room else { return }
        let sizes = sizes + [graph.size]
        func sum(_ sizes: some Sequence<(Int, Int)>, _ block: UInt64, _ reference: UInt64) -> UInt64 {
            sizes.reduce(0) { $0 + UInt64($1.0) * block + UInt64($1.1) * reference }
        }
        let analyzed = sizes.sorted { $0.0 > $1.0 }.prefix(2)
        let needed =
            Cost.rest + sum(sizes, Cost.block, Cost.reference)
            + sum(analyzed, Cost.analyzedBlock, Cost.analyzedReference)
        if needed > room { throw HeapTooLarge(blocks: analyzed[0].0, needed: needed) }
    }

    /// Of the snapshots at peaks only the last with a result is near the highest one: the others, whose graphs would take
    /// several times the memory, are dropped.
    private mutating func add(_ snapshot: HeapSnapshot) {
        guard snapshot.begin.trigger == .atPeak,
            let place = finished.firstIndex(where: { $0.begin.trigger == .atPeak })
        else { return finished.append(snapshot) }
        let known = finished[place]
        let isSound = (known.unsoundReason == nil, snapshot.unsoundReason == nil)
        if isSound.1 ? !isSound.0 || known.liveBytes < snapshot.liveBytes : !isSound.0 { finished[place] = snapshot }
    }

    /// Without relations to tasks that the list lacks.
    private static func sound(_ list: TaskList) -> TaskList {
        var result = list
        let known = result.tasks.indices
        for position in known {
            if let parent = result.tasks[position].parent, !known.contains(parent) {
                result.tasks[position].parent = nil
            }
            if let occupant = result.tasks[position].occupant, !known.contains(occupant) {
                result.tasks[position].occupant = nil
            }
            if case .task(let other?) = result.tasks[position].status, !known.contains(other) {
                result.tasks[position].status = .task(nil)
            }
        }
        return result
    }

    /// Keeps what holds together: objects numbered 1, 2, 3 … without a gap, and references and roots of such objects.
    private static func sound(_ snapshot: HeapSnapshot) -> HeapSnapshot {
        var result = snapshot
        result.objects.sort { $0.id < $1.id }
        if let gap = result.objects.indices.first(where: { result.objects[$0].id.index != $0 + 1 }) {
            result.objects.removeSubrange(gap...)
        }
        let known = 1...max(result.objects.count, 1)
        let isEmpty = result.objects.isEmpty
        result.references.removeAll { isEmpty || !known.contains($0.from.index) || !known.contains($0.to.index) }
        result.roots.removeAll { isEmpty || !known.contains($0.object.index) }
        result.targets.removeAll { !$0.object.isNone && (isEmpty || !known.contains($0.object.index)) }
        let lost =
            result.objects.count != snapshot.objects.count
            || result.references.count != snapshot.references.count
        if lost, var end = result.end {
            end.isCutShort = true
            if end.reason.isEmpty { end.reason = "records of the heap snapshot are missing" }
            result.end = end
        }
        return result
    }
}
