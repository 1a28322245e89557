import TraceFile

/// What changed from one recording to another: what `gameprof diff` prints.
public struct ComparisonReport: Codable, Sendable {
    public var schema = "gameprof-diff"
    public var version = 1
    /// Titles of the two recordings: program and arguments.
    public var before: String
    public var after: String
    /// CPU time by function and stack; nil: they have no samples.
    public var time: Weights?
    /// Bytes allocated by function and stack; nil: they recorded no allocations.
    public var memory: Weights?
    /// Allocations by type.
    public var types: [TypeComparison.Row]

    /// Weights of one unit.
    public struct Weights: Codable, Sendable {
        public var unit: Profile.Unit
        public var total: ProfileComparison.Change
        public var functions: [ProfileComparison.Function]
        public var stacks: [ProfileComparison.Stack]
        /// For the page's flame graph; no part of the JSON.
        public var tree = ComparedTree()

        enum CodingKeys: String, CodingKey {
            case unit, total, functions, stacks
        }

        init(before: Profile, after: Profile, limit: Int) {
            let comparison = ProfileComparison(before: before, after: after)
            tree = ComparedTree(before: before, after: after)
            unit = comparison.unit
            total = comparison.total
            functions = Array(comparison.functions.prefix(limit))
            stacks = Array(comparison.stacks.prefix(limit))
        }
    }

    /// Compares two recordings by what both have. `limit`: rows of each list.
    public init(
        before: (Recording, any Symbolicating), after: (Recording, any Symbolicating),
        keepsRuntimeFrames: Bool = false, limit: Int = 200
    ) {
        let recordings = [before.0, after.0]
        let profiles = [before, after].map {
            ProfileBuilder.build($0.0, symbolicator: $0.1, keepsRuntimeFrames: keepsRuntimeFrames)
        }
        self.before = profiles[0].title
        self.after = profiles[1].title
        types = Array(TypeComparison(before: before.0, after: after.0).rows.prefix(limit))
        if recordings.allSatisfy({ !$0.samples.entries.isEmpty }) {
            time = Weights(before: profiles[0], after: profiles[1], limit: limit)
        }
        if recordings.allSatisfy({ !$0.allocations.byStack.isEmpty }) {
            let allocated = [before, after].map {
                Profile(allocationsOf: $0.0, symbolicator: $0.1, keepsRuntimeFrames: keepsRuntimeFrames)
            }
            memory = Weights(before: allocated[0], after: allocated[1], limit: limit)
        }
    }

    /// The two have nothing that could be compared.
    public var isEmpty: Bool { time == nil && memory == nil }
}
