import Foundation
import GameModel
import Testing

@Suite struct PuzzleUndoTests {
    @Test func undoTakesBackAndRedoRepeats() throws {
        let fixture = try PuzzleFixture()
        fixture.tiltFourTimes()
        for count in [3, 2, 1, 0] {
            fixture.undoManager.undo()
            #expect(fixture.puzzle.moveCount == count)
        }
        #expect(fixture.puzzle.isSolved)
        #expect(!fixture.undoManager.canUndo)
        for count in [1, 2, 3, 4] {
            fixture.undoManager.redo()
            #expect(fixture.puzzle.moveCount == count)
        }
        #expect(fixture.puzzle.values == PuzzleFixture.valuesAfterFourTilts)
        #expect(!fixture.undoManager.canRedo)
    }

    @Test func undoneTiltsAreAnnouncedBackwards() throws {
        let fixture = try PuzzleFixture()
        fixture.puzzle.tilt(to: .right)
        fixture.undoManager.undo()
        #expect(fixture.tilts.entries.last == PuzzleMove(direction: .left, fromIndex: 15, toIndex: 14))
    }

    @Test func undoneMovesAreAnnouncedAsMoves() throws {
        let fixture = try PuzzleFixture()
        fixture.puzzle.moveItem(at: 11, to: .down)
        fixture.undoManager.undo()
        fixture.undoManager.redo()
        #expect(
            fixture.moves.entries == [
                PuzzleMove(direction: .down, fromIndex: 11, toIndex: 15),
                PuzzleMove(direction: .up, fromIndex: 15, toIndex: 11),
                PuzzleMove(direction: .down, fromIndex: 11, toIndex: 15),
            ])
        #expect(fixture.tilts.entries.isEmpty)
        #expect(fixture.puzzle.moveCount == 1)
    }

    @Test func aNewMoveEndsRedoing() throws {
        let fixture = try PuzzleFixture()
        fixture.puzzle.tilt(to: .right)
        fixture.undoManager.undo()
        fixture.puzzle.tilt(to: .down)
        #expect(!fixture.undoManager.canRedo)
    }

    @Test func holdsItsUndoManagerWeakly() throws {
        var undoManager: UndoManager? = UndoManager()
        weak let kept = undoManager
        let puzzle = try Puzzle(undoManager: undoManager, center: NotificationCenter())
        puzzle.tilt(to: .right)
        undoManager = nil
        #expect(kept == nil)
        #expect(puzzle.undoManager == nil)
        #expect(puzzle.tilt(to: .down))
    }

    @Test func isNotKeptByItsUndoManager() throws {
        let undoManager = UndoManager()
        var puzzle: Puzzle? = try Puzzle(undoManager: undoManager, center: NotificationCenter())
        weak let kept = puzzle
        puzzle?.tilt(to: .right)
        puzzle = nil
        #expect(kept == nil)
        #expect(!undoManager.canUndo)
    }

    @Test func leavesTheStepsOfOthersAloneWhenCleared() throws {
        let fixture = try PuzzleFixture()
        let other = try Puzzle(undoManager: fixture.undoManager, center: fixture.center)
        other.tilt(to: .right)
        fixture.puzzle.tilt(to: .down)
        fixture.puzzle.clear()
        fixture.undoManager.undo()
        #expect(other.isSolved)
    }
}
