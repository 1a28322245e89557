import Foundation
import Testing

/// `gameprof time` on real programs.
@Suite struct TimeTests {
    /// The book's first time bandit: the helper that walks, and the sum that calls it, not the runtime.
    @Test(arguments: [Products.GameLabBuild.debug, .release])
    func theQuadraticSumIsBlamedOnItsHelperAndItsCaller(_ build: Products.GameLabBuild) throws {
        // The unoptimised walk takes four times as long.
        let presses = build == .debug ? "13" : "14"
        let run = try TimeRun(build.executable, ["fault", "compute-sum", "--presses", presses])
        #expect(run.status == 0)
        let hot = try #require(run.hotspots.functions.first)
        #expect(hot.function == "DemoList.element(at:)")
        #expect(hot.own > 0.5)
        #expect(hot.total > 0.9)
        #expect(hot.callers.contains("DemoList.sum()"))
        #expect(hot.file?.hasSuffix("ComputeSum.swift") == true)
        #expect(run.hotspots.functions.allSatisfy { !$0.function.hasPrefix("swift_") })
        #expect(run.hotspots.lost == 0)
    }
}
