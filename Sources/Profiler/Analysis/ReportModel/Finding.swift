/// A defect, or a group of defects with the same signature.
public struct Finding: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case retainCycle = "retain-cycle"
        case leak
        case overRetain = "over-retain"
        case rawLeak = "raw-leak"
        case zombie
        case growth
        case reachableCycle = "reachable-cycle"
        /// It lives although the program expected it to be deallocated.
        case outlived
        /// Objects live only through registrations that they own or made themselves.
        case abandoned
        /// A collection retains much of the heap and grew to the end of the run.
        case accumulation
        /// Descriptors of files are opened and not closed, until the end of the run or until none is left.
        case descriptorLeak = "descriptor-leak"
        /// Memory that was mapped without malloc, and to which nothing refers. `bytes` are those of its address space.
        case lostMapping = "lost-mapping"
        /// Threads that have ended, and that nobody can join any more. `bytes` are the address space of their stacks.
        case unjoinedThread = "unjoined-thread"
        /// Unowned references keep the memory of objects whose deinit has run.
        case deinitialised
    }

    public enum Severity: String, Codable, Sendable, CaseIterable, Comparable {
        case error, warning, note

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// The worse severity is the smaller.
        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    }

    public var kind: Kind
    public var severity: Severity
    /// Sixteen hex digits, the same for the same defect in another run or build; reports show eight.
    public var signature: String
    /// A few words: `Retain cycle: Puzzle ⇄ UndoManager`.
    public var title: String
    /// One sentence.
    public var message: String
    /// Instances.
    public var count: Int
    /// Of all instances, with what they keep alive.
    public var bytes: UInt64
    /// The object that the finding is about, with module; `memory` for what is no Swift object.
    public var type: String
    /// How many objects of each type, with what they keep alive.
    public var objects: [String: Int]
    /// The name of the known leak or suppression that it matches.
    public var known: String?
    /// In path order; for a cycle the last leads back to the first and is the suspect, where there is one.
    public var references: [Reference]
    /// Other references by which the objects of a cycle, and more, hold each other in one knot; absent: there are none.
    public var knot: [Reference]?
    /// Of a cycle, true: only references that a library declares tie its objects together, whatever class they are of.
    public var tiedByLibrary: Bool?
    /// What keeps it alive, from the root on, for what is still reachable.
    public var heldBy: [String]?
    /// What to change, in a line.
    public var fix: String?
    /// Each change, where one alone does not free the objects; absent: `fix` is one change.
    public var fixes: [String]?
    /// A call that may do instead, because it did for others; absent: none was seen.
    public var fixCall: String?
    /// What the changes free, simulated on the references and counts of the last heap snapshot; absent where that is not
    /// proved.
    public var fixFrees: Freed?
    public var allocatedBy: CallStack?
    public var deallocatedBy: CallStack?
    public var usedBy: CallStack?
    /// How a deallocated object was used.
    public var access: Access?
    /// In which heap snapshots it was seen, in the order of time; absent when there was one snapshot only.
    public var sightings: [Sighting]?
    /// When it was first seen, in seconds since recording began: the first heap snapshot that has it, or the first use of a
    /// deallocated object. Absent when only the snapshot at the end could see it.
    public var firstSeenSeconds: Double?
    /// How fast it grows; present for what accumulates.
    public var growth: Growth?
    /// Places in the sources that it confirms as its cause; absent unless sources were looked at.
    public var suspects: [SourceCause]?
    /// How long it was dead when it was used; exact to a few milliseconds.
    public var secondsDead: Double?
    /// How its reference count changed, where that was recorded.
    public var history: CountHistory?
    /// Of a zombie without a history: the command that runs the program again and records it.
    public var explain: String?
    /// Number of the process in which it was found; absent when only one was recorded.
    public var process: Int?
    /// In which recordings it was seen, by name; absent unless the report joins several (`gameprof merge`).
    public var seen: [Seen]?

    public init(kind: Kind, severity: Severity = .error, signature: String, title: String, type: String) {
        self.kind = kind
        self.severity = severity
        self.signature = signature
        self.title = title
        message = title
        count = 1
        bytes = 0
        self.type = type
        objects = [:]
        references = []
    }

    /// The eight digits that reports show.
    public var shortSignature: String { String(signature.prefix(8)) }

    /// How many blocks of all instances a fix frees.
    public struct Freed: Codable, Hashable, Sendable {
        public var blocks: Int
        public var of: Int
        /// Fewer changes may do: a deinit that they bring about may end a task's wait.
        public var unlessDeinit: Bool?
        /// Signatures of the findings that hold some of it: their changes are needed as well.
        public var with: [String]?
    }

    /// A heap snapshot in which a finding was seen.
    public struct Sighting: Codable, Hashable, Sendable {
        /// Number of the snapshot: 1, 2, 3 …
        public var snapshot: Int
        /// Instances that it saw.
        public var count: Int
    }

    /// How fast instances accumulate.
    public struct Growth: Codable, Hashable, Sendable {
        /// Instances that each repetition adds; absent where the run as a whole was judged.
        public var perRepetition: Double?
        public var repetitions: Int?
        /// What was repeated.
        public var scenario: String?
    }

    /// How a deallocated object was used.
    public struct Access: Codable, Hashable, Sendable {
        /// `method call`, `retain`, `release`, `property read`, …
        public var operation: String
        /// `Card.flip()`, when known.
        public var member: String?
    }
}
