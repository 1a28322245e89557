import CTraceFormat
import GameprofTrace
import Testing

@testable import GameprofHeap

@Suite("Counts of live blocks") struct GrowthSeriesTests {
    private func row(_ stack: UInt32, _ count: UInt64) -> HeapCensusRecord {
        HeapCensusRecord(type: TypeID(7), stack: StackID(stack), count: count, bytes: 48 * count)
    }

    @Test("what rises from each repetition to the next may grow, and nothing else")
    func repetitions() {
        var series = GrowthSeries()
        func take(_ rising: UInt64, _ full: UInt64, _ name: String, _ trigger: HeapBeginRecord.Trigger = .onRequest)
            -> [Int]
        {
            series.choose([row(1, full), row(2, rising)], name: name, trigger: trigger) { _ in false }
        }
        for turn in 1...4 { #expect(take(10 * UInt64(turn), 30, "game #\(turn)") == []) }
        #expect(take(45, 30, "interval") == [])
        #expect(take(50, 30, "game #5") == [1])
        #expect(take(55, 30, "other #1") == [])
        #expect(take(50, 30, "exit", .atExit) == [1])
        #expect(take(50, 31, "game #6") == [])
    }

    @Test("at the end many instances of a class may grow, in a very large heap nothing")
    func many() {
        var series = GrowthSeries()
        let rows = [row(1, 47), row(2, 48), row(3, 100), row(0, 1000)]
        func chosen(_ rows: [HeapCensusRecord], _ isClass: Bool) -> [Int] {
            series.choose(rows, name: "exit", trigger: .atExit) { _ in isClass }
        }
        #expect(chosen(rows, true) == [2, 1] && chosen(rows, false) == [])
        #expect(chosen(rows + [row(4, 1_000_000)], true) == [])
    }

    @Test("blocks are counted by type and stack, those of each generation too, and the recorder's are not")
    func census() {
        let blocks = [
            gp_search_block(address: 16, size: 40, maker: 5 << 4, type: 2),
            gp_search_block(address: 64, size: 1 << 56 | 24, maker: 5 << 4, type: 0),
            gp_search_block(address: 128, size: 2 << 56 | 40, maker: 5 << 4, type: 2),
            gp_search_block(address: 192, size: 8, maker: UInt32(GP_SEARCH_OF_RECORDER), type: 0),
            gp_search_block(address: 256, size: 16, maker: UInt32(GP_SEARCH_OF_LOADER), type: 0),
        ]
        var census = BlockCensus()
        census.add(
            HeapImageRecord(kind: UInt32(GP_SEARCH_BLOCKS), bytes: blocks.withUnsafeBytes { Array($0) + [0, 0] }))
        census.add(HeapImageRecord(kind: UInt32(GP_SEARCH_WORDS), bytes: blocks.withUnsafeBytes { Array($0) }))
        func row(_ type: UInt32, _ stack: UInt32, _ count: UInt64, _ bytes: UInt64) -> HeapCensusRecord {
            HeapCensusRecord(type: TypeID(type), stack: StackID(stack), count: count, bytes: bytes)
        }
        #expect(census.rows == [row(2, 5, 2, 80), row(0, 5, 1, 24), row(0, 0, 1, 16)])
        #expect(census.firstBlocks == [16, 64, 256])
        #expect(census.generations.map(\.generation) == [1, 2])
        #expect(census.generations.map(\.bytes) == [24, 40])
    }
}
