/// What changed from one heap to another: what `gameprof heap diff` prints.
public struct HeapComparison: Codable, Hashable, Sendable {
    public var schema = "gameprof-heap-diff"
    public var version = 1
    public var before: Side
    /// The second of three snapshots; absent with two.
    public var between: Side?
    public var after: Side
    /// Both are snapshots of one run: objects of both are told apart by their addresses.
    public var isOneRun: Bool
    /// Types that changed, the largest change of retained bytes first; `typesOmitted` more were left out.
    public var types: [TypeRow] = []
    public var typesOmitted = 0
    /// What changed by who holds it, the largest change of retained bytes first; `holdersOmitted` more were left out.
    public var holders: [HolderRow] = []
    public var holdersOmitted = 0
    /// Made after the first and alive at the second and the third of three snapshots, the most bytes first; absent with
    /// two.
    public var survivors: [SurvivorRow]?

    /// One of the two heaps.
    public struct Side: Codable, Hashable, Sendable {
        /// Title of the recording: program and arguments.
        public var program: String
        /// Number and name of the snapshot.
        public var snapshot: Int
        public var name: String
        /// Since recording began.
        public var seconds: Double
        public var objects: Int
        public var bytes: UInt64
    }

    /// Objects and the bytes that would be freed with them, before and after.
    public struct Change: Codable, Hashable, Sendable {
        public var countBefore = 0
        public var countAfter = 0
        public var retainedBefore: UInt64 = 0
        public var retainedAfter: UInt64 = 0

        public var retainedDifference: Int64 { Int64(clamping: retainedAfter) - Int64(clamping: retainedBefore) }
    }

    public struct TypeRow: Codable, Hashable, Sendable {
        public var type: String
        public var change: Change
        /// Objects that are only in the heap after, only in the one before, and in both. Of two runs at least so many.
        public var added: Int
        public var removed: Int
        public var kept: Int
    }

    /// Objects of one type that objects of another alone keep alive.
    public struct HolderRow: Codable, Hashable, Sendable {
        /// The type of what holds them; absent: roots, or several objects, do.
        public var holder: String?
        /// How it refers to them.
        public var field: String?
        public var type: String
        public var change: Change
    }

    /// Objects of one type and stack that stayed.
    public struct SurvivorRow: Codable, Hashable, Sendable {
        public var type: String
        public var count: Int
        public var bytes: UInt64
        public var allocatedBy: CallStack?
    }
}
