/// What lived at one moment of a recording.
public struct AllocationLevel: Sendable {
    /// Living blocks of one stack.
    public struct Row: Hashable, Sendable {
        public var stack: StackID
        /// The type that most blocks of the stack had.
        public var type: TypeID
        public var bytes: UInt64
        public var count: UInt64
    }

    static let stackLimit = 200

    /// Nanoseconds since recording began.
    public var time: UInt64
    public var liveBytes: UInt64
    public var liveCount: UInt64
    /// Most bytes first.
    public var byStack: [Row]
    /// How many there are, those that the list leaves out included.
    public var stacks: Int
}
