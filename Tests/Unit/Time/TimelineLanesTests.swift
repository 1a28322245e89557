import Testing

@testable import GameprofAnalysis
@testable import GameprofReport

@Suite struct TimelineLanesTests {
    private static func names(_ report: Report) -> [String] {
        let rows = TimelineLanes(report, columns: 100)?.values["rows"] as? [[String: Any]] ?? []
        return rows.compactMap { $0["name"] as? String }
    }

    @Test func threadsMemoryFramesAndProbesShareAnAxis() throws {
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
        // The script has the threads by their samples.
        let page = try HTMLReport.render(report)
        #expect(page.contains("\"kind\":\"thread\",\"name\":\"worker\"") && !page.contains("\"name\":\"CPU worker\""))
    }

    @Test func `defects, snapshots and marks have lanes, and a finding names the moment on them`() throws {
        var report = Report(target: .init(executable: "/bin/game", wallSeconds: 10), capture: .init())
        report.snapshots = (1...4).map { number in
            .init(
                number: number, name: "interval", seconds: Double(2 * number), blocks: 0, bytes: 0,
                unreachableBlocks: 0,
                pauseSeconds: 0)
        }
        var leak = Finding(kind: .leak, signature: "0123456789abcdef", title: "Leaked Card", type: "Card")
        leak.sightings = [.init(snapshot: 2, count: 3), .init(snapshot: 3, count: 3), .init(snapshot: 4, count: 4)]
        leak.firstSeenSeconds = 4
        var zombie = Finding(kind: .zombie, signature: "fedcba9876543210", title: "Zombie Tile", type: "Tile")
        zombie.firstSeenSeconds = 9.5
        report.findings = [leak, zombie]
        report.generations = [.init(name: "level", seconds: 1), .init(name: "memory warning", seconds: 5)]
        report.memoryWarnings = [.init(seconds: 5, handledSeconds: 6, liveBytesBefore: 10, liveBytesAfter: 10)]
        let rows = TimelineLanes(report, columns: 100)?.values["rows"] as? [[String: Any]] ?? []
        let names = ["deallocated objects used", "new leaks, at most 3", "heap snapshots", "memory warnings", "marks"]
        #expect(rows.compactMap { $0["name"] as? String } == names)
        // A bar for three new ones at 4 s, one a third as high at 8 s, none at 2 and 6 s.
        #expect(rows[1]["path"] as? String == "M40 20v-20h1v20zM80 20v-8h1v8z")
        let page = try HTMLReport.render(report)
        #expect(page.contains("<b>First seen</b> at 4.00 s") && page.contains("data-range-from=\"3.75\""))
    }

    @Test func `reads and writes are a lane as high as their rate`() throws {
        var report = Report(
            target: .init(executable: "/bin/game", wallSeconds: 2), capture: .init(instruments: [.files]))
        var files = Report.Files()
        files.timeline = [(0.5, 1_000), (1, 0), (2, 4_000)].map {
            .init(seconds: $0, calls: 1, bytes: $1, meanSeconds: 1e-6, longestSeconds: 1e-6)
        }
        report.files = files
        #expect(Self.names(report) == ["I/O, peak 3.9 KB/s"])
        let page = try HTMLReport.render(report)
        #expect(page.contains("\"points\":[0,2000,500000,0,1000000,4000,2000000,0]"))
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
