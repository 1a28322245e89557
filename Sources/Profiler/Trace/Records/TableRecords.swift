/// A node of the stack tree (`gp_frame`).
public struct FrameRecord: Hashable, Sendable {
    public var id: FrameID
    /// The caller's node; none: the outermost frame that could be read.
    public var parent: FrameID
    /// A return address, unless `isExact`.
    public var pc: UInt64
    public var isExact: Bool
    /// The stack goes on outwards, but was cut at the depth limit.
    public var isTruncated: Bool

    public init(id: FrameID, parent: FrameID, pc: UInt64, isExact: Bool = false, isTruncated: Bool = false) {
        self.id = id
        self.parent = parent
        self.pc = pc
        self.isExact = isExact
        self.isTruncated = isTruncated
    }
}

/// A type's number and where its metadata stands (`gp_type`).
public struct TypeRecord: Hashable, Sendable {
    public var id: TypeID
    public var metadata: UInt64

    public init(id: TypeID, metadata: UInt64) {
        self.id = id
        self.metadata = metadata
    }
}

/// A type's name (`gp_type_name`).
public struct TypeNameRecord: Hashable, Sendable {
    /// What the heap object is (`GP_TYPE_*`).
    public enum Kind: UInt8, Sendable, Codable {
        /// A class instance; storage classes and actors too.
        case classInstance = 0
        /// A closure context, captured variable, enum payload or existential box.
        case local = 1
        case genericBox = 2
        case error = 3
        case task = 4
        case job = 5
    }

    public var kind: Kind
    public var metadata: UInt64
    /// Context descriptor of a class, capture descriptor of a closure context; 0: none.
    public var descriptor: UInt64
    /// Of a class its superclass's metadata, else the destroyer's address (its symbol names a closure's function); 0: none.
    public var destroy: UInt64
    /// With module, as Swift prints it; empty when it has none.
    public var name: String
    /// Metadata of a class's superclass; 0: none.
    public var superclass: UInt64 { kind == .classInstance ? destroy : 0 }
    /// Code that destroys what is no class's instance; 0: none.
    public var destroyer: UInt64 { kind == .classInstance ? 0 : destroy }

    public init(
        kind: Kind = .classInstance, metadata: UInt64, descriptor: UInt64 = 0, destroy: UInt64 = 0, name: String
    ) {
        self.kind = kind
        self.metadata = metadata
        self.descriptor = descriptor
        self.destroy = destroy
        self.name = name
    }
}

/// A loaded executable or shared library (`gp_image`).
public struct ImageRecord: Hashable, Sendable {
    /// False: the image was unloaded (`dlclose`); the record then has no path.
    public var isLoaded: Bool
    public var path: String
    /// Add it to an address of the file to get the address in the process.
    public var bias: UInt64
    /// First mapped address.
    public var start: UInt64
    /// One past the last mapped address.
    public var end: UInt64
    /// First executable address.
    public var textStart: UInt64
    public var textEnd: UInt64
    /// Empty: none.
    public var buildID: [UInt8]

    public init(
        path: String, bias: UInt64, start: UInt64, end: UInt64, textStart: UInt64 = 0, textEnd: UInt64 = 0,
        buildID: [UInt8] = [], isLoaded: Bool = true
    ) {
        self.isLoaded = isLoaded
        self.path = path
        self.bias = bias
        self.start = start
        self.end = end
        self.textStart = textStart
        self.textEnd = textEnd
        self.buildID = buildID
    }
}

/// Where a thread stood when its process ended (`gp_thread_stack_record`).
public struct ThreadStackRecord: Hashable, Sendable {
    public var thread: ThreadID
    public var stack: StackID

    package init(thread: ThreadID, stack: StackID) { (self.thread, self.stack) = (thread, stack) }
}

/// A thread's name (`gp_thread_name`).
public struct ThreadNameRecord: Hashable, Sendable {
    public var thread: ThreadID
    public var name: String

    package init(thread: ThreadID, name: String) { (self.thread, self.name) = (thread, name) }
}
