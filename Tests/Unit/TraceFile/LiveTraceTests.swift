import CTraceFormat
import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofTrace

// While a trace is read, its program stores a chunk in the trace and takes the chunk's block in the spool for its next
// one, between any two looks of the reader's.

private let block = Int(GP_CHUNK_SIZE)

/// Two chunks, of which the second stands in the spool alone.
private struct GrowingTrace {
    let trace: TemporaryTrace
    private let bytes: [UInt8]

    init() throws {
        var builder = TraceBuilder()
        builder.isFinished = false
        builder.allocate(1)
        for thread: UInt32 in 2...3 {
            builder.chunk(thread: thread)
            builder.allocate(UInt64(thread))
        }
        bytes = builder.bytes()
        trace = try TemporaryTrace()
        try store(blocks: 2)
        try spool(chunk: 2)
    }

    /// The program stores the second chunk and begins a third.
    func goOn() throws {
        try store(blocks: 3)
        try spool(chunk: 3)
    }

    /// The program has stored the second chunk and is about to begin a third.
    func pauseBetweenChunks() throws {
        try store(blocks: 3)
        try spool(chunk: 2, used: 0)
    }

    private func store(blocks: Int) throws { try overwrite("a.gptrace", Array(bytes[..<(blocks * block)])) }

    private func spool(chunk: Int, used: UInt32? = nil) throws {
        var contents = Array(bytes[(chunk * block)..<((chunk + 1) * block)])
        if let used, let place = MemoryLayout.offset(of: \gp_chunk_header.used) {
            contents.replaceSubrange(place..<(place + 4), with: withUnsafeBytes(of: used) { Array($0) })
        }
        try overwrite("a.gptrace.spool", spoolHeader(blocks: 2, next: UInt64(chunk + 1)) + contents)
    }

    /// Into the file that readers have open.
    private func overwrite(_ name: String, _ bytes: [UInt8]) throws {
        let url = trace.folder.appendingPathComponent(name)
        if !FileManager.default.fileExists(atPath: url.path) { try trace.write([], to: name) }
        let file = try FileHandle(forUpdating: url)
        try file.write(contentsOf: bytes)
        try file.close()
    }
}

private func sizes(_ reader: TraceReader) throws -> [UInt64] {
    var sizes: [UInt64] = []
    try reader.readRecords { record, _ in if case .allocation(let made) = record { sizes.append(made.size) } }
    return sizes
}

@Test func aChunkThatLeavesTheSpoolBeforeItIsListedIsFoundInTheTrace() throws {
    let growing = try GrowingTrace()
    let file = try RandomAccessFile(path: growing.trace.path)
    let header = try TraceHeader.read(from: file)
    let spool = try RandomAccessFile(path: Spool.path(of: growing.trace.path))
    try growing.goOn()
    let directory = try ChunkDirectory(file: file, header: header, spool: spool)
    #expect(directory.entries.map(\.isInSpool) == [false, false, true])
}

@Test func aChunkThatLeavesTheSpoolAfterItWasListedIsFoundInTheTrace() throws {
    let growing = try GrowingTrace()
    let reader = try TraceReader(path: growing.trace.path)
    try growing.goOn()
    #expect(try sizes(reader) == [1, 2])
}

@Test func aChunkWhoseBlockIsEmptiedMeanwhileIsFoundInTheTrace() throws {
    let growing = try GrowingTrace()
    let reader = try TraceReader(path: growing.trace.path)
    try growing.pauseBetweenChunks()
    #expect(try sizes(reader) == [1, 2])
}
