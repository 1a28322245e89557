import CTraceFormat
import Foundation

/// Reads a trace, chunk by chunk: it never holds more than one chunk in memory. A spool left beside the trace is read
/// as if its chunks stood in the trace.
public final class TraceReader {
    public let path: String
    public let header: TraceHeader
    /// Events that could not be stored, by the trace's header and the spool's.
    public let droppedEvents: UInt64
    /// Why the recorder stopped to store events, by the spool; nil: it did not, or a record of the trace says it.
    public let stopSentence: String?
    /// What could not be read so far.
    public private(set) var damage: TraceDamage
    /// Records of kinds that this version does not know, seen so far.
    public private(set) var unknownRecords: UInt64 = 0

    let file: RandomAccessFile
    private let spool: RandomAccessFile?
    private let directory: ChunkDirectory
    private var seen: Set<Int> = []
    private let unpacking: Unpacking
    private let block: UnsafeMutableRawBufferPointer

    /// What decompressing a chunk needs beside it: for one thread.
    final class Unpacking {
        fileprivate let packed: UnsafeMutableRawBufferPointer
        fileprivate let zstd = Zstd.Decompressor()

        init(_ header: TraceHeader) {
            packed = .allocate(byteCount: header.isCompressed ? Zstd.bound(header.chunkSize) : 0, alignment: 16)
        }

        deinit { packed.deallocate() }
    }

    /// Opens a trace and lists its chunks.
    /// - Throws: `TraceError`.
    public init(path: String) throws {
        file = try RandomAccessFile(path: path)
        header = try TraceHeader.read(from: file)
        let spoolPath = Spool.path(of: path)
        spool = !header.isCompressed && access(spoolPath, F_OK) == 0 ? try RandomAccessFile(path: spoolPath) : nil
        directory = try ChunkDirectory(file: file, header: header, spool: spool)
        damage = directory.damage
        let spoolHeader = try spool.flatMap { try Spool.header(of: $0) }
        droppedEvents = max(header.droppedEvents, spoolHeader?.dropped_events ?? 0)
        stopSentence = spoolHeader.flatMap(Spool.stopSentence)
        unpacking = Unpacking(header)
        block = .allocate(byteCount: header.chunkSize, alignment: 16)
        self.path = path
    }

    deinit { block.deallocate() }

    /// How many blocks of chunks the trace has; some may be empty.
    public var chunkCount: Int { directory.entries.count }

    /// Bytes of all files of the trace together.
    public var fileSize: UInt64 { file.size + (spool?.size ?? 0) }

    /// Reads the block number `index` and calls `body` with its chunk, unless it is empty or damaged. The chunk's bytes
    /// are valid during the call; `body` may not read another chunk.
    public func withChunk<Result>(_ index: Int, _ body: (Chunk) throws -> Result) throws -> Result? {
        try note(load(index, into: block, unpacking), of: index).map(body)
    }

    /// Reads all blocks in the order of the file and calls `body` with each chunk and the number of its block, as
    /// `withChunk` does.
    public func forEachChunk(_ body: (Int, Chunk) throws -> Void) throws {
        let chunks = ChunksAhead(self, Array(0..<chunkCount))
        while let loaded = try chunks.next() {
            defer { chunks.giveBack(loaded.buffer) }
            try note(loaded.reading, of: loaded.index).map { try body(loaded.index, $0) }
        }
    }

    /// The chunk, if it is one; what is damaged is counted once.
    private func note(_ reading: Chunk.Reading, of index: Int) -> Chunk? {
        let isNew = seen.insert(index).inserted
        switch reading {
        case .chunk(let chunk, let isCut):
            if isCut { damage.isCut = true }
            return chunk
        case .empty:
            return nil
        case .damaged:
            if isNew { damage.lostChunks += 1 }
            return nil
        }
    }

    /// Reads all records in the order of the file: chunks of different threads overlap in time.
    public func readRecords(_ body: (TraceRecord, RecordPosition) throws -> Void) throws {
        try forEachChunk { try readRecords(of: $1, body) }
    }

    /// Reads the records of a chunk that `withChunk` gave.
    public func readRecords(of chunk: Chunk, _ body: (TraceRecord, RecordPosition) throws -> Void) throws {
        var position = RecordPosition(sequence: chunk.sequence, offset: 0, thread: chunk.thread, time: chunk.startTime)
        var cursor = RecordCursor(chunk)
        while true {
            position.offset = cursor.offset
            guard let bytes = cursor.next() else { break }
            guard let record = RecordDecoder.decode(bytes) else {
                damage.brokenRecords += 1
                continue
            }
            if case .time(let time) = record { position.time = time }
            if case .thread(let thread) = record { position.thread = thread }
            if case .unknown = record { unknownRecords += 1 }
            try body(record, position)
        }
        if cursor.isBroken { noteBroken() }
    }

    /// Reads one record out of a chunk's bytes, for those who walk a chunk with a `RecordCursor` of their own.
    public func record(_ bytes: UnsafeRawBufferPointer) -> TraceRecord? {
        let record = RecordDecoder.decode(bytes)
        if record == nil { damage.brokenRecords += 1 }
        if case .unknown = record { unknownRecords += 1 }
        return record
    }

    /// Counts a chunk whose records could not be read to the end.
    public func noteBroken() { if !damage.isCut { damage.brokenChunks += 1 } }

    /// Changes nothing of the reader: several threads may load side by side, each with its own `unpacking`. `buffer` has at
    /// least `header.chunkSize` bytes.
    func load(
        _ index: Int, into buffer: UnsafeMutableRawBufferPointer, _ unpacking: Unpacking
    ) throws -> Chunk.Reading {
        let entry = directory.entries[index]
        let source = entry.isInSpool ? spool ?? file : file
        let size = Int(entry.size)
        if entry.rawSize == 0 {
            let count = try source.read(
                at: entry.offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
            if entry.isInSpool, try isTaken(entry, by: buffer, of: source) {
                let place = entry.sequence * UInt64(header.chunkSize)
                let stored = try file.read(at: place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
                return Chunk.read(
                    UnsafeRawBufferPointer(rebasing: buffer[..<stored]), isWhole: stored == header.chunkSize)
            }
            let isWhole = count == header.chunkSize
            return Chunk.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), isWhole: isWhole)
        }
        let input = UnsafeMutableRawBufferPointer(rebasing: unpacking.packed[..<size])
        guard try source.read(at: entry.offset, into: input) == size else { return .damaged }
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(entry.rawSize)])
        guard let count = unpacking.zstd.decompress(UnsafeRawBufferPointer(input), into: target) else {
            return .damaged
        }
        return Chunk.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), isWhole: true)
    }

    /// Whether another chunk stands in the spool's block by now: the program runs on, and has stored the one that was
    /// meant at its own place in the trace.
    private func isTaken(
        _ entry: ChunkDirectory.Entry, by buffer: UnsafeMutableRawBufferPointer, of spool: RandomAccessFile
    ) throws -> Bool {
        guard entry.sequence > 0, buffer.count >= MemoryLayout<gp_chunk_header>.size else { return false }
        let then = buffer.loadUnaligned(as: gp_chunk_header.self)
        let now = try spool.read(gp_chunk_header.self, at: entry.offset)
        // `used` is 0 while a block changes hands.
        return then.sequence != entry.sequence || then.used == 0 || now?.sequence != entry.sequence
    }
}
