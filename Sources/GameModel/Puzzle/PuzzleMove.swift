import Foundation

/// What a notification of a ``Puzzle`` reports: which way a tile moved, from where, and to where.
public struct PuzzleMove: Equatable, Sendable {
    /// The direction in which the tile moved.
    public let direction: Direction
    /// The index at which the tile was; the empty field is there now.
    public let fromIndex: Int
    /// The index at which the tile is now; the empty field was there.
    public let toIndex: Int

    /// Creates the description of a move.
    public init(direction: Direction, fromIndex: Int, toIndex: Int) {
        self.direction = direction
        self.fromIndex = fromIndex
        self.toIndex = toIndex
    }

    /// Reads the move out of a ``Puzzle/didTilt`` or ``Puzzle/didMove`` notification; `nil` for any other.
    public init?(_ notification: Notification) {
        guard
            let direction = notification.userInfo?[Self.directionKey] as? Direction,
            let fromIndex = notification.userInfo?[Self.fromIndexKey] as? Int,
            let toIndex = notification.userInfo?[Self.toIndexKey] as? Int
        else { return nil }
        self.init(direction: direction, fromIndex: fromIndex, toIndex: toIndex)
    }

    /// The key of the ``Direction`` in a notification's `userInfo`.
    public static let directionKey = "direction"
    /// The key of the `Int` index that the tile came from in a notification's `userInfo`.
    public static let fromIndexKey = "fromIndex"
    /// The key of the `Int` index that the tile went to in a notification's `userInfo`.
    public static let toIndexKey = "toIndex"

    /// The move as a notification carries it.
    var userInfo: [AnyHashable: Any] {
        [Self.directionKey: direction, Self.fromIndexKey: fromIndex, Self.toIndexKey: toIndex]
    }
}
