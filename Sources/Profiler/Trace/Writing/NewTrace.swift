import CTraceFormat
import Foundation
import GameprofBasics

/// A trace that the tool itself writes, of a process that has no recorder, while it grows.
package struct NewTrace {
    private let file: OutputFile
    private var encoder = ChunkEncoder()
    private var sequence: UInt64 = 1
    private var header = gp_file_header()

    /// - Throws: `TraceError`.
    package init(
        path: String, program: ProgramRecord, facts: [EnvironmentRecord.Fact],
        startUnixNanoseconds: UInt64 = UInt64(Date().timeIntervalSince1970 * 1e9)
    ) throws {
        file = try OutputFile(path: path, isNew: true)
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: GP_TRACE_MAGIC.utf8) }
        header.version = GP_TRACE_VERSION
        header.header_size = UInt32(MemoryLayout<gp_file_header>.size)
        header.chunk_size = UInt32(GP_CHUNK_SIZE)
        header.start_unix_ns = startUnixNanoseconds
        header.pid = program.pid
        try writeHeader()
        encoder.begin(thread: .none, time: 0)
        encoder.append(RecordBytes.program(program))
        encoder.append(RecordBytes.environment(EnvironmentRecord(facts: facts)))
    }

    package mutating func append(_ record: [UInt8]) { encoder.append(record) }

    /// What follows happened at this time, in nanoseconds since recording began.
    package mutating func follow(time: UInt64) { encoder.follow(time: time) }

    /// What follows was done by this thread.
    package mutating func follow(thread: ThreadID) {
        encoder.append(RecordBytes.thread(thread))
        encoder.follow(thread: thread)
    }

    /// Writes what is complete.
    /// - Throws: `TraceError`.
    package mutating func flush() throws {
        for chunk in encoder.take() {
            try chunk.withUnsafeBytes { try file.write($0, at: sequence * UInt64(GP_CHUNK_SIZE)) }
            sequence += 1
        }
    }

    /// - Parameter time: when recording ended, in nanoseconds since it began.
    /// - Throws: `TraceError`.
    package mutating func finish(time: UInt64, dropped: UInt64 = 0) throws {
        encoder.append(RecordBytes.time(time))
        encoder.finish()
        try flush()
        header.flags = UInt32(GP_FILE_FINISHED)
        header.dropped_events = dropped
        try writeHeader()
        try file.close()
    }

    private func writeHeader() throws {
        var block = withUnsafeBytes(of: header) { Array($0) }
        block += [UInt8](repeating: 0, count: Int(GP_CHUNK_SIZE) - block.count)
        try block.withUnsafeBytes { try file.write($0, at: 0) }
    }
}
