import Foundation
import GameModel

/// The sliding puzzle on a terminal: tilted by keys through a ``TiltInput``, swiped by clicks through a ``SwipeInput``.
final class PuzzleBoard: InteractiveGame {
    private let puzzle: Puzzle
    private let undoManager = UndoManager()
    private let moves: NotificationTally<PuzzleMove>
    private let swipeInput: SwipeInput
    private var tiltInput = TiltInput()
    private var generator: SplitMix64
    private let layout: BoardLayout
    private var seenMoves = 0
    private var framesSinceMove = 0

    /// For how many frames a moved tile stays marked.
    private static let markedFrames = 20

    /// Creates a shuffled puzzle of `length` tiles along a side.
    init(length: Int, seed: UInt64) throws {
        puzzle = try Puzzle(length: length, undoManager: undoManager)
        layout = BoardLayout(rows: length, columns: length)
        swipeInput = try SwipeInput(viewSize: CGSize(width: layout.width, height: layout.height))
        moves = NotificationTally(Puzzle.didTilt, Puzzle.didMove, object: puzzle) { PuzzleMove($0) }
        generator = SplitMix64(seed: seed)
        shuffle()
    }

    func perform(_ action: Action) {
        switch action {
        case .tilt(let direction): tilt(direction)
        case .touch(let index): swipe(index)
        case .undo: undoManager.undo()
        case .redo: undoManager.redo()
        case .shuffle: shuffle()
        case .flip, .quit: break
        }
    }

    func advance() {
        framesSinceMove += 1
        if moves.count != seenMoves {
            seenMoves = moves.count
            framesSinceMove = 0
        }
    }

    func action(forClickAt row: Int, _ column: Int) -> Action? {
        let point = CGPoint(
            x: Double(column - BoardLayout.left) + 0.5, y: Double(row - BoardLayout.top) + 0.5)
        return swipeInput.index(at: point, in: puzzle).map(Action.touch)
    }

    var lines: [String] {
        let state = puzzle.isSolved ? "\u{1b}[1;32msolved\u{1b}[0m" : "\(misplaced) tiles are not at home"
        let marked = framesSinceMove < Self.markedFrames ? moves.last?.toIndex : nil
        let board = layout.lines { row, column in
            let index = row * puzzle.length + column
            let value = puzzle.values[index]
            guard value != puzzle.size - 1 else { return ("", 0, 0) }
            return ("\(value + 1)", index == marked ? 214 : value == index ? 30 : 24, index == marked ? 16 : 231)
        }
        return ["\u{1b}[1m Sliding puzzle\u{1b}[0m   \(puzzle.moveCount) moves · \(state)", "", ""] + board
            + [" arrows tilt · click a tile · u undo · r redo · s shuffle · q quit"]
    }

    var summary: String {
        "puzzle: \(puzzle.isSolved ? "solved" : "\(misplaced) tiles are not at home"), \(puzzle.moveCount) moves, "
            + "\(moves.count) notifications, board \(puzzle.values.map { "\($0)" }.joined(separator: " "))"
    }

    private var misplaced: Int {
        puzzle.values.indices.count { puzzle.values[$0] != $0 && puzzle.values[$0] != puzzle.size - 1 }
    }

    private func shuffle() {
        puzzle.clear()
        puzzle.shuffle(using: &generator)
        seenMoves = moves.count
        framesSinceMove = Self.markedFrames
    }

    /// A device that is tilted, then held level again.
    private func tilt(_ direction: Direction) {
        let reading: (x: Double, y: Double) =
            switch direction {
            case .left: (-0.5, 0)
            case .right: (0.5, 0)
            case .down: (0, -0.5)
            case .up: (0, 0.5)
            }
        tiltInput.tilt(puzzle, x: reading.x, y: reading.y)
        tiltInput.tilt(puzzle, x: 0, y: 0)
    }

    /// A finger that pushes a tile to wherever it can go.
    private func swipe(_ index: Int) {
        guard let point = swipeInput.center(ofIndex: index, in: puzzle) else { return }
        _ = Direction.allCases.contains { swipeInput.swipe(puzzle, at: point, to: $0) }
    }
}
