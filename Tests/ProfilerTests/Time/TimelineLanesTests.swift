import Testing

@testable import GameprofHTMLRendering
@testable import GameprofReportModel

@Suite struct TimelineLanesTests {
    private static func names(_ report: Report) -> [String] {
        let rows = TimelineLanes(report, columns: 100)?.values["rows"] as? [[String: Any]] ?? []
        return rows.compactMap { $0["name"] as? String }
    }

    @Test func threadsMemoryFramesAndProbesShareAnAxis() {
        var report = TimeFixture.game.report()
        var allocations = Report.Allocations()
        allocations.timeline = [.init(seconds: 0, liveBytes: 10), .init(seconds: 0.5, liveBytes: 40)]
        report.allocations = allocations
        report.probes = [
            .init(
                name: "tilt", durations: .init(count: 1), activity: [.init(seconds: 0.25, busySeconds: 0.1)],
                bucketSeconds: 0.25)
        ]
        report.frames = [.init(name: "frame", durations: .init(count: 1), slowest: [])]
        #expect(Self.names(report) == ["CPU main", "CPU worker", "live memory, peak 40 B", "slowest frames", "tilt"])
    }

    @Test func `live memory alone has its own drawing and no timeline beside it`() throws {
        var report = Report(target: .init(executable: "/bin/game", wallSeconds: 1), capture: .init())
        report.allocations = Report.Allocations()
        report.allocations?.timeline = [.init(seconds: 0, liveBytes: 10), .init(seconds: 0.5, liveBytes: 40)]
        #expect(TimelineLanes(report, columns: 100)?.hasMemoryAlone == true)
        let page = try HTMLReport.render(report)
        #expect(!page.contains("id=\"timeline\"") && page.contains("id=\"range-now\""))
        #expect(Self.names(TimeFixture.game.report()) == ["CPU main", "CPU worker"])
    }

    @Test func heightsFallIntoTheColumnsOfTheirTime() {
        let heights = LaneHeights(span: 10, columns: 10)
        #expect(heights.moments([0, 4.5, 99]) == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        let level = heights.level([(0, 5), (5, 10)], least: 5, greatest: 10)
        #expect(level == [0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1, 1])
        let busy = heights.busy(
            Report.Probe(
                name: "tilt", durations: .init(), activity: [.init(seconds: 2, busySeconds: 1)], bucketSeconds: 2))
        #expect(busy == [0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0])
    }
}
