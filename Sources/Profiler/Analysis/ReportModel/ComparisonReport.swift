import GameprofBasics

/// What changed from one recording to another: what `gameprof diff` prints.
public struct ComparisonReport: Codable, Sendable {
    public var schema = "gameprof-diff"
    public var version = 1
    /// Titles of the two recordings: program and arguments.
    public var before: String
    public var after: String
    /// The recordings as a whole; of each only what both have.
    public var figures: [Figure] = []
    /// Errors, then warnings: new ones first, then those with more instances, fewer, and none any more; nil: one of the two was not
    /// searched.
    public var leaks: [FindingRow]?
    /// Game loops of both; nil: they have none in common.
    public var frames: [DurationRow]?
    /// Intervals that both measured, those whose total changed most first; nil: none.
    public var probes: [DurationRow]?
    /// CPU time by function and stack; nil: they have no samples.
    public var time: Weights?
    /// Bytes allocated by function and stack; nil: they recorded no allocations.
    public var memory: Weights?
    /// Allocations by type.
    public var types: [TypeRow]
    /// Sentences about what of the two could not be compared by name.
    public var notes: [String] = []

    package init(
        before: String, after: String, time: Weights? = nil, memory: Weights? = nil, types: [TypeRow] = []
    ) {
        self.before = before
        self.after = after
        self.time = time
        self.memory = memory
        self.types = types
    }

    /// The two have nothing that could be compared.
    public var isEmpty: Bool {
        time == nil && memory == nil && leaks == nil && figures.isEmpty && frames == nil && probes == nil
    }

    /// What weights are.
    public enum Unit: String, Codable, Sendable {
        /// CPU time, or time of waiting.
        case nanoseconds
        /// Memory that was allocated.
        case bytes
    }

    /// Weight of something in the recording before and in the one after: nanoseconds or bytes.
    public struct Change: Codable, Hashable, Sendable {
        public var before: UInt64 = 0
        public var after: UInt64 = 0

        public init(before: UInt64 = 0, after: UInt64 = 0) {
            self.before = before
            self.after = after
        }

        /// Positive: it grew.
        public var difference: Int64 { Int64(clamping: after) - Int64(clamping: before) }
    }

    /// A function of either recording.
    public struct Function: Codable, Hashable, Sendable {
        public var name: String
        public var module: String
        /// In the function itself.
        public var own: Change = Change()
        /// In it and all that it called; a recursion counts once.
        public var total: Change = Change()
        /// Its own weight differs no more than one run of the same program may from another.
        public var isNoise = false
    }

    /// A stack of either recording.
    public struct Stack: Codable, Hashable, Sendable {
        /// Names of its functions, innermost first; a function that calls itself directly stands once.
        public var functions: [String]
        public var weight: Change
    }

    /// A type of either recording.
    public struct TypeRow: Codable, Hashable, Sendable {
        public var type: String
        public var before: AllocationCounts = AllocationCounts()
        public var after: AllocationCounts = AllocationCounts()

        /// Bytes allocated more (positive) or less.
        public var bytes: Int64 { Int64(clamping: after.bytes) - Int64(clamping: before.bytes) }
        /// Blocks allocated more or less.
        public var allocations: Int64 { Int64(clamping: after.allocations) - Int64(clamping: before.allocations) }
    }

    /// Weights of one unit.
    public struct Weights: Codable, Sendable {
        public var unit: Unit
        public var total: Change
        public var functions: [Function]
        public var stacks: [Stack]
        /// For the page's flame graph; no part of the JSON.
        public var tree = Tree()

        enum CodingKeys: String, CodingKey {
            case unit, total, functions, stacks
        }

        package init(unit: Unit, total: Change, functions: [Function], stacks: [Stack], tree: Tree) {
            self.unit = unit
            self.total = total
            self.functions = functions
            self.stacks = stacks
            self.tree = tree
        }
    }

    /// The call trees of two recordings laid over each other, functions by name: what a differential flame graph draws.
    /// A stack of one recording alone stands in it too, so that nothing that went away is hidden.
    public struct Tree: Hashable, Sendable {
        /// A function below its caller.
        public struct Node: Hashable, Sendable {
            /// −1: the root.
            public var parent: Int
            /// An index of `functions`; −1: the root.
            public var function: Int
            /// Weight of it and all that it called.
            public var weight = Change()

            /// What its box is as wide as.
            package var width: UInt64 { (weight.before &+ weight.after) / 2 }
        }

        /// Callers come first.
        public package(set) var nodes = [Node(parent: -1, function: -1)]
        public package(set) var functions: [Report.Hotspots.CallTree.Function] = []
    }
}
