import Foundation
import Observation

/// The sliding puzzle: numbered tiles on a square board, and one empty field into which a neighbour can move.
///
/// In the solved puzzle value i lies at position i. Positions are counted from 0 at the top left, row by row;
/// the last value, `size - 1`, stands for the empty field.
///
/// Each move is announced through the notification center (``didTilt``, ``didMove``) and can be undone and redone
/// through ``undoManager``. ``moveCount`` and ``isSolved`` can be watched with `withObservationTracking`, ``moveCount`` with
/// its old value by ``observeMoveCount(_:)``.
/// A puzzle belongs to one thread.
@Observable
open class Puzzle {
    /// Posted after a tilt, undone and redone ones too. Its object is the puzzle, ``PuzzleMove`` reads the rest.
    public static let didTilt = Notification.Name("GameModel.Puzzle.didTilt")

    /// Posted after a tile was moved by itself, undone and redone moves too. Its object is the puzzle,
    /// ``PuzzleMove`` reads the rest.
    public static let didMove = Notification.Name("GameModel.Puzzle.didMove")

    /// The possible numbers of tiles along a side.
    public static let lengths = 2...1_000

    /// Keeps the moves for undo and redo. The puzzle does not own it; without one, moves are final.
    @ObservationIgnored public weak var undoManager: UndoManager?

    /// The value at each position.
    public private(set) var values: [Int]

    /// The position of the empty field.
    public private(set) var freeIndex: Int

    /// The number of moves since the puzzle was shuffled or cleared, less those undone.
    public private(set) var moveCount = 0 {
        didSet { if moveCount != oldValue { announceMoveCount(insteadOf: oldValue) } }
    }

    /// Whether every value lies at its own position.
    public private(set) var isSolved = true

    @ObservationIgnored private var moveCountObservers: [WeakMoveCountObservation] = []
    @ObservationIgnored private let grid: PuzzleGrid
    @ObservationIgnored private let center: NotificationCenter

    /// Creates a solved puzzle.
    ///
    /// - Parameters:
    ///   - length: the number of tiles along a side.
    ///   - undoManager: keeps the moves for undo and redo; held weakly.
    ///   - center: gets the notifications.
    /// - Throws: ``PuzzleError/unusableLength(_:)`` if `length` is outside ``lengths``.
    public init(
        length: Int = 4, undoManager: UndoManager? = nil, center: NotificationCenter = .default
    ) throws(PuzzleError) {
        guard Self.lengths.contains(length) else { throw .unusableLength(length) }
        grid = PuzzleGrid(length: length)
        values = Array(0..<length * length)
        freeIndex = length * length - 1
        self.undoManager = undoManager
        self.center = center
    }

    /// The number of tiles along a side.
    public final var length: Int { grid.length }

    /// The number of positions, the empty field's included.
    public final var size: Int { grid.size }

    /// The value at a position.
    ///
    /// - Throws: ``PuzzleError/noSuchIndex(_:size:)`` if there is no such position.
    public final func value(at index: Int) throws(PuzzleError) -> Int {
        guard grid.contains(index) else { throw .noSuchIndex(index, size: size) }
        return values[index]
    }

    /// Tilts the board, so that the tile beside the empty field slides into it.
    ///
    /// - Parameter direction: the direction in which the tile slides.
    /// - Returns: whether a tile moved. If none lies there, nothing changes and no observer is notified.
    @discardableResult
    open func tilt(to direction: Direction) -> Bool {
        tilt(to: direction, countOffset: 1)
    }

    /// Moves one tile into the empty field.
    ///
    /// - Parameters:
    ///   - index: the position of the tile.
    ///   - direction: the direction in which it moves.
    /// - Returns: whether it moved. If the empty field is not beside it there, nothing changes and no observer is notified.
    @discardableResult
    open func moveItem(at index: Int, to direction: Direction) -> Bool {
        moveItem(at: index, to: direction, countOffset: 1)
    }

    /// The tilt that brings the empty field one step closer to a position: vertically until the rows match,
    /// then horizontally.
    ///
    /// - Returns: the direction, or `nil` if the empty field is there already or there is no such position.
    public final func tiltDirection(forIndex index: Int) -> Direction? {
        grid.contains(index) ? grid.tiltDirection(from: freeIndex, to: index) : nil
    }

    /// Shuffles by legal tilts, so that the puzzle can be solved: the empty field walks to 4 · ``size`` random other
    /// positions. Each tilt on the way is announced; then ``moveCount`` is 0 and there is nothing to undo.
    public final func shuffle(using generator: inout some RandomNumberGenerator) {
        for _ in 0..<4 * size {
            // One of the size - 1 positions other than the empty field's.
            let step = Int.random(in: 1..<size, using: &generator)
            let index = (freeIndex + step) % size
            while let direction = tiltDirection(forIndex: index) {
                tilt(to: direction, countOffset: 1)
            }
        }
        forgetMoves()
    }

    /// Puts every value back to its own position and forgets all moves. Nothing is announced: no tile slid.
    public final func clear() {
        values = Array(0..<size)
        freeIndex = size - 1
        forgetMoves()
        updateIsSolved()
    }

    /// Calls `handler` with the old and the new ``moveCount`` after each change.
    ///
    /// - Returns: the observation, which lasts as long as it is kept.
    public final func observeMoveCount(_ handler: @escaping (_ old: Int, _ new: Int) -> Void) -> MoveCountObservation {
        let observation = MoveCountObservation(handler: handler)
        moveCountObservers.append(WeakMoveCountObservation(observation: observation))
        return observation
    }

    private func announceMoveCount(insteadOf old: Int) {
        moveCountObservers.removeAll { $0.observation == nil }
        for observer in moveCountObservers { observer.observation?.handler(old, moveCount) }
    }

    @discardableResult
    private func tilt(to direction: Direction, countOffset: Int) -> Bool {
        guard let fromIndex = grid.source(ofTileMoving: direction, to: freeIndex) else { return false }
        let move = PuzzleMove(direction: direction, fromIndex: fromIndex, toIndex: freeIndex)
        undoManager?.registerUndo(withTarget: self) { puzzle in
            puzzle.tilt(to: direction.reversed, countOffset: -countOffset)
        }
        perform(move, countOffset: countOffset)
        center.post(name: Self.didTilt, object: self, userInfo: move.userInfo)
        return true
    }

    @discardableResult
    private func moveItem(at index: Int, to direction: Direction, countOffset: Int) -> Bool {
        guard let toIndex = grid.destination(ofTileMoving: direction, from: index), toIndex == freeIndex else {
            return false
        }
        let move = PuzzleMove(direction: direction, fromIndex: index, toIndex: toIndex)
        undoManager?.registerUndo(withTarget: self) { puzzle in
            puzzle.moveItem(at: toIndex, to: direction.reversed, countOffset: -countOffset)
        }
        perform(move, countOffset: countOffset)
        center.post(name: Self.didMove, object: self, userInfo: move.userInfo)
        return true
    }

    private func perform(_ move: PuzzleMove, countOffset: Int) {
        values.swapAt(move.fromIndex, move.toIndex)
        freeIndex = move.fromIndex
        moveCount += countOffset
        updateIsSolved()
    }

    private func forgetMoves() {
        moveCount = 0
        undoManager?.removeAllActions(withTarget: self)
    }

    /// Assigns only what differs: an assignment notifies the observers.
    private func updateIsSolved() {
        // Most positions are distinguished by the empty field alone.
        let isSolvedNow = freeIndex == size - 1 && values.indices.allSatisfy { values[$0] == $0 }
        if isSolved != isSolvedNow { isSolved = isSolvedNow }
    }
}
