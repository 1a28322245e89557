/// A direction in which a tile moves.
///
/// The raw values are such that opposite directions differ in bit 1.
public enum Direction: Int, CaseIterable, Sendable {
    /// Towards the first row.
    case up = 0
    /// Towards the last column.
    case right = 1
    /// Towards the last row.
    case down = 2
    /// Towards the first column.
    case left = 3

    /// The opposite direction.
    public var reversed: Direction {
        switch self {
        case .up: .down
        case .right: .left
        case .down: .up
        case .left: .right
        }
    }
}
