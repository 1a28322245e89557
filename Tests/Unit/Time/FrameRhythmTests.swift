import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport

@Suite struct FrameRhythmTests {
    /// 600 frames of 1 ms, those with `numbers` of 90 ms.
    private func loop(late numbers: [Int]) -> Report.Timeline.Loop {
        let frames = (1...600).map { number in
            Report.Timeline.Loop.Frame(
                start: UInt64(number) * 10_000_000, length: 10_000_000,
                work: numbers.contains(number) ? 88_000_000 : 1_000_000,
                processor: number == 399 ? 42_000_000 : 0, allocations: 0, bytes: 0)
        }
        return Report.Timeline.Loop(name: "frame", frames: frames, budget: 16_666_666)
    }

    @Test func `frames at a regular distance are one sentence`() throws {
        let rhythm = try #require(FrameRhythm(loop(late: Array(stride(from: 49, through: 599, by: 50)) + [1])))
        #expect(
            rhythm.sentence
                == "Every 50th frame is over the budget of 17 ms: 12 frames from 49 to 599 took 88 ms to 130 ms.")
    }

    @Test(arguments: [[], [50, 100, 150], Array(1...40), [3, 50, 77, 180, 181, 300, 555], [100, 150, 200, 550, 600]])
    func `other slow frames are not`(_ numbers: [Int]) { #expect(FrameRhythm(loop(late: numbers)) == nil) }

    @Test(
        arguments: [
            (51_000, "51 µs"), (8_100_000, "8.1 ms"), (99_900_000, "100 ms"), (130_000_000, "130 ms"),
            (1_250_000_000, "1.25 s"),
        ] as [(UInt64, String)])
    func `times of frames below a second are milliseconds`(_ nanoseconds: UInt64, _ text: String) {
        #expect(NumberFormat.frame(nanoseconds) == text)
    }
}
