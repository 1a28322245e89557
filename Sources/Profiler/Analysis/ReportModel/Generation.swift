extension Report {
    /// What was allocated from a mark to the next and lived when the last snapshot was taken.
    public struct Generation: Codable, Hashable, Sendable {
        /// Blocks of one type, or of one type and stack.
        public struct Survivors: Codable, Hashable, Sendable {
            public var type: String
            public var liveCount: UInt64
            /// Requested bytes.
            public var liveBytes: UInt64
            public var allocatedBy: CallStack?
        }

        /// The name of the mark that began it.
        public var name: String
        /// When it began, since recording began.
        public var seconds: Double
        public var liveCount: UInt64 = 0
        public var liveBytes: UInt64 = 0
        /// Most bytes first.
        public var byType: [Survivors] = []
        /// Most bytes first.
        public var byStack: [Survivors] = []
        /// Stacks that the list leaves out.
        public var omitted: Int = 0
    }
}
