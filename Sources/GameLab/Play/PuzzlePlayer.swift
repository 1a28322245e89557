import Foundation
import GameModel

/// Solves a shuffled puzzle with a tilted device and a swiping finger, taking moves back now and then.
struct PuzzlePlayer {
    private let puzzle: Puzzle
    private let undoManager: UndoManager
    private let swipeInput: SwipeInput
    private var tiltInput = TiltInput()

    /// Plays one game to its end.
    ///
    /// - Returns: what happened, for people to read.
    static func play(using generator: inout some RandomNumberGenerator) throws -> String {
        var player = try PuzzlePlayer()
        return try player.play(using: &generator)
    }

    private init() throws {
        undoManager = UndoManager()
        puzzle = try Puzzle(undoManager: undoManager)
        swipeInput = try SwipeInput(viewSize: CGSize(width: 320, height: 320))
    }

    private mutating func play(using generator: inout some RandomNumberGenerator) throws -> String {
        let solution = shuffle(using: &generator)
        let log = NotificationLog(Puzzle.didTilt, Puzzle.didMove, object: puzzle) { PuzzleMove($0) }
        defer { log.stop() }
        let solvedChanges = ChangeCounter()
        var takenBack = 0
        solvedChanges.watchNextChange { _ = puzzle.isSolved }
        for (number, direction) in solution.enumerated() {
            guard makeMove(direction, bySwipe: Bool.random(using: &generator)) else {
                throw PlayError.puzzleRefusedMove(number: number)
            }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                undoManager.undo()
                undoManager.redo()
                takenBack += 1
            }
        }
        guard puzzle.isSolved, puzzle.moveCount == solution.count, solvedChanges.count > 0 || solution.isEmpty else {
            throw PlayError.puzzleNotSolved(moves: puzzle.moveCount)
        }
        return "solved in \(puzzle.moveCount) moves, \(takenBack) taken back and made again, "
            + "\(log.entries.count) notifications"
    }

    /// Shuffles the puzzle and listens how.
    ///
    /// - Returns: the tilts that solve it: those of the shuffling backwards, less those that cancel out.
    private func shuffle(using generator: inout some RandomNumberGenerator) -> [Direction] {
        let log = NotificationLog(Puzzle.didTilt, object: puzzle) { PuzzleMove($0)?.direction }
        defer { log.stop() }
        puzzle.shuffle(using: &generator)
        return log.entries.reversed().reduce(into: []) { solution, tilt in
            if solution.last == tilt {
                solution.removeLast()
            } else {
                solution.append(tilt.reversed)
            }
        }
    }

    private mutating func makeMove(_ direction: Direction, bySwipe: Bool) -> Bool {
        bySwipe ? swipe(direction) : tilt(direction)
    }

    /// Tilts the device, then holds it level again.
    private mutating func tilt(_ direction: Direction) -> Bool {
        let (x, y) =
            switch direction {
            case .left: (-0.5, 0.0)
            case .right: (0.5, 0.0)
            case .down: (0.0, -0.5)
            case .up: (0.0, 0.5)
            }
        let moved = tiltInput.tilt(puzzle, x: x, y: y)
        tiltInput.tilt(puzzle, x: 0, y: 0)
        return moved
    }

    /// Swipes over the tile that can move in this direction.
    private func swipe(_ direction: Direction) -> Bool {
        let offset =
            switch direction {
            case .left: 1
            case .right: -1
            case .up: puzzle.length
            case .down: -puzzle.length
            }
        guard let point = swipeInput.center(ofIndex: puzzle.freeIndex + offset, in: puzzle) else { return false }
        return swipeInput.swipe(puzzle, at: point, to: direction)
    }
}
