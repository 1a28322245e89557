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

            public init(type: String, liveCount: UInt64, liveBytes: UInt64, allocatedBy: CallStack? = nil) {
                self.type = type
                self.liveCount = liveCount
                self.liveBytes = liveBytes
                self.allocatedBy = allocatedBy
            }
        }

        /// Of the mark that began it.
        public var name: String
        /// When it began, since recording began.
        public var seconds: Double
        public var liveCount: UInt64
        public var liveBytes: UInt64
        /// Most bytes first.
        public var byType: [Survivors]
        /// Most bytes first.
        public var byStack: [Survivors]
        /// Stacks that the list leaves out.
        public var omitted: Int

        public init(
            name: String, seconds: Double, liveCount: UInt64 = 0, liveBytes: UInt64 = 0, byType: [Survivors] = [],
            byStack: [Survivors] = [], omitted: Int = 0
        ) {
            self.name = name
            self.seconds = seconds
            self.liveCount = liveCount
            self.liveBytes = liveBytes
            self.byType = byType
            self.byStack = byStack
            self.omitted = omitted
        }
    }
}
