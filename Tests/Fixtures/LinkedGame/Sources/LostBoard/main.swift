// A statement of the file, and not a function, makes what is lost.
import GameInstrumentation

final class Card {
    let number: Int
    init(_ number: Int) { self.number = number }
}

final class Board {
    var undo: Undo?
    var cards: [Card]
    init(cards: Int) { self.cards = (0..<cards).map(Card.init) }
    func play() { undo = Undo(self) }
}

final class Undo {
    let board: Board
    init(_ board: Board) { self.board = board }
}

Board(cards: 3).play()
Probe.event("played")
