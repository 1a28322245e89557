import TraceFile

/// The samples of a recording as the trace has them, in the order of the trace. 32 bytes a sample; equal ones of a
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
    }

    /// Nanoseconds after which an equal sample begins a new entry: the thread rested in between.
    static let closeness: UInt64 = 20_000_000

    public private(set) var entries: [Entry] = []

    public init() {}

    /// Adds a sample of `thread`.
    public mutating func add(_ sample: SampleRecord, thread: ThreadID) {
        if let last = entries.last, last.thread == thread, last.stack == sample.stack, last.kind == sample.kind,
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
                weight: UInt32(sample.weight), count: 1, kind: sample.kind))
    }

    /// All stacks that samples name.
    public var stacks: Set<StackID> { Set(entries.lazy.map(\.stack)) }
}
