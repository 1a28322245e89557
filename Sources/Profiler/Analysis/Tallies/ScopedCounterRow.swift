import GameprofTrace

/// Blocks of one type and one stack that a stretch of code allocated.
public struct ScopedCounterRow: Hashable, Sendable {
    /// Address of the type's metadata in the process; 0: not a Swift object.
    public var metadata: UInt64
    public var type: TypeID
    public var stack: StackID
    public var count: UInt64
    /// Requested.
    public var bytes: UInt64

    public init(metadata: UInt64 = 0, type: TypeID, stack: StackID, count: UInt64, bytes: UInt64) {
        self.metadata = metadata
        self.type = type
        self.stack = stack
        self.count = count
        self.bytes = bytes
    }
}
