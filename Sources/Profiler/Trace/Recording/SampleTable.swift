/// The samples of a recording as the trace has them, in the order of the trace. 40 bytes a sample; equal ones of a
/// thread that follow closely are one.
public struct SampleTable: Sendable {
    /// One or more samples of the same stack in a row.
    public struct Entry: Hashable, Sendable {
        public var thread: ThreadID
        public var stack: StackID
        /// Of the first of them, in nanoseconds since recording began.
        public var time: UInt64
        /// Of the last of them.
        public var end: UInt64
        /// Periods that they stand for together.
        public var weight: UInt32
        /// How many there are.
        public var count: UInt16
        public var kind: SampleRecord.Kind
        /// Index in `works`; −1: not known.
        public var work: Int32 = -1
        /// The thread that held the lock for which it waits; none: it waits for none, or that is not known.
        public var holder = ThreadID.none
    }

    /// Nanoseconds after which an equal sample begins a new entry: the thread rested in between.
    static let closeness: UInt64 = 20_000_000

    public private(set) var entries: [Entry] = []
    /// Queues and tasks that samples were taken at.
    public private(set) var works: [WorkRecord] = []
    private var indices: [WorkRecord: Int32] = [:]

    public init() {}

    /// The index of a queue or task; −1: it is not known.
    public mutating func index(of work: WorkRecord) -> Int32 {
        if work.kind == .unknown { return -1 }
        if let known = indices[work] { return known }
        works.append(work)
        indices[work] = Int32(works.count - 1)
        return Int32(works.count - 1)
    }

    /// Adds a sample of `thread`. `work`: see `index(of:)`.
    public mutating func add(
        _ sample: SampleRecord, thread: ThreadID, work: Int32 = -1, holder: ThreadID = .none
    ) {
        if let last = entries.last, last.thread == thread, last.stack == sample.stack, last.kind == sample.kind,
            last.work == work, last.holder == holder,
            sample.time >= last.end, sample.time - last.end < Self.closeness, last.count < UInt16.max,
            last.weight < UInt32.max - UInt32(sample.weight)
        {
            entries[entries.count - 1].weight += UInt32(sample.weight)
            entries[entries.count - 1].count += 1
            entries[entries.count - 1].end = sample.time
            return
        }
        entries.append(
            Entry(
                thread: thread, stack: sample.stack, time: sample.time, end: sample.time,
                weight: UInt32(sample.weight), count: 1, kind: sample.kind, work: work, holder: holder))
    }

    /// All stacks that samples name.
    public var stacks: Set<StackID> { Set(entries.lazy.map(\.stack)) }
}
