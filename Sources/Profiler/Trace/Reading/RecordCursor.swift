import CTraceFormat

/// Walks over the records of a chunk without reading them: finds where each begins and ends.
@frozen
public struct RecordCursor {
    /// The chunk up to its last valid byte.
    public let bytes: UnsafeRawBufferPointer
    /// Where the next record begins.
    public private(set) var offset: Int
    /// The walk ended at a record that reaches beyond the chunk or has no length.
    public private(set) var isBroken = false

    public init(_ chunk: Chunk) {
        bytes = chunk.bytes
        offset = Chunk.headerSize
    }

    /// - Parameter offset: of a record in `bytes`, which are a chunk up to a record's end.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

    /// Goes on to the next record that is not one of allocations, frees and their times.
    public mutating func skipBlockEvents() {
        let kinds = RecordKind.allocation.rawValue...RecordKind.time.rawValue
        while offset + 16 <= bytes.count, kinds.contains(bytes[offset]) { offset += 16 }
    }

    /// The bytes of the next record; nil at the end of the chunk.
    public mutating func next() -> UnsafeRawBufferPointer? {
        guard offset + 16 <= bytes.count else {
            if offset < bytes.count { isBroken = true }
            return nil
        }
        let kind = bytes[offset]
        if kind == RecordKind.end { return nil }
        var length = 16
        if kind >= RecordKind.firstWithHeader {
            length = Int(bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self)) * 16
            guard length > 0, offset + length <= bytes.count else {
                isBroken = true
                return nil
            }
        }
        defer { offset += length }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
    }
}
