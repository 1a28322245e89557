import GameModel
import Testing

@testable import GameLab

@Suite struct PlayerTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func everyGameIsSolved(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let puzzle = try PuzzlePlayer.play(using: &generator)
        let memory = try MemoryPlayer.play(using: &generator)
        #expect(puzzle.hasPrefix("solved in "))
        #expect(memory.hasPrefix("solved with "))
    }

    @Test func aStoppedLogHearsNothing() throws {
        let puzzle = try Puzzle()
        let log = NotificationLog(Puzzle.didTilt, object: puzzle) { PuzzleMove($0)?.direction }
        puzzle.tilt(to: .right)
        log.stop()
        puzzle.tilt(to: .down)
        #expect(log.entries == [.right])
    }
}
