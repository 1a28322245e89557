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
}

/// Calls of one kind on one file by one stack, since the record before it.
public struct FileUseRecord: Hashable, Sendable {
    public enum Operation: UInt8, Sendable, CaseIterable {
        case open, close, read, write, sync, connect
    }

    public var operation: Operation
    public var file: FileID
    public var stack: StackID
    public var calls: UInt64 = 1
    /// Of the calls: returned an error.
    public var failures: UInt32 = 0
    /// Of those: no descriptor was left.
    public var exhausted: UInt32 = 0
    /// Bytes that were read or written; where descriptors were closed, the nanoseconds for which they had been open.
    public var bytes: UInt64 = 0
    /// In all these calls, in nanoseconds.
    public var nanoseconds: UInt64 = 0
    /// In the longest.
    public var longest: UInt64 = 0
    /// When the record was written, in nanoseconds since recording began.
    public var time: UInt64 = 0
}

/// A descriptor that was open when the recording ended.
public struct OpenFileRecord: Hashable, Sendable {
    public var file: FileID
    /// That opened it.
    public var stack: StackID
    public var descriptor: UInt32
    /// Nanoseconds since recording began.
    public var opened: UInt64
    /// When it was last read or written, or the end where a lock is held through it; 0: never.
    public var used: UInt64 = 0
    /// The other end of a connected socket sends no more.
    public var hasPeerClosed: Bool = false
    /// Another process that has the pipe or socket open; nil: none is known.
    public var holder: Holder?

    /// Another process that has a pipe or socket of this one open.
    public struct Holder: Hashable, Sendable {
        public var process: UInt32
        public var name: String
        public var reads: Bool
        public var writes: Bool
    }
}
