import GameprofAnalysis
import GameprofBasics

/// Frames over the budget that come at a regular distance, as of work that is done in every 50th frame.
struct FrameRhythm {
    private static let fewest = 4
    /// Less is a time in which all frames are slow.
    private static let leastDistance = 3
    /// At least this share of the frames over the budget, and of the places at that distance, makes a rhythm.
    private static let leastShare = 0.8

    private let budget: UInt64
    private let distance: Int
    /// Numbers of frames, and what each took in nanoseconds.
    private let frames: [(number: Int, took: UInt64)]

    /// Nil: few frames are over the budget, or their distances differ. Linear in the frames.
    init?(_ loop: Report.Timeline.Loop) {
        budget = loop.budget
        let took = loop.frames.map { $0.work &+ $0.processor }
        let late = took.enumerated().map { (number: $0.offset + 1, took: $0.element) }.filter { $0.took > loop.budget }
        guard late.count >= Self.fewest else { return nil }
        let distances = zip(late, late.dropFirst()).map { $1.number - $0.number }.sorted()
        let distance = distances[distances.count / 2]
        guard distance >= Self.leastDistance else { return nil }
        let groups = Dictionary(grouping: late) { $0.number % distance }
        let largest = groups.values.max { $0.count < $1.count }
        guard let frames = largest, frames.count >= Self.fewest else { return nil }
        let places = (frames[frames.count - 1].number - frames[0].number) / distance + 1
        guard Double(frames.count) >= Self.leastShare * Double(max(late.count, places)) else { return nil }
        (self.distance, self.frames) = (distance, frames)
    }

    func contains(_ frame: Report.Frame) -> Bool { frames.contains { $0.number == frame.number } }

    /// `Every 50th frame is over the budget of 17 ms: 12 frames from 49 to 599 took 88 ms to 130 ms.`
    var sentence: String {
        let times = frames.map(\.took)
        let shown = [times.min(), times.max()].map { NumberFormat.frame($0 ?? 0) }
        let range = shown[0] == shown[1] ? shown[0] : "\(shown[0]) to \(shown[1])"
        let (first, last) = (frames[0].number, frames[frames.count - 1].number)
        return "Every \(Self.ordinal(distance)) frame is over the budget of \(NumberFormat.frame(budget)): "
            + "\(NumberFormat.count(frames.count)) frames from \(NumberFormat.count(first)) to "
            + "\(NumberFormat.count(last)) took \(range)."
    }

    private static func ordinal(_ number: Int) -> String {
        let isTeen = (11...13).contains(number % 100)
        let ending = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return NumberFormat.count(number) + ending
    }
}
