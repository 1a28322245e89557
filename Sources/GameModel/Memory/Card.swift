/// A card of a ``Memory`` game. The game alone turns and solves it.
public final class Card {
    /// What its front shows: exactly two cards of a game have the same type.
    public let type: Int

    /// Whether its front is up.
    public internal(set) var showsFront = false

    /// Whether it was found together with its twin; it stays as it is from then on.
    public internal(set) var isSolved = false

    init(type: Int) {
        self.type = type
    }
}
