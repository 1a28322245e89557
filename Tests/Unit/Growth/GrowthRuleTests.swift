import Testing

@testable import GameprofTrace

@Suite struct GrowthRuleTests {
    /// A program of so many steps; `live` says how many blocks live after each. Each step works with 4 temporary blocks.
    private func judge(_ steps: Int, work: UInt64 = 8, atEnd: UInt64? = nil, _ live: (Int) -> UInt64) -> Int? {
        var curve = RisingCurve()
        var next = RisingCurve.firstLevel
        var event: UInt64 = 0
        var frees: UInt64 = 0
        var before: UInt64 = 0
        for step in 0..<steps {
            let now = live(step)
            event += work + (now > before ? now - before : before - now)
            frees += work / 2 + (before > now ? before - now : 0)
            while now >= next { next = curve.pass(next, event: event, frees: frees) }
            before = now
        }
        return GrowthRule.run(curve, lastAllocation: event, atEnd: atEnd ?? before)
    }

    @Test func whatIsAddedAtEachStepGrows() throws {
        let count = try #require(judge(1_000) { UInt64($0) })
        #expect((600...800).contains(count))
        #expect(judge(100_000) { UInt64($0 * 18) } != nil)
    }

    @Test func whatIsAddedNowAndThenGrows() {
        #expect(judge(10_000) { UInt64($0 / 40) } != nil)
    }

    @Test func aCacheThatFillsUpIsNoGrowth() {
        #expect(judge(1_000) { UInt64(min($0, 500)) } == nil)
        #expect(judge(1_000) { UInt64(min($0, 850)) } == nil)
    }

    @Test func aCacheThatIsEmptiedNowAndThenIsNoGrowth() {
        #expect(judge(1_000) { UInt64($0 % 100) } == nil)
        #expect(judge(1_000) { UInt64($0 % 300) } == nil)
    }

    @Test func warmUpIsNoGrowth() {
        #expect(judge(1_000) { UInt64(min($0 * 5, 400) + $0 / 200) } == nil)
    }

    @Test func growthThatSlowsDownToNothingIsNoGrowth() {
        #expect(judge(10_000) { UInt64(1_000 - 1_000 * 200 / ($0 + 200)) } == nil)
    }

    @Test func whatIsThrownAwayAtTheEndIsNoGrowth() {
        #expect(judge(1_000, atEnd: 0) { UInt64($0) } == nil)
        #expect(judge(1_000, atEnd: 500) { UInt64($0) } == nil)
    }

    @Test func fewBlocksAreNoEvidence() {
        #expect(judge(1_000) { UInt64($0 / 20) } == nil)
    }

    @Test func aProgramThatOnlyBuildsDoesNotGrow() {
        #expect(judge(1_000, work: 0) { UInt64($0) } == nil)
    }

    @Test func aShortBurstAtTheEndIsNoGrowth() {
        #expect(judge(10_000) { UInt64(max(0, $0 - 9_900)) } == nil)
    }

    @Test func repetitionsMustGrowEveryTimeAfterTheFirst() {
        #expect(GrowthRule.repetitions([9, 10, 11, 12, 13]) == 1)
        #expect(GrowthRule.repetitions([0, 18, 36, 54, 72, 90]) == 18)
        #expect(GrowthRule.repetitions([0, 10, 11, 11, 12]) == nil)
        #expect(GrowthRule.repetitions([0, 100, 100, 100, 100, 100]) == nil)
        #expect(GrowthRule.repetitions([5, 6, 7, 8]) == nil, "three after the first are too few")
        #expect(GrowthRule.repetitions([]) == nil)
    }
}
