import Foundation
import GameprofBasics
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

/// Traces whose clock of probes has three ticks a nanosecond.
struct ProbeTrace {
    static let rate: UInt64 = 3
    var builder = TraceBuilder()

    init() {
        builder.append(.probe(.clock(ClockRecord(ticks: 1_000_000, time: 0))))
        builder.append(.probe(.clock(ClockRecord(ticks: 1_000_000 + 10_000_000 * Self.rate, time: 10_000_000))))
    }

    mutating func name(_ id: UInt32, _ text: String) {
        builder.append(.probe(.name(ProbeNameRecord(id: ProbeNameID(id), name: text))))
    }

    /// `nanoseconds` since recording began.
    mutating func probe(_ kind: ProbeRecord.Kind, _ id: UInt32, at nanoseconds: UInt64, lasting length: UInt32 = 0) {
        builder.append(
            .probe(
                .event(
                    ProbeRecord(
                        kind: kind, name: ProbeNameID(id), ticks: 1_000_000 + nanoseconds * Self.rate,
                        length: length * UInt32(Self.rate)))))
    }

    func recording() throws -> Recording {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gptrace").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try builder.write(to: path)
        return try RecordingReader.read(path: path)
    }
}

@Suite struct ProbeTests {
    @Test func intervalsAreToldInNanoseconds() throws {
        var trace = ProbeTrace()
        trace.name(1, "tilt")
        for index in 1...100 { trace.probe(.interval, 1, at: UInt64(index) * 1000, lasting: UInt32(index)) }
        let intervals = try trace.recording().probes.intervals
        #expect(intervals.map(\.name) == ["tilt"])
        #expect(
            intervals[0].durations
                == Durations(
                    count: 100, total: 5050, min: 1, p50: 50, p95: 95, p99: 99, max: 100, exact: true))
    }

    @Test func nestedIntervalsOwnTheAllocationsOfTheirThread() throws {
        var trace = ProbeTrace()
        trace.name(1, "turn")
        trace.name(2, "tilt")
        trace.builder.allocate(1000)
        trace.probe(.begin, 1, at: 100)
        trace.builder.allocate(8)
        trace.probe(.begin, 2, at: 200)
        trace.builder.temporary(16, count: 3)
        trace.builder.chunk(thread: 2)
        trace.builder.allocate(500)
        trace.builder.chunk(thread: 1)
        trace.probe(.end, 2, at: 300)
        trace.probe(.end, 1, at: 500)
        let intervals = try trace.recording().probes.intervals
        #expect(intervals.map(\.name) == ["turn", "tilt"])
        #expect(intervals.map(\.durations.total) == [400, 100])
        #expect(intervals.map(\.allocations) == [4, 3])
        #expect(intervals.map(\.bytes) == [56, 48])
    }

    @Test func anIntervalMayEndOnAnotherThreadWhoseChunkComesFirst() throws {
        var trace = ProbeTrace()
        trace.name(1, "load")
        trace.builder.chunk(thread: 2)
        trace.probe(.span, 1, at: 1000, lasting: 700)
        trace.probe(.longSpan, 1, at: 2000)
        trace.probe(.end, 1, at: 5_000_000)
        trace.builder.chunk(thread: 1)
        trace.probe(.start, 1, at: 1000)
        trace.probe(.start, 1, at: 2000)
        trace.probe(.start, 1, at: 3000)
        let load = try #require(try trace.recording().probes.intervals.first)
        #expect(load.durations.count == 2)
        #expect(load.durations.total == 700 + 4_998_000)
        #expect(load.open == 1)
    }

    @Test("an interval that another thread ended is told, one begun to end anywhere is not")
    func endedElsewhere() throws {
        var trace = ProbeTrace()
        trace.name(1, "load")
        trace.name(2, "wait")
        trace.name(3, "load")
        trace.builder.chunk(thread: 1)
        trace.probe(.begin, 1, at: 1000)
        trace.probe(.start, 2, at: 1000)
        trace.builder.chunk(thread: 2)
        trace.probe(.end, 3, at: 5000)
        trace.probe(.end, 2, at: 5000)
        let recording = try trace.recording()
        #expect(recording.probes.intervals.map(\.endedElsewhere) == [1, 0])
        let report = Report(ReportBuilder.build(recording: recording, symbolicator: HeapFixture()))
        #expect(
            report.capture.notes.contains(
                "1 interval load was ended by a different thread than the one that began it and is not measured. Use "
                    + "Probe.begin, whose token any thread may end."))
    }

    @Test func intervalsBeyondAllReasonEndNothing() {
        var timeline = ActivityTimeline()
        for _ in 0..<3000 { timeline.add(from: 0, to: 1 << 63) }
        #expect(timeline.busy.count <= ActivityTimeline.limit)
    }

    @Test func whatNeverBeganIsNotCountedAndWhatNeverEndedIs() throws {
        var trace = ProbeTrace()
        trace.name(1, "tilt")
        trace.name(2, "wait")
        trace.probe(.end, 1, at: 10)
        trace.probe(.begin, 2, at: 20)
        let intervals = try trace.recording().probes.intervals
        #expect(intervals.map(\.name) == ["wait"])
        #expect(intervals[0].open == 1 && intervals[0].durations.count == 0)
    }

    @Test func equalNamesOfSeveralFilesAreOne() throws {
        var trace = ProbeTrace()
        trace.name(1, "tilt")
        trace.name(9, "tilt")
        trace.probe(.interval, 1, at: 10, lasting: 5)
        trace.probe(.interval, 9, at: 20, lasting: 7)
        let intervals = try trace.recording().probes.intervals
        #expect(intervals.map(\.durations.count) == [2])
        #expect(intervals.map(\.durations.max) == [7])
    }

    @Test func theSlowestFrameShowsItsProbesAndAllocations() throws {
        var trace = ProbeTrace()
        trace.name(1, "frame")
        trace.name(2, "draw")
        for frame in 0..<50 {
            let start = UInt64(frame) * 10_000
            trace.probe(.frame, 1, at: start)
            trace.probe(.begin, 2, at: start + 10)
            if frame == 30 { trace.builder.allocate(4096) }
            trace.probe(.end, 2, at: start + 110)
        }
        trace.probe(.frame, 1, at: 500_000 + 90_000)
        let frames = try #require(try trace.recording().probes.frames.first)
        #expect(frames.durations.count == 50)
        #expect(frames.slowest.count == FrameSeries.slowestLimit)
        #expect(frames.slowest[0].number == 50)
        #expect(frames.slowest[0].nanoseconds == 100_000)
        #expect(frames.slowest[0].probes.map(\.name) == ["draw"])
        #expect(frames.slowest[0].probes[0].nanoseconds == 100)
        #expect(frames.slowest.filter { $0.number == 31 }.allSatisfy { $0.bytes == 4096 })
    }

    @Test func `a slow frame says what took longer than in the median frame, waiting for the screen left out`() throws {
        var trace = ProbeTrace()
        for (id, name) in [(1, "frame"), (2, "simulate"), (3, "decode"), (4, "present")] as [(UInt32, String)] {
            trace.name(id, name)
        }
        for frame in 0..<20 {
            let start = UInt64(frame) * 100_000
            trace.probe(.frame, 1, at: start)
            trace.probe(.begin, 2, at: start + 1000)
            // One frame decodes within its simulation, for 60 µs.
            if frame == 7 { trace.probe(.interval, 3, at: start + 2000, lasting: 60_000) }
            trace.probe(.end, 2, at: start + (frame == 7 ? 71_000 : 11_000))
            let presented = start + (frame == 7 ? 80_000 : 20_000)
            trace.probe(.interval, 4, at: presented, lasting: UInt32(start + 99_000 - presented))
        }
        trace.probe(.frame, 1, at: 2_000_000)
        let recording = try trace.recording()
        var report = AnalyzedReport(facts: Report(target: .init(executable: "game"), capture: .init()))
        ProbeSectionBuilder.add(recording, profile: nil, to: &report)
        let loop = try #require(report.facts.frames?.first)
        #expect(loop.durations.p50 == 100_000 && loop.work?.p50 == 21_000 && loop.work?.max == 81_000)
        let slow = loop.slowest[0]
        #expect(slow.number == 8 && slow.workNanoseconds == 81_000)
        #expect(slow.excess == [.init(kind: .interval, name: "decode", value: 60_000, usual: 0)])
        #expect(loop.slowest[1].excess == nil)
        #expect(slow.probes.first { $0.name == "simulate" }?.selfNanoseconds == 10_000)
        #expect(
            FrameExcessText.sentence(slow, of: loop) { $0 }
                == "Frame 8 worked 81 µs, the median frame 21 µs: decode took 60 µs instead of none")
    }

    @Test("a frame that waited for a processor took long and worked little, however the screen was waited for")
    func framesWithoutProcessor() throws {
        var trace = ProbeTrace()
        trace.name(1, "frame")
        trace.name(2, "present")
        for frame in 0..<20 {
            let start = UInt64(frame) * 100_000
            // One frame waits for 70 µs, of which 10 may lie in its waiting for the screen. Others wait a moment.
            trace.probe(.frame, 1, at: start, lasting: frame == 8 ? 70_000 : 500)
            if frame == 7 {
                trace.probe(.interval, 2, at: start + 80_000, lasting: 10_000)
            } else {
                trace.probe(.interval, 2, at: start + 20_000, lasting: 75_000)
            }
        }
        trace.probe(.frame, 1, at: 2_000_000)
        var report = AnalyzedReport(facts: Report(target: .init(executable: "game"), capture: .init()))
        ProbeSectionBuilder.add(try trace.recording(), profile: nil, to: &report)
        let loop = try #require(report.facts.frames?.first)
        #expect(loop.work?.p50 == 25_000 && loop.work?.max == 30_000)
        let slow = loop.slowest[0]
        #expect(slow.number == 8 && slow.workNanoseconds == 30_000 && slow.processorNanoseconds == 60_000)
        #expect(slow.excess?.first == .init(kind: .processor, value: 60_000, usual: 0))
        #expect(loop.slowest[1].processorNanoseconds == nil && loop.slowest[1].excess == nil)
        #expect(
            FrameExcessText.sentence(slow, of: loop) { $0 }?.hasPrefix(
                "Frame 8 took 90 µs, the median frame 25 µs: it waited 60 µs for a processor") == true)
    }

    @Test func `frames of a damaged clock are as long as can be`() throws {
        var trace = ProbeTrace()
        trace.name(1, "frame")
        for frame in 0..<5 { trace.probe(.frame, 1, at: UInt64(frame) * 100_000_000) }
        trace.builder.append(
            .probe(.clock(ClockRecord(ticks: 1_000_000 + 10_000_000 * ProbeTrace.rate + 1, time: .max))))
        var report = AnalyzedReport(facts: Report(target: .init(executable: "game"), capture: .init()))
        ProbeSectionBuilder.add(try trace.recording(), profile: nil, to: &report)
        #expect(report.facts.frames?.first?.durations.p50 == .max)
    }

    @Test("what is allocated in at least half of the frames is told by stack and per frame")
    func steadyAllocations() throws {
        var trace = ProbeTrace()
        trace.name(1, "frame")
        let dictionary = trace.builder.type("Swift.Dictionary")
        let (info, start, rare) = (
            trace.builder.stack(0x1000), trace.builder.stack(0x2000), trace.builder.stack(0x3000)
        )
        trace.builder.allocate(1 << 20, at: start)
        for frame in 0..<20 {
            trace.probe(.frame, 1, at: UInt64(frame) * 1000)
            trace.builder.temporary(360, at: info, type: dictionary, count: frame == 3 ? 3 : 1)
            if frame == 5 { trace.builder.allocate(1 << 16, at: rare) }
        }
        trace.probe(.frame, 1, at: 20_000)
        var report = AnalyzedReport(facts: Report(target: .init(executable: "game"), capture: .init()))
        report.facts.capture.instruments = [.leaks]
        let recording = try trace.recording()
        ProbeSectionBuilder.add(recording, profile: nil, to: &report)
        SteadyAllocations.add(recording, symbolicator: HeapFixture(), limit: 10, to: &report)
        let steady = try #require(report.facts.frames?.first?.steady)
        #expect(steady.map(\.type) == ["Swift.Dictionary"])
        #expect(steady[0].allocationsPerFrame == 1.1 && steady[0].bytesPerFrame == 396)
        #expect(report.facts.frames?.first?.steadyOmitted == nil)
    }

    @Test("the frames of a loop that goes on with another thread follow each other")
    func framesOfAMovingLoop() throws {
        var trace = ProbeTrace()
        trace.name(1, "frame")
        trace.name(2, "draw")
        // The chunks of both threads cover all of the time.
        for thread in UInt32(1)...2 {
            trace.builder.chunk(thread: thread)
            for turn in 0..<100 where (turn / 10).isMultiple(of: 2) == (thread == 1) {
                trace.builder.allocate(turn == 55 ? 4096 : 8)
                trace.probe(.interval, 2, at: UInt64(turn) * 10_000 - UInt64(min(turn, 1)) * 100, lasting: 100)
                trace.probe(.frame, 1, at: UInt64(turn) * 10_000)
            }
        }
        let frames = try #require(try trace.recording().probes.frames.first)
        #expect(frames.durations.count == 99)
        #expect(frames.durations.min == 10_000 && frames.durations.max == 10_000)
        // Nine frames end on another thread than they began on.
        #expect(frames.allocations == 90)
        #expect(frames.bytes == 89 * 8 + 4096)
        #expect(frames.slowest.map(\.number) == Array(1...20))
        #expect(frames.slowest.allSatisfy { $0.probes.allSatisfy { $0.count == 1 } })
    }

    @Test("loops of different names on several threads are told apart")
    func framesOfTwoLoops() throws {
        var trace = ProbeTrace()
        for thread in UInt32(1)...2 {
            trace.builder.chunk(thread: thread)
            trace.name(thread, "loop \(thread)")
            for turn in 0..<10 { trace.probe(.frame, thread, at: UInt64(turn) * 1000 * UInt64(thread)) }
        }
        let frames = try trace.recording().probes.frames
        #expect(frames.map(\.durations.max) == [1000, 2000])
        #expect(frames.map(\.durations.count) == [9, 9])
    }

    @Test func countersAndEventsKeepTheirTime() throws {
        var trace = ProbeTrace()
        trace.name(1, "cards")
        trace.name(2, "won")
        for (value, time) in [(3.0, 1_000_000), (-1, 2_000_000), (.nan, 3_000_000), (2, 4_000_000)] {
            trace.probe(.counter, 1, at: UInt64(time))
            trace.builder.append(.probe(.value(value)))
        }
        trace.probe(.event, 2, at: 5_000_000)
        let probes = try trace.recording().probes
        let cards = try #require(probes.counters.first)
        #expect((cards.count, cards.min, cards.max, cards.last) == (3, -1, 3, 2))
        #expect(cards.points.map(\.seconds) == [0.001, 0.002, 0.004])
        #expect(probes.events.map(\.seconds) == [[0.005]])
    }

    @Test func aClockThatWasNeverRelatedToTimeIsSaid() throws {
        var builder = TraceBuilder()
        builder.append(.probe(.clock(ClockRecord(ticks: 5, time: 5))))
        builder.append(.probe(.event(ProbeRecord(kind: .event, name: ProbeNameID(1), ticks: 9))))
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gptrace").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try builder.write(to: path)
        let recording = try RecordingReader.read(path: path)
        #expect(recording.probes.isEmpty)
        #expect(recording.capture.problems.contains { $0.contains("clock of its probes") })
    }
}

@Suite struct DurationHistogramTests {
    @Test(arguments: [100, 4096, 4097, 100_000])
    func percentilesAreWithinTheirError(count: Int) {
        var histogram = DurationHistogram()
        var generator = SystemRandomNumberGenerator()
        let durations = (0..<count).map { _ in UInt64(exp(Double.random(in: 0...25, using: &generator))) }
        for duration in durations { histogram.add(duration) }
        let sorted = durations.sorted()
        let shares = [0.01, 0.5, 0.95, 0.99, 1]
        for (share, told) in zip(shares, histogram.percentiles(shares)) {
            let exact = sorted[Int((share * Double(count)).rounded(.up)) - 1]
            let error = abs(Double(told) - Double(exact)) / Double(exact)
            #expect(error <= (histogram.isExact ? 0 : 0.002), "\(share): \(told) for \(exact)")
        }
        #expect(histogram.isExact == (count <= 4096))
        #expect(histogram.total == durations.reduce(0, +))
    }

    @Test func joinedHistogramsAreAsOne() {
        for (left, right) in [(10, 20), (5000, 10), (10, 5000), (5000, 6000)] {
            var (one, other, both) = (DurationHistogram(), DurationHistogram(), DurationHistogram())
            for value in 0..<left {
                one.add(UInt64(value * 7))
                both.add(UInt64(value * 7))
            }
            for value in 0..<right {
                other.add(UInt64(value * 11))
                both.add(UInt64(value * 11))
            }
            one.add(other)
            #expect(one.count == both.count && one.maximum == both.maximum && one.total == both.total)
            #expect(one.percentiles([0.5, 0.99]) == both.percentiles([0.5, 0.99]))
        }
    }

    @Test func timelinesStayBoundedAndLoseNothing() {
        var timeline = ActivityTimeline()
        for index in 0..<100_000 { timeline.add(from: UInt64(index) << 20, to: UInt64(index) << 20 + 1000) }
        timeline.add(from: 5, to: 1 << 40)
        #expect(timeline.busy.count <= ActivityTimeline.limit + 1)
        #expect(timeline.busy.reduce(0) { $0 + $1.busy } == 100_000_000 + 1 << 40 - 5)
        timeline.add(from: .max - 3, to: .max)
    }
}

@Suite struct GenerationTests {
    private func report(_ build: (inout TraceBuilder) -> Void) throws -> Report {
        var builder = TraceBuilder()
        build(&builder)
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gptrace").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try builder.write(to: path)
        return Report(
            ReportBuilder.build(recording: try RecordingReader.read(path: path), symbolicator: HeapFixture()))
    }

    @Test func whatAGenerationLeftBehindIsToldByTypeAndStack() throws {
        let report = try report { builder in
            let card = builder.type("Game.Card")
            let stack = builder.stack(0x1000)
            builder.append(.probe(.mark(MarkRecord(time: 1_000_000, generation: 1, name: "level 1"))))
            builder.append(.probe(.mark(MarkRecord(time: 2_000_000, generation: 2, name: "level 2"))))
            builder.beginSnapshot()
            for (generation, count) in [(1, 1), (2, 30), (2, 6)] {
                builder.append(
                    .heap(
                        .generation(
                            GenerationRecord(
                                generation: UInt32(generation), type: card, stack: stack, count: UInt64(count),
                                bytes: UInt64(count) * 48))))
            }
            builder.endSnapshot()
        }
        let generations = try #require(report.generations)
        #expect(generations.map(\.name) == ["level 1", "level 2"])
        #expect(generations.map(\.liveCount) == [1, 36])
        #expect(generations[1].byType.map(\.liveBytes) == [36 * 48])
        #expect(generations[1].byStack.count == 2)
        let text = TextReport.render(report, instrument: .allocations)
        #expect(text.contains("level 2 at 2.0 ms") && text.contains("36 blocks"))
    }

    @Test func anObjectThatOutlivesItsTimeIsAnErrorUnlessItIsLost() throws {
        let report = try report { builder in
            let board = builder.type("Game.Board")
            builder.beginSnapshot()
            let lost = builder.object(board)
            builder.append(
                .heap(
                    .expectation(
                        ExpectationRecord(
                            isAlive: true, object: 0x7000_0000 + UInt64(lost.rawValue) * 64, time: 1, type: board,
                            file: "Game/Board.swift", line: 3))))
            for line in [7, 9] {
                builder.append(
                    .heap(
                        .expectation(
                            ExpectationRecord(
                                isAlive: true, object: UInt64(0x9000 + line * 64), time: 1, type: board,
                                file: "Game/Level.swift", line: UInt32(line)))))
            }
            builder.endSnapshot(unreachable: 1, bytes: 32)
        }
        let outlived = report.findings.filter { $0.kind == .outlived }
        #expect(outlived.map(\.count) == [2])
        #expect(outlived.first?.severity == .error)
        #expect(outlived.first?.message.contains("Game/Level.swift:7") == true)
        #expect(report.heap?.leakedBlocks == 1)
    }

    /// "0 allocations" would be a claim that nobody has looked at.
    @Test func allocationsOfProbesAreShownWhereTheyWereRecorded() throws {
        let time = TimeFixture()
        time.sample("main", "play", count: 20)
        var report = time.report()
        ReportFixture.addProbes(named: "tilt", to: &report)
        report.generations = nil
        for isRecorded in [false, true] {
            report.capture.instruments = isRecorded ? [.leaks, .time] : [.time]
            let text = TextReport.render(report, instrument: .time)
            #expect(text.contains("tilt"))
            #expect(text.contains("allocations") == isRecorded)
            let page = try HTMLReport.render(report)
            #expect(page.contains("<th scope=\"col\" class=\"number\">allocations</th>") == isRecorded)
        }
    }
}
