/// How a block was allocated (`GP_HOW_*`).
public enum AllocationFunction: UInt8, Sendable, Codable {
    case malloc = 0
    case calloc = 1
    case realloc = 2
    case aligned = 3
}

/// A block was allocated (`gp_alloc`).
public struct AllocationRecord: Hashable, Sendable {
    public var function: AllocationFunction
    /// Requested bytes.
    public var size: UInt64
    public var stack: StackID
    /// Bits 4…35 of the block's address.
    public var addressBits: UInt32

    public init(function: AllocationFunction = .malloc, size: UInt64, stack: StackID, addressBits: UInt32 = 0) {
        self.function = function
        self.size = size
        self.stack = stack
        self.addressBits = addressBits
    }
}

/// A block was freed (`gp_free`).
public struct FreeRecord: Hashable, Sendable {
    /// How it had been allocated; stored for temporary blocks only.
    public var function: AllocationFunction
    /// Requested bytes of the block.
    public var size: UInt64
    /// The stack that allocated it.
    public var stack: StackID
    /// Read from the block as it died; none: not a Swift object.
    public var type: TypeID

    public init(function: AllocationFunction = .malloc, size: UInt64, stack: StackID, type: TypeID = .none) {
        self.function = function
        self.size = size
        self.stack = stack
        self.type = type
    }
}
