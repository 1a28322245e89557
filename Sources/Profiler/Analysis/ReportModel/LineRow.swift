extension Report {
    /// A line of a function. What was not recorded is absent.
    public struct LineRow: Codable, Hashable, Sendable {
        /// In the function's file, from 1.
        public var line: Int
        /// At the line itself: a share of the samples, in `offCPU` seconds.
        public var own: Double?
        /// At the line and in all that it called, likewise.
        public var total: Double?
        /// Made at the line: there, or in functions without source that it called.
        public var allocations: UInt64?
        public var bytes: UInt64?
        /// Bytes that were allocated at the line and in all that it called.
        public var totalBytes: UInt64?

        enum CodingKeys: String, CodingKey {
            case own = "self"
            case line, total, allocations, bytes, totalBytes
        }

        public init(line: Int, own: Double? = nil, total: Double? = nil) {
            self.line = line
            self.own = own
            self.total = total
        }
    }
}
