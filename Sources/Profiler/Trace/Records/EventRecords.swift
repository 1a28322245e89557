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

/// An object of a type whose objects are listed (`gp_listed_object`).
public struct ListedObjectRecord: Hashable, Sendable {
    public var address: UInt64
    /// Requested bytes.
    public var size: UInt64
    public var type: TypeID
    /// The stack that allocated it.
    public var stack: StackID
    /// Nanoseconds since recording began.
    public var born: UInt64
    /// 0: it lived when recording ended.
    public var died: UInt64 = 0

    /// Nanoseconds; of one that lived when recording ended the more the older it is, and more than any other's.
    public var lifetime: UInt64 { died == 0 ? .max - born : died > born ? died - born : 0 }
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

/// An allocation of the program's own was made to fail, or none came to it (`gp_failed_alloc`).
public struct FailedAllocationRecord: Hashable, Sendable {
    public var hasFailed: Bool = true
    /// Nanoseconds since recording began.
    public var time: UInt64
    /// Of the program's own allocations, from 1; where none failed, how many there were.
    public var number: UInt64
    /// Requested bytes.
    public var size: UInt64 = 0
    public var stack: StackID = .none
}

/// The process was made by fork (`gp_forked`).
public struct ForkRecord: Hashable, Sendable {
    /// The process that it was a copy of.
    public var parent: UInt64
    /// What was allocated before the fork has a stack up to this one, and what was after it a later one.
    public var lastStack: StackID

    public init(parent: UInt64, lastStack: StackID) {
        (self.parent, self.lastStack) = (parent, lastStack)
    }
}

/// Where the first object that a stack allocated was freed (`gp_first_free`).
public struct FirstFreeRecord: Hashable, Sendable {
    public var allocated: StackID
    public var freed: StackID

    public init(allocated: StackID, freed: StackID) {
        self.allocated = allocated
        self.freed = freed
    }
}
