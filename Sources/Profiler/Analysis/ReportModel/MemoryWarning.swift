extension Report {
    /// A memory warning, and what lived before and after the program had handled it.
    public struct MemoryWarning: Codable, Hashable, Sendable {
        /// When it was sent, since recording began.
        public var seconds: Double
        public var handledSeconds: Double
        /// Requested bytes of all live blocks.
        public var liveBytesBefore: UInt64
        public var liveBytesAfter: UInt64
        /// What stayed, by type, most bytes first.
        public var byType: [Generation.Survivors] = []
        /// What stayed, by stack, most bytes first.
        public var byStack: [Generation.Survivors] = []
        /// Stacks that the list leaves out.
        public var omitted: Int = 0

        /// How much stayed; 0: nothing lived before.
        public var share: Double {
            liveBytesBefore == 0 ? 0 : Double(liveBytesAfter) / Double(liveBytesBefore)
        }
    }
}
