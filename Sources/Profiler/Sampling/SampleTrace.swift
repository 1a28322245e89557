import CRecorderCFI
import CTraceFormat
import Foundation
import GameprofBasics
import GameprofTrace

/// A trace of samples, as the recorder would have written it, while it grows.
struct SampleTrace {
    private let file: OutputFile
    private var encoder = ChunkEncoder()
    private var sequence: UInt64 = 1
    private var header = gp_file_header()
    /// Frames by their caller's number, address and kind.
    private var nodes: [Node: UInt32] = [:]
    private var thread = ThreadID.none
    /// The rings of two processors are read one after the other, and chunks are ordered by the time at which they begin.
    private var latest: UInt64 = 0

    private struct Node: Hashable {
        var parent: UInt32
        var pc: UInt
        var isExact: Bool
    }

    /// - Throws: `TraceError`.
    init(path: String, program: ProgramRecord, facts: [EnvironmentRecord.Fact]) throws {
        file = try OutputFile(path: path, isNew: true)
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: GP_TRACE_MAGIC.utf8) }
        header.version = GP_TRACE_VERSION
        header.header_size = UInt32(MemoryLayout<gp_file_header>.size)
        header.chunk_size = UInt32(GP_CHUNK_SIZE)
        header.start_unix_ns = UInt64(Date().timeIntervalSince1970 * 1e9)
        header.pid = program.pid
        try writeHeader()
        encoder.begin(thread: .none, time: 0)
        encoder.append(RecordBytes.program(program))
        encoder.append(RecordBytes.environment(EnvironmentRecord(facts: facts)))
    }

    mutating func append(_ record: [UInt8]) { encoder.append(record) }

    /// A sample of a thread with its stack, innermost frame first.
    /// - Parameter time: nanoseconds since recording began.
    mutating func append(
        _ frames: some BidirectionalCollection<gp_copied_frame>, of thread: ThreadID, kind: SampleRecord.Kind,
        weight: UInt16 = 1, time: UInt64, isDiskWait: Bool = false, holder: ThreadID = .none
    ) {
        var parent: UInt32 = 0
        for frame in frames.reversed() {
            let node = Node(parent: parent, pc: frame.pc, isExact: frame.exact)
            if let known = nodes[node] {
                parent = known
                continue
            }
            let id = UInt32(nodes.count + 1)
            nodes[node] = id
            encoder.append(
                RecordBytes.frame(
                    FrameRecord(
                        id: FrameID(id), parent: FrameID(parent), pc: UInt64(frame.pc), isExact: frame.exact)))
            parent = id
        }
        latest = max(latest, time)
        encoder.follow(time: latest)
        if thread != self.thread {
            encoder.append(RecordBytes.thread(thread))
            encoder.follow(thread: thread)
            self.thread = thread
        }
        // Both in one chunk.
        let said = holder.isNone ? [] : RecordBytes.lockHolder(holder)
        encoder.append(
            said
                + RecordBytes.sample(
                    SampleRecord(kind: kind, isDiskWait: isDiskWait, weight: weight, stack: StackID(parent), time: time)
                ))
    }

    /// Writes what is complete.
    /// - Throws: `TraceError`.
    mutating func flush() throws {
        for chunk in encoder.take() {
            try chunk.withUnsafeBytes { try file.write($0, at: sequence * UInt64(GP_CHUNK_SIZE)) }
            sequence += 1
        }
    }

    /// - Parameter time: when recording ended, in nanoseconds since it began.
    /// - Throws: `TraceError`.
    mutating func finish(time: UInt64, dropped: UInt64) throws {
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
