import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct SlowFramePathTests {
    /// A frame of 100 ms: enemies 89 ms, in it collect paths 85 ms, which waits for a lock; the median frame takes 2 ms.
    private static func report() -> AnalyzedReport {
        var report = AnalyzedReport(facts: Report(target: .init(executable: "/bin/game"), capture: .init()))
        let ms: UInt64 = 1_000_000
        report.facts.timeline.doings = [
            .init(
                name: "Enemies.paths()", waitsFor: "lock", holder: "PathFinder.search(from:)", holderThread: "finder"),
            .init(name: "enemies"), .init(name: "collect paths"), .init(name: "present"), .init(name: "draw"),
        ]
        report.facts.timeline.tracks = [
            .init(
                kind: .thread, name: "main",
                rows: [
                    [.init(start: 6 * ms, end: 84 * ms, doing: 0, kind: .waiting)],
                    [
                        .init(start: 1 * ms, end: 90 * ms, doing: 1, kind: .interval),
                        .init(start: 90 * ms, end: 94 * ms, doing: 4, kind: .interval),
                        .init(start: 94 * ms, end: 300 * ms, doing: 3, kind: .interval),
                    ],
                    [.init(start: 3 * ms, end: 88 * ms, doing: 2, kind: .interval)],
                ])
        ]
        report.facts.timeline.loops = [
            .init(
                name: "frame",
                frames: [
                    .init(
                        start: 0, length: 200 * ms, work: 100 * ms, processor: 0, allocations: 0, bytes: 0, track: 0)
                ], budget: 16_666_666)
        ]
        var frame = Report.Frame(
            number: 1, seconds: 0, nanoseconds: 200 * ms, workNanoseconds: 100 * ms, allocations: 0, bytes: 0,
            probes: [])
        frame.excess = [.init(kind: .interval, name: "enemies", value: 89 * ms, usual: ms)]
        report.facts.frames = [.init(name: "frame", durations: .init(count: 9, p50: 2 * ms), slowest: [frame])]
        return report
    }

    @Test func `a slow frame says the path of its time and who held the lock`() throws {
        var report = Self.report()
        SlowFramePath(report.facts.timeline).add(to: &report)
        let loop = try #require(report.facts.frames?[0])
        #expect(loop.slowest[0].path?.intervals.map(\.name) == ["enemies", "collect paths"])
        #expect(
            FrameExcessText.explanation(loop.slowest[0], of: loop) { $0 }
                == "Frame 1, 100 ms instead of 2.0 ms: enemies 89 ms › collect paths 85 ms waited 78 ms for the lock that "
                + "PathFinder.search(from:) holds on finder")
    }

    @Test func `a wait that was seen before and after an interval alone is not of it`() throws {
        var report = Self.report()
        report.facts.timeline.waitPeriod = 10_000_000
        report.facts.timeline.tracks[0].rows[0] = [.init(start: 80_000_000, end: 96_000_000, doing: 0, kind: .waiting)]
        report.facts.timeline.tracks[0].rows[2][0].start = 80_000_000
        report.facts.timeline.tracks[0].rows[1][0].start = 75_000_000
        report.facts.timeline.loops[0].frames[0].work = 16_000_000
        SlowFramePath(report.facts.timeline).add(to: &report)
        let path = try #require(report.facts.frames?[0].slowest[0].path)
        #expect(path.intervals.map(\.name) == ["enemies", "collect paths"] && path.mostly != nil)
        report.facts.timeline.tracks[0].rows[0] = [.init(start: 85_000_000, end: 95_000_000, doing: 0, kind: .waiting)]
        SlowFramePath(report.facts.timeline).add(to: &report)
        #expect(try #require(report.facts.frames?[0].slowest[0].path).mostly == nil)
    }

    @Test func `a frame that waited for a processor says that, and one near the median nothing`() throws {
        var report = Self.report()
        report.facts.frames?[0].slowest[0].excess = [.init(kind: .processor, value: 50_000_000, usual: 0)]
        SlowFramePath(report.facts.timeline).add(to: &report)
        let loop = try #require(report.facts.frames?[0])
        let text = try #require(FrameExcessText.explanation(loop.slowest[0], of: loop) { $0 })
        #expect(text.hasSuffix("it waited 50 ms for a processor"))
        report.facts.frames?[0].slowest[0].path = nil
        report.facts.frames?[0].slowest[0].excess = nil
        SlowFramePath(report.facts.timeline).add(to: &report)
        #expect(report.facts.frames?[0].slowest[0].path == nil)
    }
}
