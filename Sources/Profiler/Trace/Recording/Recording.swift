/// Everything that a trace says, read into memory: what reports are made from.
public struct Recording: Sendable {
    /// The program, as it was started; nil when the trace does not say.
    public var program: ProgramRecord?
    /// The process that it was a copy of; nil: it was not made by fork.
    public var fork: ForkRecord?
    /// How the program ended; nil when the trace does not say.
    public var exit: ProgramExitRecord?
    /// The last fault or abort() that was about to end the program.
    public var crash: CrashRecord?
    /// Wall clock when recording began, in nanoseconds since 1970.
    public var startUnixNanoseconds: UInt64 = 0
    /// What the recording was made on, by name: `processor`, `cores` …; empty in a trace of an older recorder.
    public var environment: [String: String] = [:]
    /// Memory of the process in the machine's memory over time.
    public var residentMemory = ResidentMemory()
    /// Nanoseconds between the start of recording and its end.
    public var wallNanoseconds: UInt64 = 0
    public var images = ImageMap()
    public var frames = FrameTree()
    public var types = TypeTable()
    /// Names that the trace holds itself.
    public var symbols = StoredSymbols()
    public var threadNames: [ThreadID: String] = [:]
    /// Where the threads of a core file stood, that which a signal ended first.
    public var threadStacks: [ThreadStackRecord] = []
    public var heapSnapshots: [HeapSnapshot] = []
    /// Uses of dead objects, in the order of the trace.
    public var zombies: [ZombieRecord] = []
    public var zombieSummary: ZombieSummaryRecord?
    /// Retains and releases of objects whose history is kept.
    public var countChanges: [CountChangeRecord] = []
    public var allocations = AllocationSummary()
    /// Of the types that `--objects` named.
    public var objects = ObjectList()
    public var samples = SampleTable()
    /// How samples were taken; nil: none were.
    public var sampling: SamplingRecord?
    public var threadTimes: [ThreadTimeRecord] = []
    /// When threads were ready to run without a processor, in order of time; none where waiting threads were not looked at.
    public var unscheduled: [ThreadID: [UnscheduledRecord]] = [:]
    public var probes = ProbeSummary()
    /// The same one by one, a million at most.
    public var probeTimeline = ProbeTimeline()
    /// The program's debug log, in order of time.
    public var log: [LogRecord] = []
    /// Where generations of allocations begin, in order of time.
    public var marks: [MarkRecord] = []
    /// The allocation that was made to fail; nil: none was to fail.
    public var failedAllocation: FailedAllocationRecord?
    /// By stack that allocates: where the first of its objects was freed.
    public var firstFrees: [StackID: StackID] = [:]
    public var files = FileUses()
    public var referenceCounts = ReferenceCounts()
    public var capture = CaptureSummary()

    /// What a reader calls a thread: `main`, its own name, else its number.
    public func threadName(_ thread: ThreadID) -> String {
        UInt64(thread.rawValue) == program?.pid ? "main" : threadNames[thread] ?? "\(thread)"
    }

    public init() {}
}

/// How complete a recording is.
public struct CaptureSummary: Sendable {
    /// Allocations and frees that the trace holds.
    public var events: UInt64 = 0
    /// Events that could not be stored.
    public var dropped: UInt64 = 0
    /// The trace is cut off or damaged, or memory of the process could not be read: `problems` says how.
    public var isTruncated = false
    /// The program ended before its recorder could come to an end: a signal ended it, or a system call of its own.
    public var isCut = false
    /// Sentences about what is missing, for the report's reader.
    public var problems: [String] = []
    /// Sentences of the recorder that the report's reader should know.
    public var notes: [String] = []
    /// Records of kinds that this version does not know; they were skipped.
    public var unknownRecords: UInt64 = 0
}
