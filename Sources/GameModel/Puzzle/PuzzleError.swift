/// Why a ``Puzzle`` could not do what was asked.
public enum PuzzleError: Error, Equatable, Sendable {
    /// The number of tiles along a side is outside ``Puzzle/lengths``.
    case unusableLength(Int)
    /// There is no position of this index in a puzzle of `size` positions.
    case noSuchIndex(Int, size: Int)
}

extension PuzzleError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unusableLength(let length):
            let lengths = Puzzle.lengths
            return "A puzzle needs a side of \(lengths.lowerBound) to \(lengths.upperBound) tiles, not \(length)."
        case .noSuchIndex(let index, let size):
            return "The puzzle has no position \(index); its positions are 0 to \(size - 1)."
        }
    }
}
