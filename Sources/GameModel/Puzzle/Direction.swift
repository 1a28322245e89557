/// A direction in which a tile moves.
///
/// The raw values are such that opposite directions differ in bit 1.
public enum Direction: Int, CaseIterable, Sendable {
    case up = 0
    case right = 1
    case down = 2
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
