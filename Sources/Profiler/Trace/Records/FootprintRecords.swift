/// A mapping of the process of which some is in the machine's memory (`gp_resident_map`). Sizes are bytes.
public struct ResidentMapRecord: Hashable, Sendable {
    public var start: UInt64
    public var end: UInt64
    public var resident: UInt64
    /// Of `resident`: what would have to be written somewhere before the kernel could use the memory otherwise.
    public var dirty: UInt64
    /// It has an inode.
    public var isFile: Bool
    public var isWritable: Bool
    public var isShared: Bool
    /// As `/proc/PID/maps` writes it; empty: anonymous memory.
    public var path: String

    /// The path of no mapping, but of what the kernel counts for all of them, from 0 to how many bytes they have.
    package static let sum = "[rollup]"
    public var isSum: Bool { path == Self.sum }

    public init(
        start: UInt64, end: UInt64, resident: UInt64, dirty: UInt64 = 0, isFile: Bool = false,
        isWritable: Bool = true, isShared: Bool = false, path: String = ""
    ) {
        self.start = start
        self.end = end
        self.resident = resident
        self.dirty = dirty
        self.isFile = isFile
        self.isWritable = isWritable
        self.isShared = isShared
        self.path = path
    }
}

/// A part of the mappings of which the recorder knows what it is (`gp_resident_range`). Sizes are bytes in the machine's
/// memory.
public struct ResidentRangeRecord: Hashable, Sendable {
    public enum Kind: UInt8, Sendable {
        /// A heap of one of malloc's arenas.
        case arena = 0
        /// A block that malloc mapped by itself.
        case block = 1
        case stack = 2
        /// Kept by the C library for the next thread.
        case endedStack = 3
        case recorder = 4
        /// Memory that `stack` mapped, as far as it is no other range.
        case mapped = 5
        /// As `endedStack`, of a thread that `stack` made and nobody has joined or detached.
        case unjoinedStack = 6
        /// Mapped by another malloc than glibc's.
        case allocator = 7
    }

    /// What refers to mapped memory, or has the handle of a thread that nobody has joined.
    public enum Referrer: UInt8, Sendable {
        case notSearched, none
        /// Words on stacks and in registers, which may be stale.
        case passing
        /// A variable, a block, or other mapped memory.
        case lasting
    }

    public var kind: Kind
    public var referrer = Referrer.notSearched
    /// Whose stack it is.
    public var thread: ThreadID
    /// Who mapped it, or made the thread; none: not known.
    public var stack: StackID
    public var start: UInt64
    public var end: UInt64
    public var resident: UInt64
    /// Address of the arena; 0: the main one.
    public var arena: UInt64
    public var use: HeapUse

    public init(
        kind: Kind, thread: ThreadID = ThreadID(0), stack: StackID = .none, start: UInt64, end: UInt64,
        resident: UInt64, arena: UInt64 = 0,
        use: HeapUse = HeapUse()
    ) {
        self.kind = kind
        self.thread = thread
        self.stack = stack
        self.start = start
        self.end = end
        self.resident = resident
        self.arena = arena
        self.use = use
    }
}

/// What bytes of the allocator's are in use for; what remains of a range is the allocator's own.
public struct HeapUse: Hashable, Sendable {
    /// Blocks with their headers and padding.
    public var live: UInt64
    /// Free chunks in bins.
    public var binned: UInt64
    /// Of these, whole pages.
    public var trimmable: UInt64
    /// The free end of the heap.
    public var top: UInt64
    /// Free chunks in thread caches and fast bins.
    public var cached: UInt64

    public init(live: UInt64 = 0, binned: UInt64 = 0, trimmable: UInt64 = 0, top: UInt64 = 0, cached: UInt64 = 0) {
        self.live = live
        self.binned = binned
        self.trimmable = trimmable
        self.top = top
        self.cached = cached
    }
}
