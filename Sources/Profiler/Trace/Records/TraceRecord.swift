/// A record of a trace. Those of an instrument are a group of their own, so that a `switch` over them needs no `default`:
/// a new record does not compile until every reader of records handles it.
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
    case resident(ResidentRecord)
    case image(ImageRecord)
    case typeName(TypeNameRecord)
    case threadName(ThreadNameRecord)
    case threadStack(ThreadStackRecord)
    case program(ProgramRecord)
    case programExit(ProgramExitRecord)
    case crash(CrashRecord)
    case environment(EnvironmentRecord)
    case loss(RemarkRecord)
    case note(RemarkRecord)
    case symbol(Symbol)
    case heap(Heap)
    /// Blocks of one type and stack that lived when the program ended without a snapshot.
    case liveType(HeapCensusRecord)
    case failedAllocation(FailedAllocationRecord)
    case listedObject(ListedObjectRecord)
    case firstFree(FirstFreeRecord)
    case forked(ForkRecord)
    case zombie(Zombie)
    case sampling(Sampling)
    case probe(Probe)
    case file(File)
    /// A record of a kind that this version does not know; `size` is its length in bytes.
    case unknown(kind: UInt8, size: Int)

    /// A name that the tool stored after the recording.
    public enum Symbol: Hashable, Sendable {
        case text(SymbolTextRecord)
        case address(SymbolRecord)
        case source(SymbolSourceRecord)
    }

    /// A record of a heap snapshot: it belongs to the last `begin` before it.
    public enum Heap: Hashable, Sendable {
        case begin(HeapBeginRecord)
        case census(HeapCensusRecord)
        case lost(HeapCensusRecord)
        case residentMap(ResidentMapRecord)
        case residentRange(ResidentRangeRecord)
        /// Pages that are mostly free but for blocks of one type and stack: `count` pages with `bytes` free bytes.
        case pinned(HeapCensusRecord)
        /// Large blocks of which `bytes` are not in the machine's memory.
        case untouched(HeapCensusRecord)
        /// Large collections with `bytes` resident bytes of capacity that no element uses.
        case unused(HeapCensusRecord)
        case object(HeapObject)
        case reference(HeapReference)
        case root(HeapRoot)
        case target(HeapTarget)
        case nodes(HeapNodesRecord)
        case label(HeapLabelRecord)
        /// What keeps a block of the graph alive.
        case graphRoot(HeapRoot)
        case generation(GenerationRecord)
        case expectation(ExpectationRecord)
        case image(HeapImageRecord)
        /// The list of tasks, without them: each follows.
        case tasks(TaskList)
        case task(TaskFacts)
        case end(HeapEndRecord)
    }

    /// A record of the quarantine, or of the history of an object's count.
    public enum Zombie: Hashable, Sendable {
        case use(ZombieRecord)
        case summary(ZombieSummaryRecord)
        case countChange(CountChangeRecord)
    }

    /// A record of the time instrument, or of the blocks that are sampled.
    public enum Sampling: Hashable, Sendable {
        case sample(SampleRecord)
        /// The thread that held the lock for which the sample right behind it waits.
        case lockHolder(ThreadID)
        case unscheduled(UnscheduledRecord)
        case method(SamplingRecord)
        case threadTime(ThreadTimeRecord)
        case work(WorkRecord)
        case blocks(BlockSamplingRecord)
        case liveBlock(SampledLiveRecord)
        case referenceCounting(ReferenceCountingRecord)
    }

    /// A record of what the program did with files.
    public enum File: Hashable, Sendable {
        case name(FileNameRecord)
        case use(FileUseRecord)
        /// So many open sockets got another name with their peer.
        case renamed(from: FileID, to: FileID, count: UInt64)
        case open(OpenFileRecord)
    }

    /// What the program says of itself.
    public enum Probe: Hashable, Sendable {
        case event(ProbeRecord)
        /// The value of the counter right before it.
        case value(Double)
        case name(ProbeNameRecord)
        case clock(ClockRecord)
        case log(LogRecord)
        case mark(MarkRecord)
    }
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
}
