import Foundation

/// What a ``Memory/didSolvePair`` notification reports: the two cards that were found.
public struct CardPair {
    /// The card that was turned first.
    public let first: Card
    /// The card that was turned second.
    public let second: Card

    init(first: Card, second: Card) {
        self.first = first
        self.second = second
    }

    /// Reads the cards out of a ``Memory/didSolvePair`` notification; `nil` for any other.
    public init?(_ notification: Notification) {
        guard
            let first = notification.userInfo?[Self.firstCardKey] as? Card,
            let second = notification.userInfo?[Self.secondCardKey] as? Card
        else { return nil }
        self.init(first: first, second: second)
    }

    /// The key of the ``Card`` that was turned first in a notification's `userInfo`.
    public static let firstCardKey = "firstCard"
    /// The key of the ``Card`` that was turned second in a notification's `userInfo`.
    public static let secondCardKey = "secondCard"

    /// The pair as a notification carries it.
    var userInfo: [AnyHashable: Any] {
        [Self.firstCardKey: first, Self.secondCardKey: second]
    }
}
