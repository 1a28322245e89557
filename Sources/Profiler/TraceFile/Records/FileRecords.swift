/// The name of a file, socket or pipe that the program used.
public struct FileNameRecord: Hashable, Sendable {
    /// What a descriptor stands for.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case path
        case socket
        case pipe
        /// An event queue, a timer …
        case event
        /// Open when the program began, or opened past the C library.
        case inherited
        /// Of calls that failed and concern no open descriptor.
        case refused
    }

    public var kind: Kind
    public var id: FileID
    /// Of a path as the program gave it.
    public var name: String

    public init(kind: Kind, id: FileID, name: String) {
        self.kind = kind
        self.id = id
        self.name = name
    }
}

/// Calls of one kind on one file by one stack, since the record before it.
public struct FileUseRecord: Hashable, Sendable {
    public enum Operation: UInt8, Sendable, CaseIterable {
        case open, close, read, write, sync, connect
    }

    public var operation: Operation
    public var file: FileID
    public var stack: StackID
    public var calls: UInt64
    /// Of the calls: returned an error.
    public var failures: UInt32
    /// Of those: no descriptor was left.
    public var exhausted: UInt32
    public var bytes: UInt64
    /// In all these calls, in nanoseconds.
    public var nanoseconds: UInt64
    /// In the longest.
    public var longest: UInt64
    /// When the record was written, in nanoseconds since recording began.
    public var time: UInt64

    public init(
        operation: Operation, file: FileID, stack: StackID, calls: UInt64 = 1, failures: UInt32 = 0,
        exhausted: UInt32 = 0, bytes: UInt64 = 0, nanoseconds: UInt64 = 0, longest: UInt64 = 0, time: UInt64 = 0
    ) {
        self.operation = operation
        self.file = file
        self.stack = stack
        self.calls = calls
        self.failures = failures
        self.exhausted = exhausted
        self.bytes = bytes
        self.nanoseconds = nanoseconds
        self.longest = longest
        self.time = time
    }
}

/// A descriptor that was open when the recording ended.
public struct OpenFileRecord: Hashable, Sendable {
    public var file: FileID
    /// That opened it.
    public var stack: StackID
    public var descriptor: UInt32
    /// Nanoseconds since recording began.
    public var opened: UInt64
    /// When it was last read or written; 0: never.
    public var used: UInt64
    /// The other end of a connected socket sends no more.
    public var hasPeerClosed: Bool

    public init(
        file: FileID, stack: StackID, descriptor: UInt32, opened: UInt64, used: UInt64 = 0, hasPeerClosed: Bool = false
    ) {
        self.file = file
        self.stack = stack
        self.descriptor = descriptor
        self.opened = opened
        self.used = used
        self.hasPeerClosed = hasPeerClosed
    }
}
