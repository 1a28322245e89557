/// A number that a trace uses to name something. Each kind of number is a type of its own, so that a stack cannot be
/// taken for a type. Zero means "none".
public protocol TraceIdentifier: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible
where RawValue == UInt32 {
    init(rawValue: UInt32)
}

extension TraceIdentifier {
    /// Wraps the number as the trace stores it.
    @inlinable public init(_ rawValue: UInt32) { self.init(rawValue: rawValue) }

    /// The number that stands for "none".
    public static var none: Self { Self(rawValue: 0) }

    /// True for the number that stands for "none".
    public var isNone: Bool { rawValue == 0 }

    /// The number as an index into an array that has an entry for "none".
    @inlinable public var index: Int { Int(rawValue) }

    public var description: String { String(rawValue) }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A node of the stack tree.
public struct FrameID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A whole stack: the number of its innermost frame.
public struct StackID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The innermost frame of the stack.
    public var innermostFrame: FrameID { FrameID(rawValue) }
}

/// A Swift type that was seen in the recorded process.
public struct TypeID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A file, socket or pipe that was used in the recorded process.
public struct FileID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A thread, by its kernel thread id.
public struct ThreadID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The name of probes.
public struct ProbeNameID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A loaded image (executable or shared library): 1, 2, 3 … in the order of the trace's image records.
public struct ImageID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A heap snapshot of the trace: 1, 2, 3 …
public struct SnapshotID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A block that a heap snapshot lists: 1, 2, 3 … within the snapshot.
public struct ObjectID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A strongly connected component of a heap snapshot: 1, 2, 3 … within the snapshot.
public struct ComponentID: TraceIdentifier {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}
