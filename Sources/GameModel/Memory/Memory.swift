import Foundation
import Observation

/// The game of pairs: cards lie face down, and two of the same type are to be found with as few turns as possible.
///
/// Turned cards and found pairs are announced through the notification center (``didTurnCard``, ``didSolvePair``);
/// ``flipCount`` and ``isSolved`` can be watched with `withObservationTracking`. A game belongs to one thread.
@Observable
public final class Memory {
    /// Posted after a card was turned to either side. Its object is the game; `userInfo` has the ``Card`` under
    /// ``cardKey``.
    public static let didTurnCard = Notification.Name("GameModel.Memory.didTurnCard")

    /// Posted after a matching pair was found. Its object is the game, ``CardPair`` reads the cards.
    public static let didSolvePair = Notification.Name("GameModel.Memory.didSolvePair")

    /// The key of the turned ``Card`` in the `userInfo` of ``didTurnCard``.
    public static let cardKey = "card"

    /// The most cards of one game.
    public static let largestCardCount = 1_000_000

    /// The cards in the order in which they lie.
    public private(set) var cards: [Card]

    /// How many cards were turned to their front since they were dealt, plus the penalties.
    public private(set) var flipCount = 0

    /// Whether every card is solved.
    public private(set) var isSolved = false

    /// The unsolved cards whose front is up, the one turned first in front; never more than two.
    public private(set) var flippedCards: [Card] = []

    @ObservationIgnored private var unsolvedCount: Int
    @ObservationIgnored private let center: NotificationCenter

    /// Deals a new game.
    ///
    /// - Parameters:
    ///   - cardCount: the number of cards, even.
    ///   - generator: decides the order of the cards.
    ///   - center: gets the notifications.
    /// - Throws: ``MemoryError/unusableCardCount(_:)`` for an odd number, for less than 2 and for more than
    ///   ``largestCardCount``.
    public init(
        cardCount: Int = 36, using generator: inout some RandomNumberGenerator, center: NotificationCenter = .default
    ) throws(MemoryError) {
        guard (2...Self.largestCardCount).contains(cardCount), cardCount.isMultiple(of: 2) else {
            throw .unusableCardCount(cardCount)
        }
        cards = Self.deal(cardCount, using: &generator)
        unsolvedCount = cardCount
        self.center = center
    }

    /// Turns a card over.
    ///
    /// Turning it to its front counts. If two others show their front already, the first of them is turned back.
    ///
    /// - Returns: whether the card was turned. A solved card and an index without a card change nothing.
    @discardableResult
    public func turnCard(at index: Int) -> Bool {
        guard cards.indices.contains(index), !cards[index].isSolved else { return false }
        let card = cards[index]
        if card.showsFront {
            turnToBack(card)
        } else {
            turnToFront(card)
        }
        return true
    }

    /// Looks at the two cards that show their front: a matching pair is solved, others are turned back.
    ///
    /// - Returns: whether a pair was solved. As long as fewer than two cards show their front, nothing happens.
    @discardableResult
    public func checkFlippedCards() -> Bool {
        guard flippedCards.count == 2 else { return false }
        let pair = CardPair(first: flippedCards[0], second: flippedCards[1])
        guard pair.first.type == pair.second.type else {
            turnToBack(pair.first)
            turnToBack(pair.second)
            return false
        }
        solve(pair)
        return true
    }

    /// Adds turns that were not made to ``flipCount``, such as for looking at the cards.
    ///
    /// - Throws: ``MemoryError/negativePenalty(_:)`` if `turns` is below zero.
    public func addPenalty(_ turns: Int) throws(MemoryError) {
        guard turns >= 0 else { throw .negativePenalty(turns) }
        flipCount += turns
    }

    /// Deals as many new cards as before and starts over.
    public func clear(using generator: inout some RandomNumberGenerator) {
        cards = Self.deal(cards.count, using: &generator)
        flippedCards = []
        unsolvedCount = cards.count
        flipCount = 0
        if isSolved { isSolved = false }
    }

    private static func deal(_ count: Int, using generator: inout some RandomNumberGenerator) -> [Card] {
        (0..<count).map { Card(type: $0 / 2) }.shuffled(using: &generator)
    }

    private func turnToFront(_ card: Card) {
        card.showsFront = true
        flipCount += 1
        flippedCards.append(card)
        announceTurn(of: card)
        if flippedCards.count > 2 { turnToBack(flippedCards[0]) }
    }

    private func turnToBack(_ card: Card) {
        card.showsFront = false
        flippedCards.removeAll { $0 === card }
        announceTurn(of: card)
    }

    private func solve(_ pair: CardPair) {
        pair.first.isSolved = true
        pair.second.isSolved = true
        flippedCards = []
        unsolvedCount -= 2
        if unsolvedCount == 0 { isSolved = true }
        center.post(name: Self.didSolvePair, object: self, userInfo: pair.userInfo)
    }

    private func announceTurn(of card: Card) {
        center.post(name: Self.didTurnCard, object: self, userInfo: [Self.cardKey: card])
    }
}
