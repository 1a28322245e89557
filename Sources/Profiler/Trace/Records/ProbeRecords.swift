/// What a probe wrote (`gp_probe`).
public struct ProbeRecord: Hashable, Sendable {
    /// `GP_PROBE_*`.
    public enum Kind: UInt8, Sendable, Codable {
        case begin = 0x20
        /// The innermost open interval of that name ends.
        case end = 0x21
        /// Begin and end in one: nothing happened on its thread meanwhile.
        case interval = 0x22
        /// An interval begins that may end on another thread.
        case start = 0x23
        /// Such an interval ended.
        case span = 0x24
        /// The same; the `end` right behind says when.
        case longSpan = 0x25
        case event = 0x26
        /// The record right behind has the counter's value.
        case counter = 0x27
        /// A frame of the game loop ends and the next one begins.
        case frame = 0x29
    }

    public var kind: Kind
    public var name: ProbeNameID
    /// Of the clock that `ClockRecord` relates to time; when an interval or span began.
    public var ticks: UInt64
    /// How many ticks an interval or span lasted.
    public var length: UInt32 = 0
}

/// The text of a probe's name (`gp_probe_name`).
public struct ProbeNameRecord: Hashable, Sendable {
    public var id: ProbeNameID
    public var name: String
}

/// What the clock of probes showed at a time (`gp_clock`). Between two of them ticks and time go in proportion.
public struct ClockRecord: Hashable, Sendable {
    /// `GP_CLOCK_*`.
    public enum Source: UInt8, Sendable, Codable {
        case timeStampCounter = 0
        /// Ticks are nanoseconds.
        case monotonic = 1
    }

    public var source: Source = .timeStampCounter
    public var ticks: UInt64
    /// Nanoseconds since recording began.
    public var time: UInt64
}

/// A line of the program's debug log (`gp_log_line`).
public struct LogRecord: Hashable, Sendable {
    /// Nanoseconds since recording began.
    public var time: UInt64
    public var thread: ThreadID = .none
    public var file: String
    public var line: UInt32
    public var message: String
}

/// A generation of allocations begins (`gp_mark_record`).
public struct MarkRecord: Hashable, Sendable {
    /// Nanoseconds since recording began.
    public var time: UInt64
    /// Of the blocks that are allocated from here on: 1, 2, 3 …; before the first mark it is 0.
    public var generation: UInt32
    public var name: String
}

/// Blocks of one generation, type and stack that lived when the snapshot was taken (`gp_generation`).
public struct GenerationRecord: Hashable, Sendable {
    public var generation: UInt32
    /// None: not a Swift object.
    public var type: TypeID
    public var stack: StackID
    public var count: UInt64
    /// Requested bytes.
    public var bytes: UInt64
}

/// An object that the program expected to be deallocated (`gp_expectation`).
public struct ExpectationRecord: Hashable, Sendable {
    /// It still lived when the snapshot was taken.
    public var isAlive: Bool
    /// Address of the object.
    public var object: UInt64
    /// When it was expected to be deallocated, in nanoseconds since recording began.
    public var time: UInt64
    public var type: TypeID
    /// The stack that allocated it.
    public var stack: StackID = .none
    /// In the snapshot; none: not listed there.
    public var listed: ObjectID = .none
    public var file: String = ""
    public var line: UInt32 = 0
}
