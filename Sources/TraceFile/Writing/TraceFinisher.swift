import CTraceFormat
import Foundation

/// Brings a trace to its end after the recorded program has ended, however it ended.
public enum TraceFinisher {
    /// Copies what is left in the spool into the trace at `path`, appends how the program ended, marks the trace as
    /// finished and removes the spool. A trace that is finished already only gets the program's end.
    /// - Throws: `TraceError`. The spool is kept then, so that nothing is lost.
    public static func finish(_ path: String, exit: ProgramExitRecord?) throws {
        let file = try RandomAccessFile(path: path)
        var header = try TraceHeader.read(from: file)
        let output = try OutputFile(path: path, isNew: false)
        let chunkSize = UInt64(header.chunkSize)
        var next = (file.size + chunkSize - 1) / chunkSize
        let spoolPath = Spool.path(of: path)
        var stopSentence: String?
        if access(spoolPath, F_OK) == 0 {
            let spool = try RandomAccessFile(path: spoolPath)
            next = max(next, try copyChunks(of: spool, to: output, header: header, blocks: next))
            let spoolHeader = try Spool.header(of: spool)
            header.droppedEvents = max(header.droppedEvents, spoolHeader?.dropped_events ?? 0)
            stopSentence = spoolHeader.flatMap(Spool.stopSentence)
        }
        header.isCut = header.isCut || !header.isFinished && stopSentence == nil
        var records: [TraceRecord] = exit.map { [.programExit($0)] } ?? []
        records += stopSentence.map { [.loss(RemarkRecord(events: 0, sentence: $0))] } ?? []
        if !records.isEmpty { try append(records, time: exit?.wall ?? 0, to: output, sequence: max(next, 1)) }
        try mark(output, header)
        try output.close()
        unlink(spoolPath)
    }

    /// Compresses the finished trace at `path` into `final`, chunk by chunk with zstd, and removes `path`. `final`
    /// appears whole or not at all.
    public static func compress(_ path: String, into final: String) throws {
        let partial = "\(final).\(getpid()).partial"
        do {
            try writeCompressed(path, to: partial)
            guard rename(partial, final) == 0 else { throw TraceError.unwritable(path: final, reason: systemReason()) }
        } catch {
            unlink(partial)
            throw error
        }
        unlink(path)
    }

    /// Returns the first sequence that is free.
    private static func copyChunks(
        of spool: RandomAccessFile, to output: OutputFile, header: TraceHeader, blocks: UInt64
    ) throws -> UInt64 {
        let chunkSize = UInt64(header.chunkSize)
        let spoolHeader = try Spool.header(of: spool)
        // A chunk that was begun but not yet stored can only be one of the spool's blocks or of the snapshot's writer.
        let limit = blocks + spool.size / chunkSize + 1024
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: header.chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        for (sequence, offset) in try Spool.chunks(of: spool, chunkSize: header.chunkSize) where sequence < limit {
            let count = try spool.read(at: offset, into: buffer)
            guard count == header.chunkSize else { continue }
            try output.write(UnsafeRawBufferPointer(buffer), at: sequence * chunkSize)
        }
        return min(spoolHeader?.next_sequence ?? 0, limit)
    }

    private static func append(
        _ records: [TraceRecord], time: UInt64, to output: OutputFile, sequence: UInt64
    ) throws {
        var encoder = ChunkEncoder(firstSequence: sequence)
        encoder.begin(thread: .none, time: time)
        for record in records { encoder.append(RecordEncoder.encode(record)) }
        encoder.finish()
        for chunk in encoder.chunks {
            try chunk.withUnsafeBytes { try output.write($0, at: sequence * UInt64(GP_CHUNK_SIZE)) }
        }
    }

    private static func mark(_ output: OutputFile, _ header: TraceHeader) throws {
        let flags =
            UInt32(GP_FILE_FINISHED) | (header.isCompressed ? UInt32(GP_FILE_COMPRESSED) : 0)
            | (header.isCut ? UInt32(GP_FILE_CUT) : 0)
        let dropped = header.droppedEvents
        try withUnsafeBytes(of: flags) {
            try output.write($0, at: UInt64(MemoryLayout<gp_file_header>.offset(of: \.flags) ?? 20))
        }
        try withUnsafeBytes(of: dropped) {
            try output.write($0, at: UInt64(MemoryLayout<gp_file_header>.offset(of: \.dropped_events) ?? 40))
        }
    }

    private static func writeCompressed(_ path: String, to partial: String) throws {
        let reader = try TraceReader(path: path)
        let output = try OutputFile(path: partial, isNew: true)
        let source = try RandomAccessFile(path: path)
        let chunkSize = reader.header.chunkSize
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Zstd.bound(chunkSize) + 8, alignment: 16)
        defer { block.deallocate() }
        let count = try source.read(at: 0, into: UnsafeMutableRawBufferPointer(rebasing: block[..<chunkSize]))
        guard count == chunkSize else { throw TraceError.damagedHeader(path: path, detail: "it is too short") }
        let flagsOffset = MemoryLayout<gp_file_header>.offset(of: \.flags) ?? 20
        let flags = block.loadUnaligned(fromByteOffset: flagsOffset, as: UInt32.self) | UInt32(GP_FILE_COMPRESSED)
        block.storeBytes(of: flags, toByteOffset: flagsOffset, as: UInt32.self)
        try output.write(UnsafeRawBufferPointer(rebasing: block[..<chunkSize]), at: 0)
        var offset = UInt64(chunkSize)
        for index in 0..<reader.chunkCount {
            let size = try reader.withChunk(index) { chunk -> Int in
                let target = UnsafeMutableRawBufferPointer(rebasing: block[8...])
                guard let packed = Zstd.compress(chunk.bytes, into: target) else {
                    throw TraceError.unwritable(path: partial, reason: "a chunk cannot be compressed")
                }
                block.storeBytes(of: UInt32(packed), as: UInt32.self)
                block.storeBytes(of: UInt32(chunk.bytes.count), toByteOffset: 4, as: UInt32.self)
                return packed + 8
            }
            guard let size else { continue }
            try output.write(UnsafeRawBufferPointer(rebasing: block[..<size]), at: offset)
            offset += UInt64(size)
        }
        try output.close()
    }
}
