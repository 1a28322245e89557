import CTraceFormat
import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofTrace

/// A trace whose only thread fills one chunk after the other, between the looks of a reader.
private final class GrowingFile {
    private let trace: TemporaryTrace
    private var stored: [UInt8]

    var path: String { trace.path }

    init() throws {
        trace = try TemporaryTrace()
        var builder = TraceBuilder()
        builder.isFinished = false
        stored = Array(builder.bytes()[..<Int(GP_CHUNK_SIZE)])
        try overwrite("a.gptrace", stored)
        try overwrite("a.gptrace.spool", spoolHeader(blocks: 1, next: 1))
    }

    /// The chunk as a block.
    func chunk(_ sequence: UInt64, _ records: [TraceRecord]) -> [UInt8] {
        var builder = TraceBuilder()
        for _ in 1..<max(sequence, 1) {
            builder.allocate(1)
            builder.chunk(thread: 1)
        }
        for record in records { builder.append(record) }
        return Array(builder.bytes().suffix(Int(GP_CHUNK_SIZE)))
    }

    /// The thread has come so far in the chunk.
    func fill(_ sequence: UInt64, _ records: [TraceRecord]) throws {
        try overwrite(
            "a.gptrace.spool", spoolHeader(blocks: 2, next: sequence + 1) + chunk(sequence, records))
    }

    /// The chunk is full and stands in the trace; the thread begins another one.
    func store(_ sequence: UInt64, _ records: [TraceRecord], cutAt size: Int = Int(GP_CHUNK_SIZE)) throws {
        let place = Int(sequence) * Int(GP_CHUNK_SIZE)
        stored += [UInt8](repeating: 0, count: max(0, place + Int(GP_CHUNK_SIZE) - stored.count))
        let whole = chunk(sequence, records)
        stored.replaceSubrange(
            place..<(place + Int(GP_CHUNK_SIZE)),
            with: whole[..<size] + [UInt8](repeating: 0, count: whole.count - size))
        try overwrite("a.gptrace", stored)
        try overwrite("a.gptrace.spool", spoolHeader(blocks: 2, next: sequence + 1))
    }

    /// Into the file that the reader has open.
    private func overwrite(_ name: String, _ bytes: [UInt8]) throws {
        let url = trace.folder.appendingPathComponent(name)
        if !FileManager.default.fileExists(atPath: url.path) { try trace.write([], to: name) }
        let file = try FileHandle(forUpdating: url)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
    }
}

private func made(_ size: UInt64) -> TraceRecord { .allocation(AllocationRecord(size: size, stack: .none)) }
private func gone(_ size: UInt64) -> TraceRecord { .free(FreeRecord(size: size, stack: .none)) }
private func temporary(_ size: UInt64) -> TraceRecord { .temporary(FreeRecord(size: size, stack: .none)) }

extension LiveRecording {
    fileprivate func sum(_ track: LiveTimeline.Track) -> Double { timeline.values(of: track).reduce(0, +) }

    fileprivate var sums: [Double] { [sum(.allocated), sum(.freed), sum(.allocations), liveBytesAtTheEnds] }
}

@Suite struct GrowingTraceTests {
    @Test func `each record is read once while its chunk fills`() throws {
        let file = try GrowingFile()
        let live = try LiveRecording(path: file.path)
        try live.look()
        #expect(live.sums == [0, 0, 0, 0])
        try file.fill(1, [made(10), made(20)])
        try live.look()
        #expect(live.sums == [10, 0, 1, 20], "the last block may turn out to be a temporary one")
        try live.look()
        #expect(live.sums == [10, 0, 1, 20])
        try file.fill(1, [made(10), made(20), gone(10)])
        try live.look()
        #expect(live.sums == [30, 10, 2, 0])
    }

    @Test func `a last allocation that becomes a temporary one is counted once`() throws {
        let file = try GrowingFile()
        let live = try LiveRecording(path: file.path)
        try file.fill(1, [made(10)])
        try live.look()
        try file.fill(1, [temporary(10), made(5)])
        try live.look()
        #expect(live.sums == [10, 10, 1, 5])
    }

    @Test func `a repetition counts on although its block vanishes behind it`() throws {
        let file = try GrowingFile()
        let live = try LiveRecording(path: file.path)
        try file.fill(1, [temporary(8), .repetition(3), made(8)])
        try live.look()
        #expect(live.sums == [8, 8, 1, 8])
        try file.fill(1, [temporary(8), .repetition(9)])
        try live.look()
        #expect(live.sums == [8, 8, 1, 0])
        try file.fill(1, [temporary(8), .repetition(9), .time(2_000_000_000), made(1), gone(1)])
        try live.look()
        #expect(live.sums == [81, 81, 11, 0])
        #expect(live.timeline.values(of: .allocated) == [80, 0, 0, 0, 0, 0, 0, 0, 1])
    }

    @Test func `the rest of a chunk that was stored meanwhile is read from the trace`() throws {
        let file = try GrowingFile()
        let live = try LiveRecording(path: file.path)
        try file.fill(1, [made(10), made(20), made(30)])
        try live.look()
        try file.store(1, [made(10), made(20), made(30), made(40)])
        try file.fill(2, [made(100), gone(10)])
        try live.look()
        #expect(live.sums == [200, 10, 5, 0])
        try live.look()
        #expect(live.sums == [200, 10, 5, 0])
    }

    @Test func `a chunk that is being stored is read when it is whole`() throws {
        let file = try GrowingFile()
        let live = try LiveRecording(path: file.path)
        let records = (0..<1_000).map { _ in made(1) }
        try file.store(1, records, cutAt: 4096)
        try live.look()
        #expect(live.sums == [0, 0, 0, 0])
        try file.store(1, records)
        try live.look()
        #expect(live.sums == [1_000, 0, 1_000, 0])
    }

    @Test func `a snapshot is given out once, when it has ended`() throws {
        let file = try GrowingFile()
        let live = try LiveRecording(path: file.path)
        let begin = TraceRecord.heap(
            .begin(HeapBeginRecord(trigger: .onRequest, snapshot: SnapshotID(1), name: "request")))
        try file.fill(1, [begin, made(1), gone(1)])
        try live.look()
        #expect(live.takeSnapshots().isEmpty)
        let end = TraceRecord.heap(.end(HeapEndRecord(snapshot: SnapshotID(1), blocks: 7, bytes: 700)))
        try file.fill(1, [begin, made(1), gone(1), end])
        try live.look()
        #expect(live.takeSnapshots().map { $0.heapSnapshots.map(\.liveBytes) } == [[700]])
        #expect(live.takeSnapshots().isEmpty)
    }

    @Test func `a spool that is none is no reason to fail`() throws {
        let trace = try TemporaryTrace(TraceBuilder())
        try trace.write([UInt8](repeating: 0x5a, count: 200_000), to: "a.gptrace.spool")
        let live = try LiveRecording(path: trace.path)
        try live.look()
        #expect(live.timeline.count == 0)
    }

    @Test func `figures of sampled blocks are estimates of all`() throws {
        let file = try GrowingFile()
        let live = try LiveRecording(path: file.path)
        try file.fill(1, [.sampling(.blocks(BlockSamplingRecord(mean: 1_000))), made(1_000), gone(1_000)])
        try live.look()
        #expect(live.isSampled)
        #expect(abs(live.sum(.allocated) - 1_000 / (1 - exp(-1))) < 1e-6)
        #expect(live.sum(.allocated) == live.sum(.freed))
    }
}
