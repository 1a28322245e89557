import GameprofBasics

/// The stack of a thread at a moment (`gp_sample`).
public struct SampleRecord: Hashable, Sendable {
    /// What the thread was doing.
    public enum Kind: UInt8, Sendable, Codable {
        /// It computed.
        case computing = 0
        /// It waited: for a lock, for time to pass, for another thread, for input.
        case waiting = 1
    }

    public var kind: Kind
    /// It waited without being interruptible, usually for a disk.
    public var isDiskWait: Bool
    /// Periods of `SamplingRecord` that it stands for.
    public var weight: UInt16
    /// None: it could not be read.
    public var stack: StackID
    /// Nanoseconds since recording began.
    public var time: UInt64

    public init(
        kind: Kind = .computing, isDiskWait: Bool = false, weight: UInt16 = 1, stack: StackID, time: UInt64
    ) {
        self.kind = kind
        self.isDiskWait = isDiskWait
        self.weight = weight
        self.stack = stack
        self.time = time
    }
}

/// How long a thread was ready to run without a processor, since it was looked at before (`gp_unscheduled`).
public struct UnscheduledRecord: Hashable, Sendable {
    public var microseconds: UInt32
    /// Nanoseconds since recording began.
    public var time: UInt64
}

/// What the samples behind it in its chunk were taken at (`gp_work`).
public struct WorkRecord: Hashable, Sendable {
    public enum Kind: UInt8, Sendable, Codable {
        case unknown = 0
        /// A queue of libdispatch's, by its label.
        case queue = 1
        /// A task, by the name that it was given.
        case task = 2
    }

    public var kind: Kind
    /// Label or name, cut to 127 bytes; empty where unknown.
    public var name: String = ""
}

/// How samples were taken (`gp_sampling`).
public struct SamplingRecord: Hashable, Sendable {
    /// What asks for a sample (`GP_SAMPLED_BY_*`).
    public enum Source: UInt8, Sendable, Codable {
        /// A task-clock perf event of each thread.
        case perfEvent = 0
        /// A timer on each thread's CPU clock.
        case cpuTimer = 1
    }

    public var source: Source = .perfEvent
    /// Nanoseconds of CPU time between two samples of a thread.
    public var period: UInt64
    /// Nanoseconds between two looks at waiting threads; 0: they were not looked at.
    public var waitPeriod: UInt64 = 0
    /// Which way was chosen, and why.
    public var sentence: String = ""

    package init(source: Source = .perfEvent, period: UInt64, waitPeriod: UInt64 = 0, sentence: String = "") {
        (self.source, self.period, self.waitPeriod, self.sentence) = (source, period, waitPeriod, sentence)
    }
}

/// What a thread used in all while it was sampled (`gp_thread_time`). Times in nanoseconds.
public struct ThreadTimeRecord: Hashable, Sendable {
    public var thread: ThreadID
    /// User and system time.
    public var cpu: UInt64
    /// Of that, in the kernel.
    public var system: UInt64 = 0
    /// Samples that came at a moment when none could be taken.
    public var lost: UInt64 = 0

    package init(thread: ThreadID, cpu: UInt64, system: UInt64 = 0, lost: UInt64 = 0) {
        (self.thread, self.cpu, self.system, self.lost) = (thread, cpu, system, lost)
    }
}

/// Not every block was recorded (`gp_block_sampling`).
public struct BlockSamplingRecord: Hashable, Sendable {
    /// Mean bytes between two samples, R: a block of S bytes is sampled with p = 1 − e^(−S/R).
    public var mean: UInt64
    /// Heap snapshots know all blocks nevertheless.
    public var knowsAll: Bool = false
}

/// A sampled block that lived when recording ended (`gp_sampled_live`).
public struct SampledLiveRecord: Hashable, Sendable {
    /// None: not a Swift object.
    public var type: TypeID
    public var stack: StackID
    /// Requested bytes.
    public var size: UInt64
}

/// Retains or releases by one call, since the record before it (`gp_reference_counting`).
public struct ReferenceCountingRecord: Hashable, Sendable {
    /// What is counted as one.
    public struct Call: Hashable, Sendable {
        /// The return address of the call alone, and above it the function that ended in a jump to the runtime's; of a sample
        /// the whole stack.
        public var stack: StackID
        /// None: not known.
        public var type: TypeID
        public var releases: Bool
        public var isAtomic: Bool
    }

    public struct Tally: Hashable, Sendable {
        public var calls: UInt64 = 0
        /// By how much the calls changed strong counts: one call may add several references.
        public var changes: UInt64 = 0
        /// How many of the calls were for objects that have no count, so that nothing was changed.
        public var immortal: UInt64 = 0

        mutating func add(_ other: Tally) {
            calls.add(clamping: other.calls)
            changes.add(clamping: other.changes)
            immortal.add(clamping: other.immortal)
        }
    }

    public var call: Call
    /// The stack stands for `tally.calls` of those that other records count.
    public var isSampled: Bool
    public var tally: Tally
}
