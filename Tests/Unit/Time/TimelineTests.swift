import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct TimelineTests {
    private typealias Span = Report.Timeline.Span

    private static func doing(_ timeline: Report.Timeline, _ span: Span) -> String {
        let doing = timeline.doings[span.doing]
        return doing.name + (doing.waitsFor.map { " (\($0))" } ?? "") + (doing.holder.map { " \($0)" } ?? "")
    }

    @Test func `what a thread did is joined over samples, and a wait for a lock names who held it`() throws {
        let time = TimeFixture()
        let lock = SymbolicatedFrame(
            function: "pthread_mutex_lock", module: "libc.so.6", image: "libc.so.6", origin: .library)
        time.sample("main", "Game.play()", count: 3)
        time.sample(
            frames: [
                [TimeFixture.user("main")], [TimeFixture.user("Board.deal()")], [lock],
            ],
            count: 5, kind: .waiting, holder: 2)
        time.sample("work", "Path.search()", count: 5, thread: 2)
        time.spend(thread: 1, cpu: 9_000_000, name: "main")
        time.spend(thread: 2, cpu: 2_000_000, name: "worker")
        let timeline = time.report().timeline
        #expect(timeline.tracks.map(\.name) == ["main", "worker"])
        let row = timeline.tracks[0].rows[0]
        #expect(row.map { Self.doing(timeline, $0) } == ["Game.play()", "Board.deal() (lock) Path.search()"])
        #expect(row.map(\.kind) == [.computing, .waiting])
        #expect(zip(row, row.dropFirst()).allSatisfy { $0.end <= $1.start })
    }

    private static func spans(_ kinds: [(UInt64, UInt64, Span.Kind)]) -> [Span] {
        kinds.map { Span(start: $0.0 * 1_000_000, end: $0.1 * 1_000_000, doing: 0, kind: $0.2) }
    }

    @Test(
        arguments: [
            // A gap before what was computed next.
            ([(0, 10, .computing), (50, 60, .computing)], [(0, 60, 30)], [(20, 50)]),
            // Two gaps, of which the first is taken whole.
            ([(0, 10, .waiting), (20, 30, .computing), (60, 70, .computing)], [(0, 70, 25)], [(10, 20), (45, 60)]),
            // Nothing follows, or a wait: from where the thread was seen last.
            ([(0, 10, .computing)], [(0, 60, 20)], [(10, 30)]),
            ([(0, 10, .computing), (40, 50, .waiting)], [(0, 50, 20)], [(10, 30)]),
            // Without room it is taken from what looks as if it was computed all the time; a wait is left whole.
            ([(0, 10, .computing), (12, 20, .computing)], [(0, 20, 9)], [(10, 19)]),
            ([(0, 40, .computing)], [(10, 20, 7), (20, 30, 6)], [(10, 17), (20, 26)]),
            ([(0, 20, .waiting)], [(0, 20, 9)], []),
            // Two looks do not share the room.
            ([(0, 10, .computing), (30, 60, .computing)], [(0, 40, 15), (5, 60, 15)], [(15, 45)]),
            ([(0, 10, .computing)], [], []),
        ] as [([(UInt64, UInt64, Span.Kind)], [(UInt64, UInt64, UInt64)], [(UInt64, UInt64)])])
    private func `a wait for a processor lies where the samples leave room`(
        _ given: (row: [(UInt64, UInt64, Span.Kind)], waits: [(UInt64, UInt64, UInt64)], ready: [(UInt64, UInt64)])
    ) {
        let row = TimelineBuilder.fill(
            Self.spans(given.row),
            given.waits.map {
                let (from, to) = ($0.0 * 1_000_000, $0.1 * 1_000_000)
                return .init(earliest: from, from: from, to: to, nanoseconds: $0.2 * 1_000_000)
            },
            doing: 1)
        let ready = row.filter { $0.kind == .ready }
        #expect(ready.map(\.start) == given.ready.map { $0.0 * 1_000_000 })
        #expect(ready.map(\.end) == given.ready.map { $0.1 * 1_000_000 })
        #expect(zip(row, row.dropFirst()).allSatisfy { $0.end <= $1.start })
    }

    @Test func `a thread that was ready without a processor has that in its track, and the page says the colours`()
        throws
    {
        let time = TimeFixture()
        time.sample("Game.play()", at: 1_000_000)
        time.sample("Game.play()", at: 60_000_000)
        time.spend(thread: 1, cpu: 2_000_000, name: "main")
        time.unscheduled(thread: 1, milliseconds: 47, at: 62_000_000)
        let report = time.report()
        let timeline = report.timeline
        let ready = timeline.tracks[0].rows[0].filter { $0.kind == .ready }
        #expect(ready.map(\.start) == [12_000_000] && ready.map(\.end) == [59_000_000], "\(timeline.tracks[0].rows[0])")
        #expect(Self.doing(timeline, ready[0]) == " (processor)")
        let page = try HTMLReport.render(report)
        #expect(page.contains("\"ready, without a processor\"") && page.contains("timeline-legend"))
    }

    @Test func `the frames of a loop say it where threads were not looked at`() throws {
        var trace = ProbeTrace()
        trace.name(1, "frame")
        trace.probe(.frame, 1, at: 1_000_000)
        trace.probe(.frame, 1, at: 31_000_000, lasting: 8_000_000)
        var recording = try trace.recording()
        let thread = try #require(recording.probes.frames.first?.all.first).thread
        recording.sampling = SamplingRecord(period: 1_000_000)
        for start in [5_000_000, 25_000_000] as [UInt64] {
            recording.samples.add(SampleRecord(stack: .none, time: start), thread: thread)
        }
        let profile = ProfileBuilder.build(recording, symbolicator: TimeFixture())
        let row = try #require(TimelineBuilder.timeline(of: recording, profile: profile).tracks.first?.rows.first)
        let ready = row.filter { $0.kind == .ready }
        #expect(ready.reduce(0) { $0 + $1.end - $1.start } == 8_000_000, "\(row)")
    }

    @Test func `intervals are nested by thread, and those that another thread ends lie apart`() throws {
        var trace = ProbeTrace()
        for (id, name) in [(1, "frame work"), (2, "simulate"), (3, "draw"), (4, "load")] {
            trace.name(UInt32(id), name)
        }
        trace.probe(.begin, 1, at: 1_000)
        trace.probe(.interval, 2, at: 2_000, lasting: 3_000)
        trace.probe(.interval, 3, at: 5_000, lasting: 1_000)
        trace.probe(.end, 1, at: 9_000)
        trace.probe(.span, 4, at: 3_000, lasting: 100_000)
        trace.probe(.span, 4, at: 4_000, lasting: 100_000)
        let timeline = TimelineBuilder.timeline(of: try trace.recording(), profile: nil)
        let rows = timeline.tracks.map { $0.rows.map { $0.map { timeline.doings[$0.doing].name } } }
        #expect(rows == [[[], ["frame work"], ["simulate", "draw"]], [["load"], ["load"]]])
        #expect(timeline.tracks[0].rows[2].map(\.start) == [2_000, 5_000])
        #expect(timeline.tracks[0].rows[2].map(\.end) == [5_000, 6_000])
    }

    @Test func `each frame has its time, its work and its allocations`() throws {
        var trace = ProbeTrace()
        trace.name(1, "frame")
        trace.name(2, "present")
        trace.probe(.frame, 1, at: 1_000)
        trace.builder.allocate(500)
        trace.probe(.interval, 2, at: 2_000, lasting: 6_000)
        trace.probe(.frame, 1, at: 11_000)
        trace.probe(.frame, 1, at: 31_000)
        let timeline = TimelineBuilder.timeline(of: try trace.recording(), profile: nil)
        let frames = try #require(timeline.loops.first).frames
        #expect(frames.map(\.start) == [1_000, 11_000] && frames.map(\.length) == [10_000, 20_000])
        #expect(frames.map(\.work) == [4_000, 20_000] && frames.map(\.bytes) == [500, 0])
    }

    @Test func `200,000 intervals become as many as a page holds, and none is longer than the resolution`() {
        let row = (0..<200_000).map { number in
            let start = UInt64(number) * 20_000
            return Span(
                start: start, end: start + 10_000 + UInt64(number % 7) * 1_000, doing: number % 3, kind: .interval)
        }
        let exact = TimelineDetail([row], limit: 200_000)
        #expect(exact.resolution == 0 && exact.spans(row).allSatisfy { $0.count == 1 })
        let detail = TimelineDetail([row], limit: 60_000)
        let entries = detail.spans(row)
        #expect(entries.count <= 60_000 && entries.count > 30_000)
        #expect(entries.reduce(0) { $0 + $1.count } == 200_000)
        #expect(entries.reduce(0) { $0 + $1.busy } == row.reduce(0) { $0 + $1.end - $1.start })
        #expect(entries.allSatisfy { $0.span.end - $0.span.start <= detail.resolution })
    }

    @Test(arguments: [
        (60, 16_666_666), (61, 16_666_666), (119, 8_333_333), (30, 33_333_333), (1_000, 16_666_666), (12, 33_333_333),
    ])
    func `the budget of a loop is its display's period`(_ rate: Int, _ budget: UInt64) {
        let length = UInt64(1_000_000_000 / rate)
        #expect(FrameBudget.nanoseconds([length, length, length]) == budget)
    }

    @Test func `a page with 300,000 intervals and an hour of frames stays below two megabytes`() throws {
        var report = Report(target: .init(executable: "/bin/game", wallSeconds: 3_600), capture: .init())
        report.timeline.doings = (0..<100).map { .init(name: "interval \($0)") }
        let row = (0..<300_000).map { number in
            Span(
                start: UInt64(number) * 12_000_000, end: UInt64(number) * 12_000_000 + 7_000_000, doing: number % 100,
                kind: .interval)
        }
        report.timeline.tracks = [.init(kind: .thread, name: "main", rows: [[], row])]
        report.timeline.loops = [
            .init(
                name: "frame",
                frames: (0..<216_000).map { number in
                    .init(
                        start: UInt64(number) * 16_666_666, length: 16_666_666,
                        work: number % 100 == 0 ? 20_000_000 : 5_000_000, processor: 0, allocations: 70, bytes: 4_000,
                        track: 0)
                }, budget: 16_666_666)
        ]
        report.frames = [.init(name: "frame", durations: .init(count: 216_000), slowest: [])]
        let page = try HTMLReport.render(report)
        #expect(page.utf8.count < HTMLReport.sizeLimit && !page.contains("was shortened"))
    }
}
