import GameprofBasics

extension Report {
    /// Allocations were recorded, so that those of probes and frames mean something.
    package var countsAllocations: Bool {
        (allocations != nil || capture.instruments.contains(.leaks)) && allocations?.sampled == nil
    }

    /// An interval that the program measured. In JSON the durations stand beside the name.
    public struct Probe: Codable, Hashable, Sendable {
        public var name: String
        public var durations: Durations
        /// On the interval's thread while it was open, nested intervals included; none for one that may end on another
        /// thread.
        public var allocations: UInt64
        public var bytes: UInt64
        /// Begun and not ended.
        public var open: UInt64
        /// Stretches of `bucketSeconds` in which it was open.
        public var activity: [Activity]
        public var bucketSeconds: Double

        public init(
            name: String, durations: Durations, allocations: UInt64 = 0, bytes: UInt64 = 0, open: UInt64 = 0,
            activity: [Activity] = [], bucketSeconds: Double = 0
        ) {
            self.name = name
            self.durations = durations
            self.allocations = allocations
            self.bytes = bytes
            self.open = open
            self.activity = activity
            self.bucketSeconds = bucketSeconds
        }

        private enum Key: String, CodingKey { case name, allocations, bytes, open, activity, bucketSeconds }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            name = try container.decode(String.self, forKey: .name)
            allocations = try container.decode(UInt64.self, forKey: .allocations)
            bytes = try container.decode(UInt64.self, forKey: .bytes)
            open = try container.decode(UInt64.self, forKey: .open)
            activity = try container.decode([Activity].self, forKey: .activity)
            bucketSeconds = try container.decode(Double.self, forKey: .bucketSeconds)
            durations = try Durations(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try durations.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(name, forKey: .name)
            try container.encode(allocations, forKey: .allocations)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(open, forKey: .open)
            try container.encode(activity, forKey: .activity)
            try container.encode(bucketSeconds, forKey: .bucketSeconds)
        }
    }

    /// A stretch of time in which an interval was open.
    public struct Activity: Codable, Hashable, Sendable {
        /// Its beginning, since recording began.
        public var seconds: Double
        /// Of all threads together.
        public var busySeconds: Double
    }

    /// Something that happened at moments.
    public struct ProbeEvent: Codable, Hashable, Sendable {
        public var name: String
        public var count: UInt64
        /// Since recording began; thinned out evenly where there are many.
        public var seconds: [Double]
    }

    /// A value that the program recorded over time.
    public struct Counter: Codable, Hashable, Sendable {
        public struct Point: Codable, Hashable, Sendable {
            public var seconds: Double
            public var value: Double
        }

        public var name: String
        public var count: UInt64
        public var min: Double
        public var max: Double
        public var last: Double
        /// Thinned out evenly where there are many.
        public var points: [Point]
    }

    /// The frames of a game loop.
    public struct FrameLoop: Codable, Hashable, Sendable {
        public var name: String
        public var durations: Durations
        /// Without the intervals that wait for the screen (`present`, `vsync` …) and without waiting for a processor; absent when
        /// there are none.
        public var work: Durations?
        /// Of the median frame, on the loop's thread.
        public var usualAllocations: UInt64?
        /// Of all frames together, on the loop's thread.
        public var allocations: UInt64 = 0
        public var bytes: UInt64 = 0
        /// Those that took the longest first, waiting for the screen left out.
        public var slowest: [Frame]
        /// What is allocated frame by frame, most bytes first: by stacks that allocate in at least half of the frames.
        public var steady: [SteadyAllocation]?
        /// Stacks that this list leaves out.
        public var steadyOmitted: Int?

        /// What counts against a limit.
        package var limited: Durations { work ?? durations }
    }

    /// What a stack allocates frame by frame, on the loop's thread.
    public struct SteadyAllocation: Codable, Hashable, Sendable {
        public var type: String
        /// On average of all frames.
        public var allocationsPerFrame: Double
        public var bytesPerFrame: Double
        public var allocatedBy: CallStack
    }

    /// One frame of a game loop, with what its thread did in it.
    public struct Frame: Codable, Hashable, Sendable {
        public struct Share: Codable, Hashable, Sendable {
            public var name: String
            public var count: UInt64
            public var nanoseconds: UInt64
            /// Without the intervals inside them.
            public var selfNanoseconds: UInt64?
        }

        /// What took longer than in the median frame.
        public struct Excess: Codable, Hashable, Sendable {
            public enum Kind: String, Codable, Sendable {
                /// An interval itself, without those inside it.
                case interval
                /// No interval.
                case rest
                /// A function of the program's that computed, or that waited, with what it called of the libraries.
                case computing, waiting
                /// The thread was ready to run and had no processor.
                case processor
                /// More allocations; the figures are counts.
                case allocations
            }

            public var kind: Kind
            /// Of the interval or the function; empty for the others.
            public var name: String = ""
            /// In this frame: nanoseconds, or allocations.
            public var value: UInt64
            /// In the median frame; for functions the average of all.
            public var usual: UInt64
        }

        /// The longest interval, the longest inside it, and so on: each with at least half of the time around it.
        public struct Path: Codable, Hashable, Sendable {
            public struct Step: Codable, Hashable, Sendable {
                public var name: String
                public var nanoseconds: UInt64
            }

            /// What the frame's thread did in a function of the user's, by its samples.
            public struct Doing: Codable, Hashable, Sendable {
                public var function: String
                /// `lock`, `sleep` …; absent: it computed.
                public var waitsFor: String?
                /// Who held the lock meanwhile; absent: that is not known.
                public var heldBy: String?
                public var holderThread: String?
                public var nanoseconds: UInt64
            }

            public var intervals: [Step]
            /// Most of the time in the innermost of these; absent where samples do not say it.
            public var mostly: Doing?
        }

        /// 1, 2, 3 …
        public var number: UInt64
        /// Its beginning, since recording began.
        public var seconds: Double
        public var nanoseconds: UInt64
        /// Without waiting for the screen or for a processor; absent when it did not.
        public var workNanoseconds: UInt64?
        /// The least that its thread waited for a processor, ready to run; absent when it did not.
        public var processorNanoseconds: UInt64?
        public var allocations: UInt64
        public var bytes: UInt64
        /// Intervals that ended in the frame, the longest total first.
        public var probes: [Share]
        /// Why it was slow, the most first; absent for a frame near the median.
        public var excess: [Excess]?
        /// Where most of its time went; absent for a frame near the median, or where that is not known.
        public var path: Path?

        package var work: UInt64 { workNanoseconds ?? nanoseconds }
        /// The work and the waiting for a processor: what the slowest are ordered by.
        package var took: UInt64 { work &+ (processorNanoseconds ?? 0) }
    }

    /// A line of the program's debug log.
    public struct LogLine: Codable, Hashable, Sendable {
        public var seconds: Double
        /// Name of the thread, or its number.
        public var thread: String
        public var file: String
        public var line: Int
        public var message: String
    }
}
