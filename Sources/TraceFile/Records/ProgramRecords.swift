/// What was recorded (`GP_INSTRUMENT_*`).
public struct Instruments: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let allocations = Instruments(rawValue: 1 << 0)
    public static let leaks = Instruments(rawValue: 1 << 1)
    public static let zombies = Instruments(rawValue: 1 << 2)
    public static let time = Instruments(rawValue: 1 << 3)

    /// Names as the command line spells them, in the order of the bits.
    public static let names: [(name: String, instrument: Instruments)] = [
        ("allocations", .allocations), ("leaks", .leaks), ("zombies", .zombies), ("time", .time),
    ]

    /// The names of the instruments in the set.
    public var names: [String] { Self.names.filter { contains($0.instrument) }.map(\.name) }
}

/// The recorded program (`gp_program`).
public struct ProgramRecord: Hashable, Sendable {
    public var pid: UInt64
    public var instruments: Instruments
    /// The recorder was linked into the program; otherwise it was preloaded.
    public var isLinked: Bool
    public var executable: String
    /// The name it was started under first.
    public var arguments: [String]

    public init(
        pid: UInt64 = 0, instruments: Instruments = [.allocations, .leaks], isLinked: Bool = false,
        executable: String, arguments: [String] = []
    ) {
        self.pid = pid
        self.instruments = instruments
        self.isLinked = isLinked
        self.executable = executable
        self.arguments = arguments
    }
}

/// How the program ended (`gp_program_exit`).
public struct ProgramExitRecord: Hashable, Sendable {
    /// How a process ends.
    public enum Status: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    public var status: Status
    /// Nanoseconds from the start of the program to its end.
    public var wall: UInt64

    public init(status: Status, wall: UInt64 = 0) {
        self.status = status
        self.wall = wall
    }
}

/// A sentence of the recorder: what was lost (`GP_LOSS`), or what the reader of a report should know (`GP_NOTE`).
public struct RemarkRecord: Hashable, Sendable {
    /// How many events were lost; not used in a note.
    public var events: UInt64
    public var sentence: String

    public init(events: UInt64 = 0, sentence: String) {
        self.events = events
        self.sentence = sentence
    }
}
