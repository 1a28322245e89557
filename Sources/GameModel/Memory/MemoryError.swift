/// Why a ``Memory`` game could not do what was asked.
public enum MemoryError: Error, Equatable, Sendable {
    /// This number of cards cannot be dealt in pairs, or is above ``Memory/largestCardCount``.
    case unusableCardCount(Int)
    /// A penalty below zero.
    case negativePenalty(Int)
}

extension MemoryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unusableCardCount(let count):
            "A memory game needs an even number of 2 to \(Memory.largestCardCount) cards, not \(count)."
        case .negativePenalty(let penalty):
            "A penalty adds to the count of turned cards, so it cannot be \(penalty)."
        }
    }
}
