import GameprofAnalysis
import GameprofReport
import GameprofTrace
import Testing

@testable import GameprofCheck

@Suite struct RepeatedComparisonTests {
    private func verdict(_ before: [Double], _ after: [Double]) -> RepeatedComparison.Figure.Verdict? {
        RepeatedComparison.Figure(.cpu, unit: .nanoseconds, before: before, after: after)?.verdict
    }

    @Test func `runs that do not overlap get a verdict, in both directions`() {
        #expect(verdict([100, 101, 102, 103, 104], [120, 121, 122, 123, 124]) == .worse)
        #expect(verdict([120, 121, 122, 123, 124], [100, 101, 102, 103, 104]) == .better)
    }

    @Test func `a change that is small, that chance explains, or of too few runs gets none`() {
        #expect(verdict([100, 100.1, 100.2, 100.3, 100.4], [102, 102.1, 102.2, 102.3, 102.4]) == nil)
        #expect(verdict([100, 130, 90, 110, 120], [115, 95, 125, 105, 135]) == nil)
        #expect(verdict([100, 101, 102], [200, 201, 202]) == nil)
        #expect(verdict([7, 7, 7, 7, 7], [7, 7, 7, 7, 7]) == nil)
        #expect(RepeatedComparison.Figure(.cpu, unit: .nanoseconds, before: [], after: [1]) == nil)
    }

    // MARK: - Frames

    /// A run of 60 frames, of which so many take so long instead of 10 ms.
    private func run(
        _ loop: String = "frame", slow: Int, _ milliseconds: UInt64, _ budgets: inout [String: UInt64]
    ) throws -> RunFigures {
        var trace = ProbeTrace()
        trace.name(1, loop)
        var now: UInt64 = 1_000
        for number in 0...60 {
            trace.probe(.frame, 1, at: now)
            now += (number < slow ? milliseconds : 10) * 1_000_000
        }
        return RunFigures(try trace.recording(), budgets: &budgets)
    }

    private func comparison(_ loop: String = "frame", slow: [[Int]]) throws -> RepeatedComparison {
        var budgets: [String: UInt64] = [:]
        let sides = try slow.map { try $0.map { try run(loop, slow: $0, 30, &budgets) } }
        return RepeatedComparison(before: "a", after: "b", runs: (sides[0], sides[1]))
    }

    @Test func `frames of a loop get a verdict by their percentiles and by how many are over the budget`() throws {
        let worse = try comparison(slow: [[0, 0, 0, 0], [12, 14, 12, 13]])
        #expect(worse.figures.map(\.name) == [.frameP50, .frameP95, .frameP99, .framesOverBudget])
        #expect(worse.figures.map(\.verdict) == [nil, .worse, .worse, .worse] && worse.isWorse)
        #expect(worse.figures.allSatisfy { $0.loop == "frame" })
        let over = try #require(worse.figures.last)
        #expect(over.before == [0, 0, 0, 0] && over.after == [12, 14, 12, 13] && over.budgetNanoseconds == 16_666_666)
        let middle = try #require(worse.middle)
        #expect(middle == (1, 1))
        #expect(worse.text.contains("frame, p95") && worse.text.contains("frame, over 1"))
        #expect(try !comparison(slow: [[12, 14, 12, 13], [0, 0, 0, 0]]).isWorse)
        let rare = try comparison(slow: [[0, 0, 0, 0], [2, 2, 2, 2]])
        #expect(rare.figures.last?.verdict == .worse && !rare.isWorse, "the 95th percentile decides")
        #expect(
            try comparison(slow: [[0, 0, 0, 0], [1, 1, 1, 1]]).figures.last?.verdict == nil, "one frame is chance")
        #expect(try comparison(slow: [[2, 1, 2, 3], [2, 3, 1, 2]]).figures.allSatisfy { $0.verdict == nil })
    }

    @Test func `all runs are judged by the budget of the first, and a loop that one run lacks is not compared`() throws
    {
        var budgets: [String: UInt64] = ["frame": 5_000_000]
        let first = try run(slow: 0, 30, &budgets)
        #expect(first.loops[0].overBudget == 60)
        let other = try run("other", slow: 0, 30, &budgets)
        let some = RepeatedComparison(before: "a", after: "b", runs: ([first, other], [first, first]))
        #expect(some.figures.isEmpty && some.middle == nil)
    }

    @Test(arguments: ReportFixture.hostile)
    func `the page has the verdicts, and a loop's name stays text`(_ name: String) throws {
        let comparison = try comparison(name, slow: [[0, 1, 0, 1], [12, 14, 12, 13]])
        let page = try ComparisonPage.render(ComparisonReport(before: "a", after: "b"), runs: comparison.table)
        #expect(page.contains("Medians of 4 runs each") && page.contains("p95 worse: "))
        for sign in ["<script>alert", "<img", "\u{1B}", "\u{202E}"] { #expect(!page.contains(sign)) }
        #expect(!comparison.text.contains("\u{1B}"))
    }
}
