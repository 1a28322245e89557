import CTraceFormat

// What is here is public, not `package`: the compiler inlines only public declarations into other modules, and a trace has
// tens of millions of these records.

/// The records of blocks, each a cell; their values are those of `RecordKind`.
@frozen public enum BlockKind: UInt8, CaseIterable {
    case allocation = 0x01
    case free = 0x02
    /// A block that its thread freed before it allocated another: both events in one.
    case temporary = 0x03
    /// The temporary block before it happened `count` more times.
    case repetition = 0x04
    /// The time of what follows in the chunk.
    case time = 0x05
}

/// A record of a block, its fields read when they are asked for: there are tens of millions of them.
@frozen public struct BlockEvent {
    public let kind: BlockKind
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64

    @inlinable @inline(__always) init(kind: BlockKind, first: UInt64, second: UInt64) {
        self.kind = kind
        self.first = first
        self.second = second
    }

    /// Nil: a record of another kind.
    @inlinable @inline(__always) public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let kind = BlockKind(rawValue: bytes[0]) else { return nil }
        self.init(
            kind: kind, first: bytes.loadUnaligned(as: UInt64.self),
            second: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Requested bytes of an allocation, a free and a temporary block.
    @inlinable @inline(__always) public var size: UInt64 { first >> 32 | (first >> 16 & 0xffff) << 32 }

    /// Where the block was allocated.
    @inlinable @inline(__always) public var stack: StackID { StackID(UInt32(truncatingIfNeeded: second)) }

    /// Of a free and a temporary block.
    @inlinable @inline(__always) public var type: TypeID { TypeID(UInt32(second >> 32)) }

    /// Of a repetition.
    @inlinable @inline(__always) public var count: UInt64 { second }

    /// Of a time: nanoseconds since recording began.
    @inlinable @inline(__always) public var time: UInt64 { second }
}

/// A sample or a probe, which come by the million too: no memory is allocated for it.
@frozen public enum FrequentRecord {
    case sample(SampleRecord)
    case probe(ProbeRecord)
    /// The value of the counter right before it.
    case probeValue(Double)

    /// Nil: a record that `TraceReader.record` reads.
    @inlinable public init?(_ bytes: UnsafeRawBufferPointer) {
        if Int(bytes[0]) == GP_SAMPLE || Int(bytes[0]) == GP_WAIT {
            self = .sample(SampleRecord(cell: bytes))
        } else if let probe = ProbeRecord(cell: bytes) {
            self = .probe(probe)
        } else if Int(bytes[0]) == GP_PROBE_VALUE {
            self = .probeValue(Double(bitPattern: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        } else {
            return nil
        }
    }
}

/// Walks over the events of blocks in a chunk, past all other records.
@frozen public struct BlockEvents {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    /// Where the next record begins.
    public var offset: Int

    /// - Parameter offset: of a record in `bytes`, which are a chunk up to its last valid byte.
    @inlinable public init(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next event; nil at the end of the chunk, and at a record that has no length.
    @inlinable @inline(__always) public mutating func next() -> BlockEvent? {
        while offset + 16 <= bytes.count {
            let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let kind = UInt8(truncatingIfNeeded: first)
            if kind == RecordKind.end { return nil }
            var cells = 1
            if kind >= RecordKind.firstWithHeader {
                cells = Int(first >> 16 & 0xffff)
                if cells == 0 { return nil }
            }
            let second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            offset += cells * 16
            if let kind = BlockKind(rawValue: kind) { return BlockEvent(kind: kind, first: first, second: second) }
        }
        return nil
    }
}
