extension Report {
    /// The objects of the types that were asked for (`--objects`).
    public struct ObjectRows: Codable, Hashable, Sendable {
        /// The longest-lived first, those that lived when recording ended before all others; 10,000 at most.
        public var rows: [ObjectRow]
        /// All that were allocated.
        public var total: Int
        /// Of these, those that lived when recording ended.
        public var live: Int

        /// What the list leaves out.
        public var omitted: Int { total - rows.count }
    }

    /// One object.
    public struct ObjectRow: Codable, Hashable, Sendable {
        public var type: String
        /// Hexadecimal, with `0x`. Later objects may have the same.
        public var address: String
        /// Requested.
        public var bytes: UInt64
        /// Seconds since recording began.
        public var bornSeconds: Double
        /// Absent: it lived when recording ended.
        public var diedSeconds: Double?
        /// The user's innermost function that allocated it; absent without a stack.
        public var function: String?
        public var file: String?
        public var line: Int?
    }
}
