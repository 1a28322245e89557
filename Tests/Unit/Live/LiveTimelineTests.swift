import Testing

@testable import GameprofTrace

@Suite struct LiveTimelineTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `values of a part are added up, and those of memory are its highest`() {
        var timeline = LiveTimeline(width: Self.second)
        for (time, value) in [(0, 1.0), (1, 2), (1, 3), (3, 4)] {
            timeline.add(value, to: .allocated, at: UInt64(time) * Self.second)
            timeline.add(value, to: .resident, at: UInt64(time) * Self.second)
        }
        #expect(timeline.values(of: .allocated) == [1, 5, 0, 4])
        #expect(timeline.values(of: .resident) == [1, 3, 0, 4])
        #expect(timeline.values(of: .freed).isEmpty && timeline.count == 4)
    }

    @Test func `parts become longer, so that a run of any length has as many`() {
        var timeline = LiveTimeline(width: Self.second)
        for time in 0..<100_000 {
            timeline.add(1, to: .allocated, at: UInt64(time) * Self.second)
            timeline.add(Double(time), to: .resident, at: UInt64(time) * Self.second)
        }
        #expect(timeline.count <= LiveTimeline.limit && timeline.width == 128 * Self.second)
        let sums = timeline.values(of: .allocated)
        #expect(sums.reduce(0, +) == 100_000 && sums.dropLast().allSatisfy { $0 == 128 })
        #expect(timeline.values(of: .resident).prefix(2) == [127, 255])
    }

    @Test func `what changed since a look begins with the first part that did`() {
        var timeline = LiveTimeline(width: Self.second)
        for time in 0..<10 { timeline.add(1, to: .allocated, at: UInt64(time) * Self.second) }
        let known = timeline.revision
        #expect(timeline.firstChange(after: 0) == 0 && timeline.firstChange(after: known) == 10)
        timeline.beginLook()
        timeline.add(1, to: .freed, at: 7 * Self.second)
        timeline.advance(to: 12 * Self.second)
        #expect(timeline.firstChange(after: known) == 7 && timeline.count == 13)
        #expect(timeline.firstChange(after: timeline.revision) == 13)
    }

    @Test func `threads beyond a number share a track, and times beyond reason are left out`() {
        var timeline = LiveTimeline(width: Self.second)
        for thread in 1...1_000 { timeline.add(1, to: .cpu(ThreadID(UInt32(thread))), at: 0) }
        #expect(timeline.tracks.count < 60)
        #expect(timeline.tracks.reduce(0) { $0 + timeline.values(of: $1).reduce(0, +) } == 1_000)
        timeline.add(1, to: .allocated, at: .max)
        timeline.advance(to: .max)
        #expect(timeline.count == 1 && timeline.width == Self.second)
    }
}
