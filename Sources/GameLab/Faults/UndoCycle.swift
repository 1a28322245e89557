import GameModel

/// An undo manager that keeps its steps as bare closures.
final class HoldingUndoManager {
    private var undoStack: [() -> Void] = []

    var count: Int { undoStack.count }

    @inline(never)
    func registerUndo(_ step: @escaping () -> Void) {
        undoStack.append(step)
    }

    @inline(never)
    func undo() {
        undoStack.popLast()?()
    }
}

/// A puzzle that owns its undo manager.
final class HoldingPuzzle: Puzzle {
    let ownUndoManager = HoldingUndoManager()

    @inline(never)
    override func tilt(to direction: Direction) -> Bool {
        guard super.tilt(to: direction) else { return false }
        // The fault: the step captures the puzzle strongly.
        ownUndoManager.registerUndo { self.tiltBack(from: direction) }
        return true
    }

    @inline(never)
    func tiltBack(from direction: Direction) {
        _ = super.tilt(to: direction.reversed)
    }
}

/// Loses a puzzle and its undo manager.
enum UndoCycle: Fault {
    static let name = "undo-cycle"
    static let summary = "Undo closures hold the puzzle, and the puzzle holds its undo manager."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            guard let puzzle = makePuzzle() else { continue }
            say("lost a puzzle with its empty field at \(puzzle.freeIndex) and \(puzzle.ownUndoManager.count) steps")
        }
    }

    @inline(never)
    static func makePuzzle() -> HoldingPuzzle? {
        guard let puzzle = try? HoldingPuzzle() else { return nil }
        for direction in [Direction.right, .down, .right, .down] {
            _ = puzzle.tilt(to: direction)
        }
        puzzle.ownUndoManager.undo()
        return puzzle
    }
}

// MARK: The cure: a step captures the puzzle weakly

final class ReleasedPuzzle: Puzzle {
    let ownUndoManager = HoldingUndoManager()

    @inline(never)
    override func tilt(to direction: Direction) -> Bool {
        guard super.tilt(to: direction) else { return false }
        ownUndoManager.registerUndo { [weak self] in self?.tiltBack(from: direction) }
        return true
    }

    @inline(never)
    func tiltBack(from direction: Direction) {
        _ = super.tilt(to: direction.reversed)
    }
}

extension UndoCycle {
    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            guard let puzzle = try? ReleasedPuzzle() else { continue }
            for direction in [Direction.right, .down, .right, .down] { _ = puzzle.tilt(to: direction) }
            puzzle.ownUndoManager.undo()
            say(
                "released a puzzle with its empty field at \(puzzle.freeIndex) and \(puzzle.ownUndoManager.count) steps"
            )
        }
    }
}
