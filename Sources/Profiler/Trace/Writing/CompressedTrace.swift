import CTraceFormat
import Foundation
import GameprofBasics

/// A trace as it is kept: every chunk with zstd, without the empty ones.
enum CompressedTrace {
    /// Copies the trace at `path`, with its spool, to `final`, which appears whole or not at all and may be `path` itself.
    /// With `symbols` the names that it holds are left out.
    static func write(_ path: String, to final: String, symbols: [TraceRecord.Symbol]) throws {
        do {
            try OutputPlace(final).replace { partial in
                var writer = try CompressedTraceWriter(path: path, to: partial)
                try writer.write(symbols: symbols)
            }
        } catch let refusal as OutputPlace.Refusal {
            throw TraceError.unwritable(path: final, reason: refusal.reason)
        } catch TraceError.unwritable(_, let reason) {
            throw TraceError.unwritable(path: final, reason: reason)
        }
    }
}

private struct CompressedTraceWriter {
    /// How many chunks are compressed at once.
    private static let batch = 32

    private let reader: TraceReader
    private let output: OutputFile
    private let chunkSize: Int
    private var offset: UInt64
    /// The last chunk's, so that what is appended comes behind it in the order of time.
    private var time: UInt64 = 0
    private var sequence: UInt64 = 0

    init(path: String, to partial: String) throws {
        reader = try TraceReader(path: path)
        output = try OutputFile(path: partial, isNew: true)
        chunkSize = reader.header.chunkSize
        offset = UInt64(chunkSize)
    }

    mutating func write(symbols: [TraceRecord.Symbol]) throws {
        for first in stride(from: 0, to: reader.chunkCount, by: Self.batch) {
            var chunks: [[UInt8]] = []
            for index in first..<min(first + Self.batch, reader.chunkCount) {
                _ = try reader.withChunk(index) { chunk in
                    time = max(time, chunk.startTime)
                    sequence = max(sequence, chunk.sequence)
                    if symbols.isEmpty || !Self.holdsSymbols(chunk) { chunks.append([UInt8](chunk.bytes)) }
                }
            }
            try append(chunks)
        }
        try appendRecords(missing() + symbols.map(RecordBytes.symbol))
        try writeHeader()
        try output.close()
    }

    /// Names have chunks of their own.
    private static func holdsSymbols(_ chunk: Chunk) -> Bool {
        let kinds = RecordKind.symbolText.rawValue...RecordKind.symbolSource.rawValue
        var cursor = RecordCursor(chunk)
        var isEmpty = true
        while let record = cursor.next() {
            guard kinds.contains(record[0]) else { return false }
            isEmpty = false
        }
        return !isEmpty && !cursor.isBroken
    }

    /// What the copy cannot show itself: chunks that are left out, and what the spool's header says.
    private func missing() -> [[UInt8]] {
        var damage = reader.damage
        (damage.brokenChunks, damage.brokenRecords) = (0, 0)
        let sentences = (reader.stopSentence.map { [$0] } ?? []) + damage.sentences
        return sentences.map { RecordBytes.loss(RemarkRecord(events: 0, sentence: $0)) }
    }

    private var isWhole: Bool { reader.damage.lostChunks == 0 && !reader.damage.isCut }

    private mutating func appendRecords(_ records: [[UInt8]]) throws {
        guard !records.isEmpty else { return }
        guard chunkSize == Int(GP_CHUNK_SIZE) else {
            throw TraceError.damagedHeader(path: reader.path, detail: "its chunks have \(chunkSize) bytes")
        }
        var encoder = ChunkEncoder(firstSequence: sequence &+ 1)
        var isSymbol: Bool?
        for record in records {
            let kind = record.first ?? 0
            let isNext = kind != UInt8(GP_LOSS)
            if isNext != isSymbol { encoder.begin(thread: .none, time: time) }
            isSymbol = isNext
            encoder.append(record)
        }
        encoder.finish()
        try append(
            encoder.chunks.map { chunk in
                let used = chunk.withUnsafeBytes { $0.loadUnaligned(as: gp_chunk_header.self).used }
                return Array(chunk[..<Int(used)])
            })
    }

    /// Compresses chunks, several at once where there are many, and writes each behind its sizes.
    private mutating func append(_ chunks: [[UInt8]]) throws {
        let packed = [[UInt8]?](unsafeUninitializedCapacity: chunks.count) { packed, count in
            nonisolated(unsafe) let packed = packed
            let pack = { @Sendable (place: Int) in
                (packed.baseAddress! + place).initialize(to: Self.packed(chunks[place]))
            }
            if chunks.count < Self.batch {
                chunks.indices.forEach(pack)
            } else {
                DispatchQueue.concurrentPerform(iterations: chunks.count, execute: pack)
            }
            count = chunks.count
        }
        for bytes in packed {
            guard let bytes else {
                throw TraceError.unwritable(path: output.path, reason: "a chunk cannot be compressed")
            }
            try bytes.withUnsafeBytes { try output.write($0, at: offset) }
            offset += UInt64(bytes.count)
        }
    }

    /// A chunk that was compressed, behind its sizes; nil: it cannot be.
    private static func packed(_ chunk: [UInt8]) -> [UInt8]? {
        let room = Zstd.bound(chunk.count) + 8
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            let size = chunk.withUnsafeBytes {
                Zstd.compress($0, into: UnsafeMutableRawBufferPointer(rebasing: bytes[8...]))
            }
            guard let size else { return }
            bytes.storeBytes(of: UInt32(size), as: UInt32.self)
            bytes.storeBytes(of: UInt32(chunk.count), toByteOffset: 4, as: UInt32.self)
            count = size + 8
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func writeHeader() throws {
        let first = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
        defer { first.deallocate() }
        guard try reader.file.read(at: 0, into: first) == chunkSize else {
            throw TraceError.damagedHeader(path: reader.path, detail: "it is too short")
        }
        var header = first.loadUnaligned(as: gp_file_header.self)
        header.flags |= UInt32(GP_FILE_COMPRESSED)
        if !isWhole { header.flags &= ~UInt32(GP_FILE_FINISHED) }
        header.dropped_events = reader.droppedEvents
        first.storeBytes(of: header, as: gp_file_header.self)
        try output.write(UnsafeRawBufferPointer(first), at: 0)
    }
}
