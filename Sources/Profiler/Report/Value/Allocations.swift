extension Report {
    /// Every allocation of the recording, counted exactly.
    public struct Allocations: Codable, Hashable, Sendable {
        public var totals: Counts
        /// When the peak was reached, in seconds since recording began.
        public var peakSeconds: Double
        /// Most bytes first.
        public var byType: [TypeRow]
        /// Most bytes first.
        public var byStack: [StackRow]
        /// In order of time.
        public var timeline: [Point]
        /// Types and stacks that the lists leave out; their counts are in the totals.
        public var omittedTypes: Int
        public var omittedStacks: Int

        public init(totals: Counts = Counts(), peakSeconds: Double = 0) {
            self.totals = totals
            self.peakSeconds = peakSeconds
            byType = []
            byStack = []
            timeline = []
            omittedTypes = 0
            omittedStacks = 0
        }
    }

    /// Counts of a group of allocations; bytes are those that the program asked for.
    public struct Counts: Codable, Hashable, Sendable {
        public var allocations: UInt64 = 0
        public var frees: UInt64 = 0
        public var bytes: UInt64 = 0
        public var liveCount: UInt64 = 0
        public var liveBytes: UInt64 = 0
        public var peakBytes: UInt64 = 0
        /// Blocks that their thread freed before it allocated another.
        public var temporary: UInt64 = 0

        public init() {}
    }

    /// All allocations of one type. In JSON the counts stand beside the type.
    public struct TypeRow: Codable, Hashable, Sendable {
        public var type: String
        public var counts: Counts

        public init(type: String, counts: Counts) {
            self.type = type
            self.counts = counts
        }

        private enum Key: String, CodingKey { case type }

        public init(from decoder: any Decoder) throws {
            type = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .type)
            counts = try Counts(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try counts.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(type, forKey: .type)
        }
    }

    /// All allocations of one stack. In JSON the counts stand beside the stack.
    public struct StackRow: Codable, Hashable, Sendable {
        /// The type that most of its blocks had.
        public var type: String
        public var counts: Counts
        public var allocatedBy: CallStack

        public init(type: String, counts: Counts, allocatedBy: CallStack) {
            self.type = type
            self.counts = counts
            self.allocatedBy = allocatedBy
        }

        private enum Key: String, CodingKey { case type, allocatedBy }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            type = try container.decode(String.self, forKey: .type)
            allocatedBy = try container.decode(CallStack.self, forKey: .allocatedBy)
            counts = try Counts(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try counts.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(type, forKey: .type)
            try container.encode(allocatedBy, forKey: .allocatedBy)
        }
    }

    /// A point of the memory timeline.
    public struct Point: Codable, Hashable, Sendable {
        /// Since recording began.
        public var seconds: Double
        /// Highest live bytes since the point before.
        public var liveBytes: UInt64
        public var liveCount: UInt64
        /// Allocations since recording began.
        public var allocations: UInt64

        public init(seconds: Double, liveBytes: UInt64, liveCount: UInt64 = 0, allocations: UInt64 = 0) {
            self.seconds = seconds
            self.liveBytes = liveBytes
            self.liveCount = liveCount
            self.allocations = allocations
        }
    }
}
