import GameprofAnalysis
import GameprofBasics

/// Frames of a stack with the rounds of a recursion shown once.
package enum FoldedFrames {
    package struct Row {
        package var frame: CallStack.Frame
        /// Words for the rounds that are left out behind this row; nil: none are.
        package var omitted: String?
    }

    /// A recursion through more functions than these is shown as it is.
    private static let longestRound = 4
    private static let fewestRounds = 3

    /// - Parameter isCut: frames in the middle were left out, so that the number of rounds is a least one.
    package static func rows(_ frames: [CallStack.Frame], isCut: Bool = false) -> [Row] {
        var rows: [Row] = []
        var index = 0
        while index < frames.count {
            let (length, rounds) = repetition(in: frames, at: index)
            rows += frames[index..<index + length].map { Row(frame: $0) }
            if rounds > 1 {
                let what = length == 1 ? "this call" : "these \(length) calls"
                let times = NumberFormat.count(rounds - 1, "more time")
                rows[rows.count - 1].omitted = "and \(what) \(isCut ? "at least " : "")\(times)"
            }
            index += length * rounds
        }
        return rows
    }

    /// The shortest round of equal frames that begins there, and how often it follows itself; (1, 1): none does.
    private static func repetition(in frames: [CallStack.Frame], at start: Int) -> (length: Int, rounds: Int) {
        for length in 1...longestRound {
            var end = start + length
            while end < frames.count, frames[end] == frames[end - length] { end += 1 }
            let rounds = (end - start) / length
            if rounds >= fewestRounds { return (length, rounds) }
        }
        return (1, 1)
    }
}
