import CTraceFormat

/// A part of the graph of all live blocks (`gp_heap_nodes`).
public struct HeapNodesRecord: Hashable, Sendable {
    /// Number of the first block that begins in the record.
    public var first: ObjectID
    /// Its address.
    public var address: UInt64
    public var rows: [HeapNodeRow]
    /// Of all rows, one row's after the other's.
    public var edges: [HeapNodeEdge]

    public init(first: ObjectID, address: UInt64, rows: [HeapNodeRow], edges: [HeapNodeEdge]) {
        self.first = first
        self.address = address
        self.rows = rows
        self.edges = edges
    }
}

/// A block of the graph, or further references of the block before.
public struct HeapNodeRow: Hashable, Sendable {
    /// What is known about the block.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A root reaches it.
        public static let reachable = Flags(rawValue: 1 << 0)
        /// Has a reference count.
        public static let swift = Flags(rawValue: 1 << 1)
        /// References of the graph that own it may be compared with its count.
        public static let countSure = Flags(rawValue: 1 << 2)
        /// Further references of the block of the row before; only `edgeCount` counts.
        public static let more = Flags(rawValue: 1 << 3)
    }

    public var flags: Flags
    /// Requested bytes.
    public var size: UInt64
    /// Distance to the block before in units of 16 bytes; 0 for the record's first block.
    public var distance: UInt64
    /// None: raw memory.
    public var type: TypeID
    /// The stack that allocated it.
    public var stack: StackID
    /// Strong reference count; 0 for raw memory.
    public var strong: UInt32
    public var edgeCount: UInt32

    public init(
        flags: Flags, size: UInt64 = 0, distance: UInt64 = 0, type: TypeID = .none, stack: StackID = .none,
        strong: UInt32 = 0, edgeCount: UInt32 = 0
    ) {
        self.flags = flags
        self.size = size
        self.distance = distance
        self.type = type
        self.stack = stack
        self.strong = strong
        self.edgeCount = edgeCount
    }
}

/// A reference of the graph.
public struct HeapNodeEdge: Hashable, Sendable {
    /// Number of the target minus number of the block that refers to it.
    public var step: Int64
    public var ownership: Ownership
    /// Number of a `HeapLabelRecord`; 0: it has none.
    public var label: UInt32

    public init(step: Int64, ownership: Ownership, label: UInt32) {
        self.step = step
        self.ownership = ownership
        self.label = label
    }
}

/// How references of the graph are called (`gp_heap_label`).
public struct HeapLabelRecord: Hashable, Sendable {
    /// 1, 2, 3 … within the snapshot.
    public var number: UInt32
    public var kind: HeapReference.Kind
    /// Address of the closure's code when the reference is the context of a closure, else 0.
    public var function: UInt64
    /// The superclass that declares the field when it is inherited, else none.
    public var declaredType: TypeID
    /// Path inside the object, the element, the key or the value.
    public var path: String

    public init(
        number: UInt32, kind: HeapReference.Kind, function: UInt64 = 0, declaredType: TypeID = .none, path: String = ""
    ) {
        self.number = number
        self.kind = kind
        self.function = function
        self.declaredType = declaredType
        self.path = path
    }

    /// The reference is a word of a DispatchWorkItem that was cancelled and has not run.
    public var isCancelledWorkItem: Bool { kind == .raw && path == GP_LABEL_CANCELLED }
}
