import GameprofBasics
import Testing

@testable import GameprofTrace

@Suite struct LiveProbesTests {
    private static let millisecond: UInt64 = 1_000_000
    private let probes = LiveProbes()

    init() {
        for (id, name) in [(1, "frame"), (2, "draw"), (3, "present"), (4, "lives")] {
            probes.note(ProbeNameRecord(id: ProbeNameID(UInt32(id)), name: name))
        }
    }

    private func knowClock() {
        for time in [0, 1_000 * Self.millisecond] {
            probes.note(ClockRecord(source: .monotonic, ticks: time, time: time))
        }
    }

    private func note(
        _ kind: ProbeRecord.Kind, _ name: UInt32, at time: UInt64, lasting length: UInt64 = 0, thread: UInt32 = 1
    ) {
        probes.note(
            ProbeRecord(
                kind: kind, name: ProbeNameID(name), ticks: time * Self.millisecond,
                length: UInt32(length * Self.millisecond)), on: ThreadID(thread))
    }

    @Test func `a frame takes the time between two marks without what it waited for the screen`() {
        knowClock()
        note(.frame, 1, at: 0)
        note(.interval, 2, at: 1, lasting: 4)
        note(.interval, 3, at: 6, lasting: 10)
        note(.frame, 1, at: 16)
        note(.frame, 1, at: 36)
        note(.frame, 1, at: 500)
        let frames = probes.frames()
        #expect(frames.map(\.took) == [6, 20].map { $0 * Self.millisecond })
        #expect(frames.map(\.end) == [16, 36].map { $0 * Self.millisecond })
        #expect(probes.loops["frame"]?.lengths.maximum == 20 * Self.millisecond)
        #expect(probes.frames().isEmpty, "a mark of another thread may still divide the last frame")
    }

    @Test func `marks of two threads are of one loop, in the order of time`() {
        knowClock()
        for (time, thread) in [(0, 1), (20, 1), (40, 1), (10, 2), (30, 2), (400, 2)] as [(UInt64, UInt32)] {
            note(.frame, 1, at: time, thread: thread)
        }
        #expect(probes.frames().map(\.took) == [10, 10, 10, 10].map { $0 * Self.millisecond })
    }

    @Test func `intervals are counted by name, also those that end on another thread or in another look`() {
        knowClock()
        note(.begin, 2, at: 0)
        note(.begin, 3, at: 1)
        note(.end, 2, at: 5)
        note(.span, 2, at: 10, lasting: 7)
        note(.longSpan, 2, at: 20)
        note(.end, 2, at: 29)
        note(.event, 3, at: 30)
        let draw = probes.intervalsByName()["draw"]
        #expect(draw?.count == 3 && draw?.total == 21 * Self.millisecond && draw?.longest == 9 * Self.millisecond)
        #expect(probes.intervalsByName()["present"]?.count == 1)
    }

    @Test func `nothing has a length until the clock of probes is known`() {
        note(.frame, 1, at: 0)
        note(.frame, 1, at: 10)
        note(.frame, 1, at: 500)
        note(.interval, 2, at: 1, lasting: 4)
        #expect(probes.frames().isEmpty && probes.intervalsByName().isEmpty)
        knowClock()
        #expect(probes.frames().count == 1 && probes.intervalsByName()["draw"]?.count == 1)
    }

    @Test func `a counter has its last value`() {
        note(.counter, 4, at: 0)
        probes.note(value: 3, on: ThreadID(1))
        note(.counter, 4, at: 1)
        probes.note(value: 2, on: ThreadID(1))
        probes.note(value: .nan, on: ThreadID(1))
        #expect(probes.counters == ["lives": 2])
    }
}
