import Foundation
import GameModel

/// A puzzle with an undo manager, and a record of what it announces.
struct PuzzleFixture {
    let center = NotificationCenter()
    let undoManager = UndoManager()
    let puzzle: Puzzle
    let tilts: NotificationRecorder<PuzzleMove>
    let moves: NotificationRecorder<PuzzleMove>

    init(length: Int = 4) throws {
        puzzle = try Puzzle(length: length, undoManager: undoManager, center: center)
        tilts = NotificationRecorder(Puzzle.didTilt, center: center, object: puzzle) { PuzzleMove($0) }
        moves = NotificationRecorder(Puzzle.didMove, center: center, object: puzzle) { PuzzleMove($0) }
    }

    /// The puzzle's position after right, down, right, down.
    static let valuesAfterFourTilts = [0, 1, 2, 3, 4, 15, 6, 7, 8, 5, 9, 11, 12, 13, 10, 14]

    func tiltFourTimes() {
        for direction in [Direction.right, .down, .right, .down] {
            puzzle.tilt(to: direction)
        }
    }
}

/// Whether a position can be reached by legal moves: the parity of the permutation has to match the distance of the
/// empty field from its own place, because each move is one transposition and one step of the empty field.
func isReachable(_ values: [Int], length: Int) -> Bool {
    guard values.sorted() == Array(0..<length * length) else { return false }
    guard let freeIndex = values.firstIndex(of: values.count - 1) else { return false }
    let inversions = values.indices.reduce(0) { count, index in
        count + values[index...].count { $0 < values[index] }
    }
    let distance = (length - 1 - freeIndex / length) + (length - 1 - freeIndex % length)
    return inversions % 2 == distance % 2
}
