import CTraceFormat

/// The bytes of one chunk, valid during the call that gave it.
public struct Chunk {
    /// The chunk's place in the trace.
    public let sequence: UInt64
    /// Time of the records up to the first time record, in nanoseconds since recording began.
    public let startTime: UInt64
    /// Thread of the records up to the first thread record.
    public let thread: ThreadID
    /// The chunk up to its last valid byte, its header included.
    public let bytes: UnsafeRawBufferPointer

    /// Offset of the first record in `bytes`.
    @inlinable public static var headerSize: Int { 32 }

    /// What became of a block of the file.
    enum Reading {
        case chunk(Chunk, isCut: Bool)
        /// Never written: its thread died with it.
        case empty
        case damaged
    }

    static func read(_ block: UnsafeRawBufferPointer, isWhole: Bool) -> Reading {
        guard block.count >= headerSize else { return isWhole ? .damaged : .empty }
        let header = block.loadUnaligned(as: gp_chunk_header.self)
        if header.magic == 0 && header.used == 0 { return .empty }
        guard header.magic == GP_CHUNK_MAGIC, Int(header.used) >= headerSize else { return .damaged }
        let isCut = Int(header.used) > block.count
        if isCut && isWhole { return .damaged }
        return .chunk(
            Chunk(
                sequence: header.sequence, startTime: header.start_ns, thread: ThreadID(header.thread),
                bytes: UnsafeRawBufferPointer(rebasing: block[..<min(Int(header.used), block.count)])),
            isCut: isCut)
    }
}
