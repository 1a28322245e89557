import Foundation
import GameprofBasics
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

/// Estimates of a recording that sampled its blocks.
@Suite struct SampledCounterTests {
    private static let mean: UInt64 = 1000

    private func trace() -> TraceBuilder {
        var trace = TraceBuilder()
        trace.append(.sampling(.blocks(BlockSamplingRecord(mean: Self.mean))))
        return trace
    }

    private func chance(_ size: Double) -> Double { 1 - exp(-size / Double(Self.mean)) }

    @Test("each sample is corrected by its own chance, and then they are added")
    func correctedThenAdded() throws {
        var trace = trace()
        let stack = trace.stack(0x100)
        for size: UInt64 in [10, 1000, 5000] { trace.allocate(size, at: stack) }
        trace.free(1000, of: stack)
        let totals = try recording(trace).allocations.totals
        let sizes = [10.0, 1000, 5000]
        #expect(totals.bytes == UInt64(sizes.reduce(0) { $0 + $1 / chance($1) }.rounded()))
        #expect(totals.allocations == UInt64(sizes.reduce(0) { $0 + 1 / chance($1) }.rounded()))
        #expect(totals.frees == UInt64((1 / chance(1000)).rounded()))
        #expect(totals.liveBytes == UInt64((10 / chance(10) + 5000 / chance(5000)).rounded()))
        let bytes = try #require(totals.sampled?.figures[.bytes])
        let variance = sizes.reduce(0) { $0 + $1 * $1 * (1 - chance($1)) / (chance($1) * chance($1)) }
        #expect(abs(bytes.variance / variance - 1) < 1e-9)
        #expect(bytes.observed == 6010)
        #expect(totals.sampled?.samples == 3)
    }

    @Test("blocks that all were freed leave nothing alive, whatever rounding leaves")
    func nothingLives() throws {
        var trace = trace()
        let stack = trace.stack(0x100)
        for size in 1...200 as ClosedRange<UInt64> { trace.allocate(size, at: stack) }
        for size in (1...200 as ClosedRange<UInt64>).reversed() { trace.free(size, of: stack) }
        let result = try recording(trace).allocations
        for counts in [result.totals] + result.byStack.map(\.counts) + result.byType.map(\.counts) {
            #expect(counts.liveCount == 0 && counts.liveBytes == 0)
            #expect(counts.interval(.liveBytes) == 0...0)
        }
    }

    @Test("a block has the type read as it was freed, or at the end; the rest has none")
    func types() throws {
        var trace = trace()
        let card = trace.type("Game.Card")
        let move = trace.type("Game.Move")
        let stack = trace.stack(0x100)
        trace.allocate(48, at: stack)
        trace.allocate(48, at: stack)
        trace.allocate(700, at: stack)
        trace.temporary(32, at: stack, type: move, count: 3)
        trace.append(.sampling(.liveBlock(SampledLiveRecord(type: card, stack: stack, size: 48))))
        trace.append(.sampling(.liveBlock(SampledLiveRecord(type: card, stack: stack, size: 48))))
        let result = try recording(trace).allocations
        func counts(_ type: TypeID) throws -> AllocationCounts {
            try #require(result.byType.first { $0.type == type }).counts
        }
        let cards = try counts(card)
        let moves = try counts(move)
        let rest = try counts(.none)
        #expect(cards.liveCount == UInt64((2 / chance(48)).rounded()))
        #expect(cards.allocations == cards.liveCount && cards.frees == 0)
        #expect(moves.temporary == UInt64((3 / chance(32)).rounded()))
        #expect(moves.liveCount == 0 && moves.frees == moves.temporary)
        #expect(rest.liveBytes == UInt64((700 / chance(700)).rounded()))
        let sum = result.byType.reduce(0.0) { $0 + Double($1.counts.bytes) }
        #expect(abs(sum - Double(result.totals.bytes)) <= 3)
    }

    @Test("an interval is never below what was seen, and a block far above the mean is nearly certain")
    func bounds() throws {
        var trace = trace()
        for _ in 0..<5 { trace.allocate(20_000) }
        trace.allocate(16)
        let totals = try recording(trace).allocations.totals
        let interval = try #require(totals.interval(.bytes))
        #expect(interval.lowerBound >= 100_016)
        #expect(interval.contains(totals.bytes))
        #expect(interval.upperBound < 110_000)
        #expect(SampledFigure(variance: 0).interval(of: 7) == 7...7)
        // One sample: 0.18 to 5.7 times what it stands for.
        let one = SampledFigure(variance: 1e6).interval(of: 1000)
        #expect(one == 177...5665)
    }

    @Test("counts of parts of the run add up to the total")
    func moments() throws {
        var trace = trace()
        let stack = trace.stack(0x100)
        for index in 0..<50 {
            trace.time(UInt64(index) * 1_000_000)
            trace.allocate(3000, at: stack)
        }
        let result = try recording(trace).allocations
        let count = result.moments.entries.reduce(0) { $0 + $1.count }
        #expect(abs(Double(count) - Double(result.totals.allocations)) <= 1)
        #expect(result.timeline.allSatisfy { result.interval(of: $0)?.contains($0.liveBytes) ?? false })
    }

    @Test("counts keep their intervals in JSON, and groups that are joined join theirs")
    func json() throws {
        var trace = trace()
        for _ in 0..<40 { trace.allocate(100) }
        let totals = try recording(trace).allocations.totals
        let decoded = try JSONDecoder().decode(AllocationCounts.self, from: JSONEncoder().encode(totals))
        #expect(decoded.sampled?.samples == 40)
        #expect(decoded.bytes == totals.bytes)
        let (before, after) = (try #require(totals.interval(.bytes)), try #require(decoded.interval(.bytes)))
        #expect(abs(Double(before.upperBound) - Double(after.upperBound)) <= 2)
        var sum = totals
        sum.add(totals)
        let width = { (range: ClosedRange<UInt64>) in Double(range.upperBound - range.lowerBound) }
        #expect(abs(width(try #require(sum.interval(.bytes))) / width(before) - 2.0.squareRoot()) < 0.05)
    }

    @Test("numbers of a damaged sampled trace are no trap")
    func damaged() throws {
        var trace = TraceBuilder()
        trace.append(.sampling(.blocks(BlockSamplingRecord(mean: .max))))
        trace.allocate(0xffff_ffff_ffff)
        trace.allocate(0)
        trace.temporary(1, count: .max)
        trace.append(.sampling(.liveBlock(SampledLiveRecord(type: TypeID(.max), stack: StackID(.max), size: .max))))
        let result = try recording(trace).allocations
        #expect(result.sampleMean == .max)
        #expect(result.totals.sampled != nil)
    }
}
