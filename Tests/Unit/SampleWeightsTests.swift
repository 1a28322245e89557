import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

/// A snapshot of very many lost objects lists some of them.
@Suite struct SampleWeightsTests {
    private func heap() -> HeapFixture {
        let heap = HeapFixture()
        let stack = heap.stack("Game.load()", "Game.main()")
        for _ in 0..<2 {
            let board = heap.node("Game.Board", size: 32, stack: stack)
            for _ in 0..<3 { heap.refer(board, "cards", heap.node("Game.Card", size: 48, stack: stack)) }
        }
        let data = heap.raw(size: 100, stack: stack)
        heap.refer(data, "", heap.raw(size: 10), kind: .raw, ownership: .conservative)
        heap.lost = [
            HeapCensusRecord(type: heap.typeID("Game.Board"), stack: stack, count: 1_000_001, bytes: 32_000_032),
            HeapCensusRecord(type: heap.typeID("Game.Card"), stack: stack, count: 3_000_003, bytes: 144_000_144),
            HeapCensusRecord(type: .none, stack: stack, count: 1, bytes: 100),
            HeapCensusRecord(type: .none, stack: .none, count: 1, bytes: 10),
            HeapCensusRecord(type: .none, stack: heap.stack("Game.deep()"), count: 7, bytes: 700),
        ]
        return heap
    }

    @Test("counts and bytes are those of all lost objects, not of the sample")
    func counts() throws {
        let findings = heap().findings
        let board = try #require(findings.first { $0.type == "Game.Board" })
        #expect(board.count == 1_000_001)
        #expect(board.objects == ["Game.Board": 1_000_001, "Game.Card": 3_000_003])
        #expect(board.bytes == 176_000_176)
        let memory = try #require(findings.first { $0.kind == .rawLeak })
        #expect(memory.count == 1)
        #expect(memory.bytes == 110)
    }

    @Test("the report says that it looked at a sample, and what stands in no finding")
    func note() throws {
        let report = heap().report()
        #expect(report.capture.problems.isEmpty)
        let note = try #require(report.capture.notes.only)
        #expect(note.hasPrefix("4,000,013 objects are lost; 10 of them were examined one by one."))
        #expect(note.hasSuffix(" 7 of them (700 B) are reachable only from other lost objects and are in no finding."))
        let all = HeapFixture()
        all.addUndoCycle()
        #expect(all.report().capture.notes.isEmpty)
    }

    @Test("what a damaged trace claims about counts ends no tool")
    func damaged() {
        let heap = heap()
        heap.lost = heap.lost.map {
            HeapCensusRecord(type: $0.type, stack: $0.stack, count: .max, bytes: .max)
        }
        #expect(heap.report().findings.count == 2)
    }
}
