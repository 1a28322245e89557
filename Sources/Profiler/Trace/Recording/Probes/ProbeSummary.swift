import GameprofBasics

/// What the probes of a program recorded.
public struct ProbeSummary: Sendable {
    /// An interval that was measured many times.
    public struct Interval: Sendable {
        public var name: String
        /// Nanoseconds.
        public var durations: Durations
        /// Allocations on the interval's thread while it was open, those of nested intervals included; none for those
        /// that may end on another thread.
        public var allocations: UInt64 = 0
        /// Requested bytes of these.
        public var bytes: UInt64 = 0
        /// Begun and not ended.
        public var open: UInt64 = 0
        /// Of these, those that another thread ended, which only the thread may that began them: an error of the program.
        public var endedElsewhere: UInt64 = 0
        /// Seconds since recording began, and how long it was busy from then on for `bucketSeconds`.
        public var activity: [(seconds: Double, busySeconds: Double)] = []
        public var bucketSeconds: Double = 0
    }

    /// Something that happened at moments.
    public struct Event: Sendable {
        public var name: String
        public var count: UInt64
        /// Seconds since recording began, thinned out where there are many.
        public var seconds: [Double]
    }

    /// A value over time.
    public struct Counter: Sendable {
        public var name: String
        public var count: UInt64
        public var min: Double
        public var max: Double
        public var last: Double
        /// Thinned out where there are many.
        public var points: [(seconds: Double, value: Double)]
    }

    /// The frames of a game loop.
    public struct Frames: Sendable {
        public var name: String
        public var durations: Durations
        /// Without waiting for the screen or for a processor; nil: no frame did.
        public var work: Durations?
        /// Own time of each interval in the median frame, in nanoseconds, and time in none.
        public var usual: [String: UInt64]
        public var usualRest: UInt64
        public var usualAllocations: UInt64
        /// Of all frames together that ended on the thread they began on.
        public var allocations: UInt64
        public var bytes: UInt64
        /// The longest first.
        public var slowest: [Frame]
        /// One by one in order of time, 262,144 at most: the first.
        public var all: [FrameFigures] = []
        /// Stacks that allocated in at least half of the frames, on the loop's thread; most bytes first.
        public var steady: [SteadyStack] = []
    }

    /// What a stack allocates frame by frame.
    public struct SteadyStack: Sendable {
        public var stack: StackID
        /// On average of all frames.
        public var allocations: Double
        public var bytes: Double
    }

    /// How long a frame was and what it allocated. Times in nanoseconds, the start since recording began.
    public struct FrameFigures: Hashable, Sendable {
        public var start: UInt64
        public var length: UInt64
        /// Without waiting for the screen or for a processor.
        public var work: UInt64
        /// The least that its thread waited for a processor.
        public var processor: UInt64 = 0
        public var allocations: UInt64 = 0
        public var bytes: UInt64 = 0
        /// That it ended on.
        public var thread = ThreadID.none

        package init(
            start: UInt64, length: UInt64, work: UInt64, processor: UInt64 = 0, allocations: UInt64 = 0,
            bytes: UInt64 = 0, thread: ThreadID = .none
        ) {
            (self.start, self.length, self.work, self.processor) = (start, length, work, processor)
            (self.allocations, self.bytes, self.thread) = (allocations, bytes, thread)
        }
    }

    /// One frame.
    public struct Frame: Sendable {
        /// 1, 2, 3 …
        public var number: UInt64
        public var seconds: Double
        public var nanoseconds: UInt64
        /// Without waiting for the screen or for a processor.
        public var workNanoseconds: UInt64
        /// The least that the loop's thread waited for a processor, ready to run, outside of waiting for the screen.
        public var processorNanoseconds: UInt64 = 0
        /// In no interval.
        public var restNanoseconds: UInt64
        public var thread: ThreadID
        /// On the loop's thread; 0 for a frame that ended on another thread than it began on.
        public var allocations: UInt64
        public var bytes: UInt64
        /// Intervals of the loop's thread that ended in the frame, the longest total first.
        public var probes: [(name: String, count: UInt64, nanoseconds: UInt64, own: UInt64)]
    }

    /// Longest total first.
    public var intervals: [Interval] = []
    public var events: [Event] = []
    public var counters: [Counter] = []
    public var frames: [Frames] = []
    /// Why the probes could not be summarized, else nil.
    public var problem: String?

    public var isEmpty: Bool { intervals.isEmpty && events.isEmpty && counters.isEmpty && frames.isEmpty }
}
