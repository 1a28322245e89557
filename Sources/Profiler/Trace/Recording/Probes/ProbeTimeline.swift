/// The probes of a recording one by one, in nanoseconds since recording began: what viewers of timelines show.
public struct ProbeTimeline: Sendable {
    public struct Interval: Hashable, Sendable {
        public enum Kind: Sendable {
            /// Of one thread: intervals of a thread are nested.
            case interval
            /// It may have ended on another thread.
            case span
            /// A turn of a loop.
            case frame
        }

        public var kind: Kind
        public var name: String
        /// That it ended on.
        public var thread: ThreadID
        public var start: UInt64
        public var end: UInt64
    }

    public struct Moment: Hashable, Sendable {
        public var name: String
        public var thread: ThreadID
        public var time: UInt64
    }

    public struct Value: Hashable, Sendable {
        public var name: String
        public var time: UInt64
        public var value: Double
    }

    /// In the order of their beginning; of the same time the longest first.
    public internal(set) var intervals: [Interval] = []
    public internal(set) var events: [Moment] = []
    public internal(set) var values: [Value] = []
    /// Where generations of allocations begin; of no thread.
    public internal(set) var marks: [Moment] = []
    /// Probes beyond the limit, which are not here.
    public internal(set) var omitted: UInt64 = 0

    public init() {}

    public var isEmpty: Bool { intervals.isEmpty && events.isEmpty && values.isEmpty && marks.isEmpty }

    /// The threads whose probes there are.
    public var threads: Set<ThreadID> { Set(intervals.map(\.thread) + events.map(\.thread)) }

    /// Reads the probes of the trace at `path`, a million at most.
    /// - Throws: `TraceError`.
    public static func read(path: String) throws -> ProbeTimeline {
        var reading = ProbeTimelineReader()
        return try reading.read(try TraceReader(path: path))
    }
}
