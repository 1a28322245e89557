import GameprofBasics

extension Report {
    /// An allocation of the program's own that was made to fail.
    public struct FailedAllocation: Codable, Hashable, Sendable {
        /// Among those that its executable, or Swift's or C++'s runtime on its behalf, asked for since main began; from 1.
        public var number: UInt64
        /// Requested.
        public var bytes: UInt64
        /// Since recording began.
        public var seconds: Double
        public var requestedBy: CallStack
    }

    /// Every allocation of the recording: counted exactly, or estimated from samples.
    public struct Allocations: Codable, Hashable, Sendable {
        /// Absent when every allocation was recorded: then all counts are exact.
        public var sampled: Sampling?
        public var totals: AllocationCounts
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
        /// Objects of the types that were asked for; absent when none were.
        public var objects: ObjectRows?
        /// Functions with source, most bytes of their own first; absent where no stack has one.
        public var functions: [FunctionRow]?
        /// Functions that the list leaves out; absent when it has all.
        public var omittedFunctions: Int?
        /// Stacks of functions with bytes, allocations, live bytes, bytes at the peak and temporary allocations, for the
        /// page's flame graph; no part of the JSON.
        public var callTree = Report.Hotspots.CallTree()
        /// When the rows were allocated, for the page's choice of a part of the run; no part of the JSON.
        public var rowMoments = RowMoments()

        enum CodingKeys: String, CodingKey {
            case sampled, totals, peakSeconds, byType, byStack, timeline, omittedTypes, omittedStacks, objects
            case functions, omittedFunctions
        }

        /// A function with source, and what it allocated. What functions without source allocate counts for their nearest
        /// caller that has source.
        public struct FunctionRow: Codable, Hashable, Sendable {
            public var function: String
            public var module: String
            /// Path of the source file as the debug information names it.
            public var file: String?
            /// The line that allocated most.
            public var line: Int?
            public var allocations: UInt64
            public var bytes: UInt64
            /// Bytes of the function and of all that it called; a recursion counts once.
            public var totalBytes: UInt64
            /// Most bytes of their own first.
            public var lines: [LineRow]
        }

        public init(totals: AllocationCounts = AllocationCounts(), peakSeconds: Double = 0) {
            self.totals = totals
            self.peakSeconds = peakSeconds
            byType = []
            byStack = []
            timeline = []
            omittedTypes = 0
            omittedStacks = 0
        }
    }

    /// How blocks were sampled.
    public struct Sampling: Codable, Hashable, Sendable {
        /// Bytes that a thread asks for between two samples, on average.
        public var meanBytes: UInt64
        /// Share of recordings whose true figure lies in the interval beside an estimate.
        public var confidence: Double = 0.95
    }

    /// Bounds of what an estimate may be.
    public struct Interval: Codable, Hashable, Sendable {
        public var low: UInt64
        public var high: UInt64

        public init(_ range: ClosedRange<UInt64>) {
            low = range.lowerBound
            high = range.upperBound
        }
    }

    /// Bytes and allocations of rows by equal parts of the run. A stack counts for the type that most of its blocks had.
    public struct RowMoments: Hashable, Sendable {
        public struct Entry: Hashable, Sendable {
            /// Index of the row.
            public var row: Int
            /// In `byType`: index of the row's maker; −1: the row has none, or none that is listed.
            public var maker: Int = -1
            public var part: Int
            public var bytes: Int
            public var count: Int
        }

        /// Of a part; 0: not known.
        public var seconds = 0.0
        /// In order of time.
        public var byType: [Entry] = []
        public var byStack: [Entry] = []
    }

    /// All allocations of one type. In JSON the counts stand beside the type.
    public struct TypeRow: Codable, Hashable, Sendable {
        public var type: String
        public var counts: AllocationCounts
        /// Of what has no name of its own (closure contexts, untyped memory): who made it, most bytes first. The counts of
        /// the makers are part of the row's. Absent for types with a name.
        public var makers: [Maker]?

        public init(type: String, counts: AllocationCounts, makers: [Maker]? = nil) {
            self.type = type
            self.counts = counts
            self.makers = makers
        }

        private enum Key: String, CodingKey { case type, makers }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            type = try container.decode(String.self, forKey: .type)
            makers = try container.decodeIfPresent([Maker].self, forKey: .makers)
            counts = try AllocationCounts(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try counts.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(type, forKey: .type)
            try container.encodeIfPresent(makers, forKey: .makers)
        }
    }

    /// Who made blocks without a type's name: the user's innermost function on the stack, or the library if there is none.
    public struct Maker: Codable, Hashable, Sendable {
        /// Empty: the library as a whole.
        public var function: String
        public var module: String
        public var file: String?
        public var line: Int?
        public var counts: AllocationCounts

        public init(
            function: String, module: String, file: String? = nil, line: Int? = nil,
            counts: AllocationCounts = AllocationCounts()
        ) {
            self.function = function
            self.module = module
            self.file = file
            self.line = line
            self.counts = counts
        }

        private enum Key: String, CodingKey { case function, module, file, line }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            function = try container.decode(String.self, forKey: .function)
            module = try container.decode(String.self, forKey: .module)
            file = try container.decodeIfPresent(String.self, forKey: .file)
            line = try container.decodeIfPresent(Int.self, forKey: .line)
            counts = try AllocationCounts(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try counts.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(function, forKey: .function)
            try container.encode(module, forKey: .module)
            try container.encodeIfPresent(file, forKey: .file)
            try container.encodeIfPresent(line, forKey: .line)
        }
    }

    /// All allocations of one stack. In JSON the counts stand beside the stack.
    public struct StackRow: Codable, Hashable, Sendable {
        /// The type that most of its blocks had.
        public var type: String
        public var counts: AllocationCounts
        public var allocatedBy: CallStack

        public init(type: String, counts: AllocationCounts, allocatedBy: CallStack) {
            self.type = type
            self.counts = counts
            self.allocatedBy = allocatedBy
        }

        private enum Key: String, CodingKey { case type, allocatedBy }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            type = try container.decode(String.self, forKey: .type)
            allocatedBy = try container.decode(CallStack.self, forKey: .allocatedBy)
            counts = try AllocationCounts(from: decoder)
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
        public var liveCount: UInt64 = 0
        /// Allocations since recording began.
        public var allocations: UInt64 = 0
        /// Of the live bytes, where they are an estimate; absent: they are exact.
        public var interval: Interval?
    }
}
