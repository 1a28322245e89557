/// The heap at one moment, as the frozen child of the recorded program described it.
public struct HeapSnapshot: Sendable {
    /// Number, name, time and pause of the snapshot, and how many threads were scanned.
    public var begin: HeapBeginRecord
    /// All live blocks by type and allocation stack.
    public var census: [HeapCensusRecord]
    /// All lost blocks by type and allocation stack, where `objects` are but a sample of them; empty: all are listed.
    public var lost: [HeapCensusRecord] = []
    /// The blocks that are unreachable, on a cycle, or on the path from a root. `objects[i].id.rawValue == i + 1`.
    public var objects: [HeapObject]
    /// References between `objects`. Both ends exist.
    public var references: [HeapReference]
    /// What keeps reachable `objects` alive.
    public var roots: [HeapRoot]
    /// Answers to the question why objects live, in the order of the trace.
    public var targets: [HeapTarget]
    /// Blocks that were made after a mark, by generation, type and allocation stack.
    public var generations: [GenerationRecord] = []
    /// Objects that were expected to be deallocated and were not.
    public var expectations: [ExpectationRecord] = []
    /// All live blocks, where the graph of the heap was asked for.
    public var graph: LiveHeap?
    /// The tasks that had not ended; nil: they were not looked for.
    public var tasks: TaskList?
    /// What of the process was in the machine's memory.
    public var resident = ResidentFacts()
    /// What of the process could not be read, a clause; nil: all that may hold its words was. Otherwise only cycles that their
    /// counts explain are listed as lost, which a pointer without a retain may still name from there.
    public var unread: String?
    /// What a search of the heap reads, where none has been made yet and it was asked for: `Recording.read(trace:)` of the
    /// the room Heap makes the search.
    public var image: [HeapImageRecord] = []
    /// Counts of the whole heap; nil when the trace ends before the snapshot does.
    public var end: HeapEndRecord?

    public init(
        begin: HeapBeginRecord, census: [HeapCensusRecord] = [], objects: [HeapObject] = [],
        references: [HeapReference] = [], roots: [HeapRoot] = [], targets: [HeapTarget] = [],
        end: HeapEndRecord? = nil
    ) {
        self.begin = begin
        self.census = census
        self.objects = objects
        self.references = references
        self.roots = roots
        self.targets = targets
        self.end = end
    }

    /// Of all blocks, in bytes; 0: not known.
    public var liveBytes: UInt64 { end?.bytes ?? 0 }

    /// The object with this number, nil when the snapshot does not list it. O(1).
    public func object(_ id: ObjectID) -> HeapObject? {
        id.isNone || id.index > objects.count ? nil : objects[id.index - 1]
    }

    /// Why no conclusion may be drawn from the snapshot, nil when it is sound.
    public var unsoundReason: String? {
        guard let end else { return "the trace ends inside the heap snapshot" }
        if begin.threadsMissed > 0 {
            let missed = begin.threadsMissed == 1 ? "a thread" : "\(begin.threadsMissed) threads"
            return "\(missed) did not stop in time for the heap snapshot"
        }
        return end.isCutShort ? (end.reason.isEmpty ? "the heap analysis was cut short" : end.reason) : nil
    }
}

/// What was in the machine's memory when a snapshot was taken; empty: not recorded.
public struct ResidentFacts: Sendable {
    public var maps: [ResidentMapRecord] = []
    public var ranges: [ResidentRangeRecord] = []
    /// By type and allocation stack: pages that their blocks alone keep, and the free bytes in them.
    public var pinned: [HeapCensusRecord] = []
    /// By type and allocation stack: large collections, and the bytes of their capacity that no element uses.
    public var unused: [HeapCensusRecord] = []
    /// By type and allocation stack: large blocks, and the bytes of them that are not in the machine's memory.
    public var untouched: [HeapCensusRecord] = []

    public init(
        maps: [ResidentMapRecord] = [], ranges: [ResidentRangeRecord] = [], pinned: [HeapCensusRecord] = [],
        unused: [HeapCensusRecord] = [], untouched: [HeapCensusRecord] = []
    ) {
        self.maps = maps
        self.ranges = ranges
        self.pinned = pinned
        self.unused = unused
        self.untouched = untouched
    }
}
