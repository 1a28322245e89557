import GameprofBasics
import Glibc

/// The recorded program (`gp_program`).
public struct ProgramRecord: Hashable, Sendable {
    public var pid: UInt64
    /// The process that had started it, when the recording began; 0: not known.
    public var parent: UInt32
    public var instruments: Set<Instrument>
    /// The recorder was linked into the program; otherwise it was preloaded.
    public var isLinked: Bool
    /// It ran before the recording began: what it allocated then is not known.
    public var isLate: Bool
    public var executable: String
    /// The name it was started under first.
    public var arguments: [String]

    public init(
        pid: UInt64 = 0, parent: UInt32 = 0, instruments: Set<Instrument> = [.allocations, .leaks],
        isLinked: Bool = false, isLate: Bool = false, executable: String, arguments: [String] = []
    ) {
        self.pid = pid
        self.parent = parent
        self.instruments = instruments
        self.isLinked = isLinked
        self.isLate = isLate
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
    /// Processes of its memory group that the kernel ended meanwhile, because memory ran out.
    public var memoryKills: UInt32

    /// The kernel ended it because memory ran out.
    public var isOutOfMemory: Bool { status == .signal(SIGKILL) && memoryKills > 0 }

    public init(status: Status, wall: UInt64 = 0, memoryKills: UInt32 = 0) {
        self.status = status
        self.wall = wall
        self.memoryKills = memoryKills
    }
}

/// A fault or abort() that was about to end the program (`gp_crash`).
public struct CrashRecord: Hashable, Sendable {
    public var signal: Int32
    public var thread: ThreadID
    public var stack: StackID = .none
    /// Of the access or the instruction; nil: the signal was sent.
    public var address: UInt64?
    /// The thread's stack had no room left.
    public var isStackOverflow: Bool = false
    /// On a stack that had no room left; 0: not counted.
    public var calls: UInt64 = 0
    /// Nanoseconds since recording began.
    public var time: UInt64 = 0
    /// What the Swift runtime printed last; empty: nothing.
    public var message: String = ""

    package init(
        signal: Int32, thread: ThreadID, stack: StackID = .none, address: UInt64? = nil,
        isStackOverflow: Bool = false, calls: UInt64 = 0, time: UInt64 = 0, message: String = ""
    ) {
        (self.signal, self.thread, self.stack, self.address) = (signal, thread, stack, address)
        (self.isStackOverflow, self.calls, self.time, self.message) = (isStackOverflow, calls, time, message)
    }
}

/// What the recording was made on (`GP_ENVIRONMENT`).
public struct EnvironmentRecord: Hashable, Sendable {
    /// A fact by its name.
    public struct Fact: Hashable, Sendable {
        /// `processor`, `cores`, `memory` …: Documentation/TraceFormat.md lists them.
        public var name: String
        public var value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    public var facts: [Fact]

    package init(facts: [Fact]) { self.facts = facts }
}

/// Memory that the process had in the machine's memory at a moment (`gp_resident`).
public struct ResidentRecord: Hashable, Sendable {
    /// Nanoseconds since recording began.
    public var time: UInt64
    public var bytes: UInt64

    package init(time: UInt64, bytes: UInt64) { (self.time, self.bytes) = (time, bytes) }
}

/// A sentence of the recorder: what was lost (`GP_LOSS`), or what the reader of a report should know (`GP_NOTE`).
public struct RemarkRecord: Hashable, Sendable {
    /// How many events were lost; not used in a note.
    public var events: UInt64 = 0
    public var sentence: String

    package init(events: UInt64 = 0, sentence: String) { (self.events, self.sentence) = (events, sentence) }
}
