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
}
