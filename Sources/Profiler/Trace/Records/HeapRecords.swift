import CTraceFormat

/// Begins a heap snapshot (`gp_heap_begin`).
public struct HeapBeginRecord: Hashable, Sendable {
    /// Why a snapshot was taken.
    public enum Trigger: UInt8, Sendable, Codable {
        case atExit = 0
        case onRequest = 1
        /// Live bytes had never been so high.
        case atPeak = 2
    }

    public var trigger: Trigger
    public var snapshot: SnapshotID
    /// Threads that were stopped and scanned, the asking one included.
    public var threads: UInt32
    /// Threads that did not stop in time: when it is not 0, no conclusion may be drawn from the snapshot.
    public var threadsMissed: UInt32
    /// Of the asking thread: at exit the functions that have not returned. None: not known.
    public var stack: StackID
    /// The stack that the main thread left by `pthread_exit`, as `dispatchMain()` does: its functions never return. None: it
    /// has not.
    public var leftStack: StackID
    /// Nanoseconds since recording began.
    public var time: UInt64
    /// Nanoseconds for which the program stood still.
    public var pause: UInt64
    /// The caller's name for the snapshot, or empty.
    public var name: String

    public init(
        trigger: Trigger = .atExit, snapshot: SnapshotID, threads: UInt32 = 1, threadsMissed: UInt32 = 0,
        stack: StackID = .none, leftStack: StackID = .none, time: UInt64 = 0, pause: UInt64 = 0, name: String = ""
    ) {
        self.trigger = trigger
        self.snapshot = snapshot
        self.threads = threads
        self.threadsMissed = threadsMissed
        self.stack = stack
        self.leftStack = leftStack
        self.time = time
        self.pause = pause
        self.name = name
    }
}

/// Live blocks of one type and one allocation stack (`gp_heap_census`), or the lost ones among them (`GP_HEAP_LOST`),
/// or those that lived when the program ended without a snapshot (`GP_LIVE_TYPE`).
public struct HeapCensusRecord: Hashable, Sendable {
    /// None: not a Swift object.
    public var type: TypeID
    public var stack: StackID
    public var count: UInt64
    /// Requested bytes.
    public var bytes: UInt64

    public init(type: TypeID, stack: StackID, count: UInt64, bytes: UInt64) {
        self.type = type
        self.stack = stack
        self.count = count
        self.bytes = bytes
    }
}

/// A block that a snapshot speaks of, because it is unreachable or on a cycle (`gp_heap_object`).
public struct HeapObject: Hashable, Sendable {
    /// What is known about the block.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Has a reference count; otherwise it is memory of C, C++ or of a buffer.
        public static let swift = Flags(rawValue: 1 << 0)
        /// A root reaches it; it is listed because it is on a cycle or on a root's path.
        public static let reachable = Flags(rawValue: 1 << 1)
        /// A word reaches it, but its reference counts prove that nothing owns it.
        public static let countClosed = Flags(rawValue: 1 << 2)
        /// Its reference counts must not be compared with edges.
        public static let countUnsure = Flags(rawValue: 1 << 3)
        public static let hasSideTable = Flags(rawValue: 1 << 4)
        /// deinit ran; unowned references keep the memory.
        public static let deinited = Flags(rawValue: 1 << 5)
        /// On a cycle that nothing with a count owns from outside, while a pointer without one names it.
        public static let heldByPointer = Flags(rawValue: 1 << 6)
    }

    public var id: ObjectID
    public var flags: Flags
    public var address: UInt64
    /// Requested bytes.
    public var size: UInt64
    /// None: raw memory.
    public var type: TypeID
    /// The stack that allocated it.
    public var stack: StackID
    /// Strong reference count; 0 for raw memory.
    public var strong: UInt32
    public var unowned: UInt32
    public var weak: UInt32
    /// None: on no cycle.
    public var component: ComponentID

    public init(
        id: ObjectID, flags: Flags = [.swift], address: UInt64 = 0, size: UInt64 = 0, type: TypeID = .none,
        stack: StackID = .none, strong: UInt32 = 0, unowned: UInt32 = 0, weak: UInt32 = 0,
        component: ComponentID = .none
    ) {
        self.id = id
        self.flags = flags
        self.address = address
        self.size = size
        self.type = type
        self.stack = stack
        self.strong = strong
        self.unowned = unowned
        self.weak = weak
        self.component = component
    }
}

/// What a reference does to the life of what it names.
public enum Ownership: UInt8, Sendable, Codable {
    case strong = 0
    case unowned = 1
    case weak = 2
    case unmanaged = 3
    /// A word of memory without a known type that happens to be the address of the block.
    case conservative = 4
}

/// A reference between two blocks of a snapshot (`gp_heap_edge`).
public struct HeapReference: Hashable, Sendable {
    /// What the label means.
    public enum Kind: UInt8, Sendable, Codable {
        case none = 0
        /// A stored property: the label is its path inside the object.
        case field = 1
        /// Element number `position` of an array or buffer; the label is the path inside the element.
        case element = 2
        /// Key number `position` of a dictionary; the label is the path inside the key.
        case key = 3
        /// Value number `position` of a dictionary; the label is its key when that can be printed, then
        /// `GP_KEY_END` and the path inside the value where there is one.
        case value = 4
        /// Capture number `position` of a closure.
        case capture = 5
        /// The contents of a captured variable, enum payload or existential box.
        case box = 6
        /// A word at `offset` of raw memory.
        case raw = 7
        /// A slot of a task: the label says which.
        case task = 8
    }

    public var from: ObjectID
    public var to: ObjectID
    public var kind: Kind
    public var ownership: Ownership
    public var label: String
    /// Byte offset of the word in the block.
    public var offset: UInt32
    public var position: UInt32
    /// Address of the closure's code when the reference is the context of a closure, else 0.
    public var function: UInt64
    public var flags: Flags
    /// The superclass that declares the field when it is inherited, else none.
    public var declaredType: TypeID
    /// The structure that declares the last property on the path, with module; empty: the object's class does.
    public var owner: String

    /// `GP_EDGE_*`.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// `weak` does not compile for what holds the reference.
        public static let notWeak = Flags(rawValue: UInt16(GP_EDGE_NOT_WEAK))
        public static let constant = Flags(rawValue: UInt16(GP_EDGE_CONSTANT))
        public static let lastConstant = Flags(rawValue: UInt16(GP_EDGE_LAST_CONSTANT))
        public static let classInExistential = Flags(rawValue: UInt16(GP_EDGE_CLASS_IN_EXISTENTIAL))

        /// How the first property on the path is declared.
        public var form: Form { Form(rawValue: UInt8(rawValue / UInt16(GP_EDGE_FORM) & 7)) ?? .unknown }
        /// How the last one is declared.
        public var lastForm: Form { Form(rawValue: UInt8(rawValue / UInt16(GP_EDGE_LAST_FORM) & 7)) ?? .unknown }

        public static func form(_ first: Form = .unknown, last: Form = .unknown) -> Flags {
            Flags(
                rawValue: UInt16(first.rawValue) * UInt16(GP_EDGE_FORM)
                    | UInt16(last.rawValue) * UInt16(GP_EDGE_LAST_FORM))
        }
    }

    /// What a property's type is.
    public enum Form: UInt8, Sendable {
        case unknown, optional, collection, function
        /// `lazy var`: the program stores an optional that its source does not show.
        case lazy
        /// A mutex around a value that can be emptied.
        case locked
        case enumeration, other
    }

    /// The label without the key of a dictionary, which says where in the data and not where in the type.
    public var path: String {
        guard kind == .value else { return label }
        let scalars = label.unicodeScalars
        guard let end = scalars.lastIndex(where: { String($0) == GP_KEY_END }) else { return "" }
        return String(scalars[scalars.index(after: end)...])
    }

    public init(
        from: ObjectID, to: ObjectID, kind: Kind = .field, ownership: Ownership = .strong, label: String = "",
        offset: UInt32 = 0, position: UInt32 = 0, function: UInt64 = 0, flags: Flags = [],
        declaredType: TypeID = .none, owner: String = ""
    ) {
        self.flags = flags
        self.from = from
        self.to = to
        self.kind = kind
        self.ownership = ownership
        self.label = label
        self.offset = offset
        self.position = position
        self.function = function
        self.declaredType = declaredType
        self.owner = owner
    }
}

/// What keeps a reachable block of a snapshot alive (`gp_heap_root`).
public struct HeapRoot: Hashable, Sendable {
    /// Where the root stands (`GP_ROOT_*`).
    public enum Kind: UInt8, Sendable, Codable {
        case global = 0
        case stack = 1
        case register = 2
        case threadLocal = 3
        /// A block of the dynamic linker, or one that is never a leak.
        case runtime = 4
        /// Memory that the program or a library mapped for itself.
        case mapped = 5
        /// What an epoll set or a timer of the kernel hands back.
        case kernel = 6
    }

    /// The block that the root names directly.
    public var object: ObjectID
    public var kind: Kind
    /// Of the word; the register's number for a register.
    public var address: UInt64
    public var thread: ThreadID
    /// Return address in the frame that owns the word, for a stack; 0: not known.
    public var pc: UInt64
    public var label: String

    public init(
        object: ObjectID, kind: Kind, address: UInt64 = 0, thread: ThreadID = .none, pc: UInt64 = 0,
        label: String = ""
    ) {
        self.object = object
        self.kind = kind
        self.address = address
        self.thread = thread
        self.pc = pc
        self.label = label
    }
}

/// An answer to the question why objects live (`gp_heap_target`).
public struct HeapTarget: Hashable, Sendable {
    /// Why it was asked for (`GP_TARGET_*`).
    public enum Cause: UInt8, Sendable, Codable {
        /// Its type matches the pattern that the label holds.
        case type = 0
        /// The program named the object; the label is what it called it.
        case address = 1
        /// Blocks of the object's type and stack may be growth.
        case growth = 2
        /// The runtime ended the program because the object escaped from its deinit.
        case escaped = 3
        /// The program ended by a use of the deallocated object.
        case dead = 4
    }

    public var cause: Cause
    /// One of `count` objects that are held by the same types, listed with its way from a root. None: the record speaks
    /// of all living objects of `type`.
    public var object: ObjectID
    /// None, where `object` is none too: nothing living answers to the label.
    public var type: TypeID
    public var count: UInt64
    /// Requested bytes of those objects alone.
    public var bytes: UInt64
    public var label: String

    public init(
        cause: Cause, object: ObjectID = .none, type: TypeID = .none, count: UInt64 = 0, bytes: UInt64 = 0,
        label: String = ""
    ) {
        self.cause = cause
        self.object = object
        self.type = type
        self.count = count
        self.bytes = bytes
        self.label = label
    }
}

/// A part of what a search of the snapshot reads, where nobody has searched it yet (`gp_heap_image`); also a message of the
/// frozen copy to whoever searches it.
public struct HeapImageRecord: Hashable, Sendable {
    /// `GP_SEARCH_*`, which says what the others mean.
    public var kind: UInt32
    public var first: UInt64
    public var second: UInt64
    public var bytes: [UInt8]

    public init(kind: UInt32, first: UInt64 = 0, second: UInt64 = 0, bytes: [UInt8] = []) {
        (self.kind, self.first, self.second, self.bytes) = (kind, first, second, bytes)
    }
}

/// Ends a heap snapshot (`gp_heap_end`): the counts of its analysis.
public struct HeapEndRecord: Hashable, Sendable {
    public var snapshot: SnapshotID
    /// The analysis was cut short; `reason` says why.
    public var isCutShort: Bool
    /// Live when the heap was frozen.
    public var blocks: UInt64
    public var bytes: UInt64
    public var swiftObjects: UInt64
    public var unreachableBlocks: UInt64
    public var unreachableBytes: UInt64
    /// How many objects the snapshot lists; fewer than `unreachableBlocks` when the list was cut.
    public var listedObjects: UInt64
    /// Nanoseconds that the analysis took.
    public var analysis: UInt64
    public var reason: String
    /// Memory of the process could not be read: `reason` says which, and there is a result all the same.
    public var hasUnread = false

    public init(
        snapshot: SnapshotID, isCutShort: Bool = false, blocks: UInt64 = 0, bytes: UInt64 = 0,
        swiftObjects: UInt64 = 0, unreachableBlocks: UInt64 = 0, unreachableBytes: UInt64 = 0,
        listedObjects: UInt64 = 0, analysis: UInt64 = 0, reason: String = ""
    ) {
        self.snapshot = snapshot
        self.isCutShort = isCutShort
        self.blocks = blocks
        self.bytes = bytes
        self.swiftObjects = swiftObjects
        self.unreachableBlocks = unreachableBlocks
        self.unreachableBytes = unreachableBytes
        self.listedObjects = listedObjects
        self.analysis = analysis
        self.reason = reason
    }
}
