/// A deallocated block was used (`gp_zombie`).
public struct ZombieRecord: Hashable, Sendable {
    /// How it was noticed (`GP_ACCESS_*`).
    public enum Access: UInt8, Sendable, Codable {
        /// The first word was followed: `offset` in the metadata, `member` what stands there.
        case metadata = 0
        /// The reference count was used: the stack's innermost functions show how.
        case count = 1
        /// A word at `offset` was taken for an address and followed.
        case followed = 2
        /// A guarded block was read at `offset`.
        case read = 3
        case write = 4
        /// It was freed again.
        case free = 5
        /// It was given to realloc.
        case resize = 6
        /// When the block left the quarantine, `offset` had been written. There is no stack of the use.
        case written = 7
        /// An unowned reference to it was loaded, and the runtime ended the program.
        case unowned = 8
    }

    /// `GP_ZOMBIE_*`.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The block had pages of its own.
        public static let guarded = Flags(rawValue: 1 << 0)
        /// deinit ran, unowned references kept the memory.
        public static let pinned = Flags(rawValue: 1 << 1)
        /// The program was made to go on.
        public static let continued = Flags(rawValue: 1 << 2)
        /// Where it died is not known.
        public static let noDeath = Flags(rawValue: 1 << 3)
    }

    public var flags: Flags = []
    public var access: Access
    /// Address of the block.
    public var object: UInt64 = 0
    /// Requested bytes.
    public var size: UInt64 = 0
    /// None: not a Swift object.
    public var type: TypeID = .none
    public var allocated: StackID = .none
    public var deallocated: StackID = .none
    public var used: StackID = .none
    public var deallocatingThread: ThreadID = .none
    public var usingThread: ThreadID = .none
    /// Nanoseconds since recording began; exact to a tick of the kernel's clock.
    public var deallocatedTime: UInt64 = 0
    public var usedTime: UInt64 = 0
    /// Address that was touched; 0: none.
    public var fault: UInt64 = 0
    /// Of the instruction that touched it; 0: none.
    public var pc: UInt64 = 0
    /// The word of the metadata at `offset` (a method's code); 0: none.
    public var member: UInt64 = 0
    public var offset: Int32 = 0
    /// Name of the stored property at `offset`, or empty.
    public var property: String = ""
}

/// What the quarantine of dead blocks saw (`gp_zombie_summary`).
public struct ZombieSummaryRecord: Hashable, Sendable {
    public var quarantined: UInt64 = 0
    /// Blocks whose memory was given back because of a limit: their use would not have been noticed.
    public var evicted: UInt64 = 0
    public var evictedBytes: UInt64 = 0
    public var kept: UInt64 = 0
    public var keptBytes: UInt64 = 0
    /// Blocks freed at once because they are larger than the quarantine takes.
    public var passedBy: UInt64 = 0
    /// Blocks that had pages of their own.
    public var guarded: UInt64 = 0
    /// Blocks that should have had, but the limits did not allow it.
    public var guardsMissed: UInt64 = 0
    public var byteLimit: UInt64 = 0
    public var countLimit: UInt64 = 0
    /// Objects that unowned references kept after their deinit.
    public var unownedKept: UInt64 = 0
    /// The first objects of each class and stack, and samples of later ones, had pages of their own.
    public var isChosen: Bool = false
    /// There was no quarantine: some blocks of a sampled heap had pages of their own.
    public var isSampled: Bool = false
}

/// Retains or releases of an object whose history is kept (`gp_count_change`).
public struct CountChangeRecord: Hashable, Sendable {
    /// `GP_COUNT_*`.
    public enum Kind: UInt8, Sendable, Codable {
        case retain = 0
        case release = 1
        case born = 2
        case died = 3
    }

    public var kind: Kind
    public var object: UInt64
    public var type: TypeID = .none
    public var stack: StackID = .none
    public var thread: ThreadID = .none
    /// Strong count after the last.
    public var strong: UInt32 = 0
    /// How many equal changes these are: one call made them all, or equal calls one after another.
    public var times: UInt32 = 1
    /// Nanoseconds since recording began, of the first.
    public var time: UInt64 = 0

    public init(
        kind: Kind, object: UInt64, type: TypeID = .none, stack: StackID = .none, thread: ThreadID = .none,
        strong: UInt32 = 0, times: UInt32 = 1, time: UInt64 = 0
    ) {
        (self.kind, self.object, self.type, self.stack) = (kind, object, type, stack)
        (self.thread, self.strong, self.times, self.time) = (thread, strong, times, time)
    }
}
