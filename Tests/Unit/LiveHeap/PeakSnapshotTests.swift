import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

/// Which of several heaps is kept and shown.
@Suite struct PeakSnapshotTests {
    private static func snapshot(
        _ number: UInt32, _ trigger: HeapBeginRecord.Trigger, bytes: UInt64, isCutShort: Bool = false
    ) -> [TraceRecord.Heap] {
        [
            .begin(
                HeapBeginRecord(
                    trigger: trigger, snapshot: SnapshotID(number), time: UInt64(number) * 1_000_000_000,
                    name: trigger == .atPeak ? "peak" : "exit")),
            .end(HeapEndRecord(snapshot: SnapshotID(number), isCutShort: isCutShort, bytes: bytes)),
        ]
    }

    private static func kept(_ records: [[TraceRecord.Heap]]) throws -> [UInt32] {
        var assembler = SnapshotAssembler()
        for record in records.joined() { try assembler.note(record) }
        return assembler.finish().map(\.begin.snapshot.rawValue)
    }

    @Test("of the heaps at peaks the highest with a result is kept") func assembling() throws {
        let peaks = [
            Self.snapshot(1, .atPeak, bytes: 100), Self.snapshot(2, .atPeak, bytes: 200),
            Self.snapshot(3, .atPeak, bytes: 0, isCutShort: true), Self.snapshot(4, .atExit, bytes: 50),
        ]
        #expect(try Self.kept(peaks) == [2, 4])
        #expect(try Self.kept([peaks[2], peaks[0]]) == [1])
        // What was killed while it wrote has no end.
        #expect(try Self.kept([peaks[0], [peaks[1][0]], peaks[3]]) == [1, 4])
        #expect(try Self.kept([peaks[2]]) == [3])
    }

    /// A heap of one block.
    private static let graph = TraceRecord.Heap.nodes(
        HeapNodesRecord(first: ObjectID(1), address: 64, rows: [HeapNodeRow(flags: [.reachable])], edges: []))

    private static func withGraph(
        _ number: UInt32, _ trigger: HeapBeginRecord.Trigger, isCutShort: Bool = false
    ) -> [TraceRecord.Heap] {
        var records = snapshot(number, trigger, bytes: 1, isCutShort: isCutShort)
        records.insert(graph, at: 1)
        return records
    }

    @Test("of many heaps the graphs are kept that the report shows") func graphs() throws {
        var assembler = SnapshotAssembler()
        assembler.kept = .ofReport(number: 4)
        let all =
            Self.withGraph(1, .onRequest) + Self.withGraph(2, .onRequest) + Self.withGraph(3, .atPeak)
            + Self.withGraph(4, .onRequest) + Self.withGraph(5, .onRequest) + Self.withGraph(6, .atExit)
            + Self.withGraph(7, .onRequest, isCutShort: true)
        for record in all { try assembler.note(record) }
        let snapshots = assembler.finish()
        #expect(snapshots.count == 7)
        #expect(snapshots.filter { $0.graph != nil }.map(\.begin.snapshot.rawValue) == [1, 3, 4, 6])
    }

    @Test("a heap that needs more memory than there is is refused while it is read") func room() throws {
        var assembler = SnapshotAssembler()
        assembler.room = 1 << 30
        for record in Self.withGraph(1, .atExit) { try assembler.note(record) }
        assembler.room = 1 << 20
        #expect(throws: HeapTooLarge.self) {
            for record in Self.withGraph(2, .atExit) { try assembler.note(record) }
        }
        assembler.kept = .rootsAlone
        for record in Self.withGraph(3, .atExit) { try assembler.note(record) }
        #expect(assembler.finish().last?.graph == nil)
    }

    private static func recording() -> Recording {
        var heap = LiveHeapFixture()
        heap.root(heap.object("Game.Board", size: 100))
        var recording = Recording()
        recording.types = heap.types
        recording.allocations.totals.peakBytes = 1 << 20
        recording.allocations.peakTime = 4_000_000_000
        for (number, trigger) in [(1, HeapBeginRecord.Trigger.onRequest), (2, .atPeak), (3, .atExit)] {
            var snapshot = HeapSnapshot(
                begin: HeapBeginRecord(
                    trigger: trigger, snapshot: SnapshotID(UInt32(number)), time: UInt64(number) * 1_000_000_000,
                    name: trigger == .atPeak ? "peak" : trigger == .atExit ? "exit" : "request"),
                end: HeapEndRecord(snapshot: SnapshotID(UInt32(number)), bytes: 1 << 19))
            snapshot.graph = heap.heap
            recording.heapSnapshots.append(snapshot)
        }
        return recording
    }

    private static func section(_ choice: ReportOptions.HeapSnapshotChoice) throws -> Report.LiveHeap? {
        let recording = recording()
        guard let shown = LiveHeapSection.chosen(among: recording.heapSnapshots, choice) else { return nil }
        return LiveHeapSection(
            snapshot: shown, snapshots: recording.heapSnapshots, recording: recording,
            rootNames: LiveHeapFixture().rootNames
        ).section(ReportOptions())
    }

    @Test("the one near the peak is shown, which says how near it is") func choice() throws {
        let peak = try #require(try Self.section(.peak))
        #expect(peak.snapshot == 2 && peak.first?.snapshot == 1)
        #expect(
            LiveHeapWords.moment(peak) == "Snapshot 2 (peak) at 2.00 s: 512 KB live, at most 1.0 MB at 4.00 s",
            "\(LiveHeapWords.moment(peak) ?? "")")
        let last = try #require(try Self.section(.last))
        #expect(last.snapshot == 3 && last.peak == nil && LiveHeapWords.moment(last) == nil)
        let first = try #require(try Self.section(.number(1)))
        #expect(first.first == nil && LiveHeapWords.moment(first) == "Snapshot 1 (request) at 1.00 s")
        #expect(try Self.section(.number(9)) == nil)
    }
}
