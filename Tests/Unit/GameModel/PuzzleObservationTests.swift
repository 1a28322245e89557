import GameModel
import Observation
import Synchronization
import Testing

@Suite struct PuzzleObservationTests {
    /// Whether `change` notifies the observers of what `read` reads.
    private func isObserved(_ read: @autoclosure () -> some Any, during change: () -> Void) -> Bool {
        let flag = Flag()
        withObservationTracking {
            _ = read()
        } onChange: {
            flag.raise()
        }
        change()
        return flag.isRaised
    }

    @Test func moveCountIsObservable() throws {
        let puzzle = try Puzzle()
        #expect(isObserved(puzzle.moveCount) { puzzle.tilt(to: .right) })
        #expect(!isObserved(puzzle.moveCount) { puzzle.moveItem(at: 0, to: .right) })
    }

    @Test func isSolvedIsObservedWhenItChanges() throws {
        let puzzle = try Puzzle()
        #expect(isObserved(puzzle.isSolved) { puzzle.tilt(to: .right) })
        #expect(!isObserved(puzzle.isSolved) { puzzle.tilt(to: .down) })
        puzzle.tilt(to: .up)
        #expect(isObserved(puzzle.isSolved) { puzzle.tilt(to: .left) })
    }

    @Test func `an observer of moves sees the old count and the new one for as long as it is kept`() throws {
        let manager = GameModel.UndoManager()
        let puzzle = try Puzzle(undoManager: manager)
        var changes: [[Int]] = []
        var observation: MoveCountObservation? = puzzle.observeMoveCount { changes.append([$0, $1]) }
        puzzle.tilt(to: .right)
        puzzle.tilt(to: .down)
        manager.undo()
        puzzle.clear()
        puzzle.clear()
        withExtendedLifetime(observation) { observation = nil }
        puzzle.tilt(to: .right)
        #expect(changes == [[0, 1], [1, 2], [2, 1], [1, 0]])
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }
}
