import CTraceFormat
import Foundation
import GameprofBasics

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
        var records = exit.map { [RecordBytes.programExit($0)] } ?? []
        records += stopSentence.map { [RecordBytes.loss(RemarkRecord(events: 0, sentence: $0))] } ?? []
        if !records.isEmpty { try append(records, time: exit?.wall ?? 0, to: output, sequence: max(next, 1)) }
        try mark(output, header)
        try output.close()
        unlink(spoolPath)
    }

    /// Compresses the finished trace at `path` into `final`, chunk by chunk with zstd, and removes `path`. `final`
    /// appears whole or not at all.
    /// - Parameter symbols: names to store behind all other records.
    public static func compress(_ path: String, into final: String, symbols: [TraceRecord.Symbol] = []) throws {
        try CompressedTrace.write(path, to: final, symbols: symbols)
        unlink(path)
    }

    /// Stores names in the trace at `path`, in place of those that it holds. It is compressed and takes its spool in; what
    /// is missing in it is still reported as missing. The file is replaced whole or not at all, and keeps its mode; a link
    /// stays one.
    /// - Throws: `TraceError`; `path` is as it was then.
    public static func store(_ symbols: [TraceRecord.Symbol], in path: String) throws {
        let file: String
        do { file = try OutputPlace(path).path } catch {
            throw TraceError.unwritable(path: path, reason: error.reason)
        }
        try CompressedTrace.write(file, to: file, symbols: symbols)
        unlink(Spool.path(of: file))
    }

    /// Whether the program still writes the trace at `path`: it keeps its spool locked.
    public static func isBeingWritten(_ path: String) -> Bool {
        guard let spool = try? RegularFile.open(Spool.path(of: path)).descriptor else { return false }
        defer { close(spool) }
        return flock(spool, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
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
        _ records: [[UInt8]], time: UInt64, to output: OutputFile, sequence: UInt64
    ) throws {
        var encoder = ChunkEncoder(firstSequence: sequence)
        encoder.begin(thread: .none, time: time)
        for record in records { encoder.append(record) }
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
}
