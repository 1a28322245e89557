import CTraceFormat
import Foundation

/// Reads what a trace has gained, again and again while its program runs: each record once, in the order of each thread.
///
/// The threads fill their chunks meanwhile. The last record of such a chunk may change until another one stands behind it, and
/// is left for the next look: an allocation may become a temporary one, a repetition counts on, an interval may end.
final class GrowingTrace {
    /// How far a chunk was read, and what holds from there on.
    struct Place {
        var offset = Chunk.headerSize
        /// Thread and time of the next record.
        var thread: ThreadID
        var time: UInt64
        /// Bytes of the temporary block that a repetition counts.
        var temporary: UInt64 = 0
        /// Bytes of the block that its last record, which is not read yet, allocated; 0: it is another record.
        var lastBlock: UInt64 = 0
    }

    /// A chunk that may still get records.
    private struct Pending {
        var place: Place?
        /// It stands in the trace, and was not whole when it was looked at: it was being stored.
        var wasPartial = false
    }

    let header: TraceHeader
    private let file: RandomAccessFile
    private let spool: RandomAccessFile
    private let block: UnsafeMutableRawBufferPointer
    private var pending: [UInt64: Pending] = [:]
    private var nextSequence: UInt64 = 1

    /// Chunks beyond this many are not looked for again.
    private static let pendingLimit = 1 << 16

    /// - Throws: `TraceError`: it is not there, or is none that a program is writing.
    init(path: String) throws {
        file = try RandomAccessFile(path: path)
        header = try TraceHeader.read(from: file)
        spool = try RandomAccessFile(path: Spool.path(of: path))
        block = .allocate(byteCount: header.chunkSize, alignment: 16)
    }

    deinit { block.deallocate() }

    /// Reads what was written since the last call. `body` gets a chunk up to where its `place` shall be after it. It reads the
    /// records from `place.offset` on (what lies before is undefined), and moves all of the place along but the offset.
    func readNew(_ body: (UnsafeRawBufferPointer, inout Place) throws -> Void) throws {
        guard let spoolHeader = try Spool.header(of: spool) else { return }
        let spooled = try Spool.chunks(of: spool, chunkSize: header.chunkSize)
        while nextSequence < spoolHeader.next_sequence {
            if pending.count < Self.pendingLimit { pending[nextSequence] = Pending() }
            nextSequence += 1
        }
        for sequence in pending.keys.sorted() {
            if let offset = spooled[sequence], try readSpooled(sequence, at: offset, body) { continue }
            try readStored(sequence, body)
        }
    }

    /// False: another chunk stands there by now.
    private func readSpooled(
        _ sequence: UInt64, at offset: UInt64, _ body: (UnsafeRawBufferPointer, inout Place) throws -> Void
    ) throws -> Bool {
        // What lies before `used` is there when `used` is: it is read first.
        guard let first = try spool.read(gp_chunk_header.self, at: offset), first.sequence == sequence,
            first.magic == GP_CHUNK_MAGIC, Int(first.used) >= Chunk.headerSize, Int(first.used) <= header.chunkSize
        else { return false }
        var place = pending[sequence]?.place ?? Place(thread: ThreadID(first.thread), time: first.start_ns)
        // A last block that vanished may have stood there.
        let bytes = UnsafeMutableRawBufferPointer(rebasing: block[..<max(Int(first.used), place.offset)])
        let new = UnsafeMutableRawBufferPointer(rebasing: bytes[place.offset...])
        guard try spool.read(at: offset + UInt64(place.offset), into: new) == new.count,
            let now = try spool.read(gp_chunk_header.self, at: offset), now.sequence == sequence, now.used > 0
        else { return false }
        let end = Self.end(of: UnsafeRawBufferPointer(bytes), from: place.offset, &place.lastBlock)
        if end > place.offset { try body(UnsafeRawBufferPointer(rebasing: bytes[..<end]), &place) }
        place.offset = max(place.offset, end)
        pending[sequence] = Pending(place: place)
        return true
    }

    /// A whole chunk stands at its place in the trace. One of a process that was cut off is never stored.
    private func readStored(
        _ sequence: UInt64, _ body: (UnsafeRawBufferPointer, inout Place) throws -> Void
    ) throws {
        let count = try file.read(at: sequence &* UInt64(header.chunkSize), into: block)
        let stored = UnsafeRawBufferPointer(rebasing: block[..<count])
        guard case .chunk(let chunk, let isCut) = Chunk.read(stored, isWhole: false), chunk.sequence == sequence else {
            return
        }
        // One that stood in the spool left it when it had been stored.
        let isPartial = isCut || pending[sequence]?.place == nil && !Self.isWhole(chunk)
        guard !isPartial || pending[sequence]?.wasPartial == true else {
            pending[sequence]?.wasPartial = true
            return
        }
        var place = pending[sequence]?.place ?? Place(thread: chunk.thread, time: chunk.startTime)
        if chunk.bytes.count > place.offset { try body(chunk.bytes, &place) }
        pending[sequence] = nil
    }

    /// Bytes of each block that the last record of an open chunk allocated.
    var lastBlocks: [UInt64] { pending.values.compactMap { $0.place?.lastBlock }.filter { $0 > 0 } }

    /// Whether a chunk is there up to its last record: what is being stored has zeros at its end.
    private static func isWhole(_ chunk: Chunk) -> Bool {
        var cursor = RecordCursor(chunk)
        var last: UnsafeRawBufferPointer?
        while let record = cursor.next() { last = record }
        return cursor.offset == chunk.bytes.count && !(last?.suffix(16).allSatisfy { $0 == 0 } ?? false)
    }

    /// Where the records end that do not change any more.
    private static func end(of bytes: UnsafeRawBufferPointer, from start: Int, _ lastBlock: inout UInt64) -> Int {
        var offset = start
        // Where the last two records begin.
        var (last, before) = (start, start)
        while offset + 16 <= bytes.count, bytes[offset] != RecordKind.end {
            var length = 16
            if bytes[offset] >= RecordKind.firstWithHeader {
                length = Int(bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self)) * 16
                guard length > 0, offset + length <= bytes.count else { break }
            }
            (before, last) = (last, offset)
            offset += length
        }
        lastBlock = 0
        guard offset > start, let kind = RecordKind(rawValue: bytes[last]) else { return offset }
        switch kind {
        case .allocation:
            lastBlock = BlockEvent(UnsafeRawBufferPointer(rebasing: bytes[last...]))?.size ?? 0
            // The repetition before it counts on when the block is freed.
            return before < last && bytes[before] == RecordKind.repetition.rawValue ? before : last
        case .repetition, .probeBegin: return last
        default: return offset
        }
    }
}
