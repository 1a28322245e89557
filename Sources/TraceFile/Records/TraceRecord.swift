/// A record of a trace.
public enum TraceRecord: Hashable, Sendable {
    case allocation(AllocationRecord)
    case free(FreeRecord)
    /// A block that its thread freed before it allocated another: both events in one.
    case temporary(FreeRecord)
    /// The temporary block before it happened that many more times.
    case repetition(UInt64)
    /// The time of what follows in the chunk, in nanoseconds since recording began.
    case time(UInt64)
    /// The thread of what follows in the chunk.
    case thread(ThreadID)
    case threadEnd(ThreadID)
    case frame(FrameRecord)
    case type(TypeRecord)
    case image(ImageRecord)
    case typeName(TypeNameRecord)
    case threadName(ThreadNameRecord)
    case program(ProgramRecord)
    case programExit(ProgramExitRecord)
    case loss(RemarkRecord)
    case note(RemarkRecord)
    case heapBegin(HeapBeginRecord)
    case heapCensus(HeapCensusRecord)
    case heapLost(HeapCensusRecord)
    case heapObject(HeapObject)
    case heapReference(HeapReference)
    case heapRoot(HeapRoot)
    case heapTarget(HeapTarget)
    case heapEnd(HeapEndRecord)
    case zombie(ZombieRecord)
    case zombieSummary(ZombieSummaryRecord)
    case countChange(CountChangeRecord)
    case sample(SampleRecord)
    case sampling(SamplingRecord)
    case threadTime(ThreadTimeRecord)
    case work(WorkRecord)
    case probe(ProbeRecord)
    /// The value of the counter right before it.
    case probeValue(Double)
    case probeName(ProbeNameRecord)
    case clock(ClockRecord)
    case log(LogRecord)
    case mark(MarkRecord)
    case generation(GenerationRecord)
    case expectation(ExpectationRecord)
    /// A record of a kind that this version does not know; `size` is its length in bytes.
    case unknown(kind: UInt8, size: Int)
}

/// Where a record stands.
public struct RecordPosition: Hashable, Sendable {
    /// The chunk's place in the trace.
    public var sequence: UInt64
    /// Of the record in its chunk, in bytes.
    public var offset: Int
    public var thread: ThreadID
    /// Nanoseconds since recording began.
    public var time: UInt64

    public init(sequence: UInt64, offset: Int, thread: ThreadID, time: UInt64) {
        self.sequence = sequence
        self.offset = offset
        self.thread = thread
        self.time = time
    }
}
