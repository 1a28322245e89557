// A game whose memory is held in known ways: a board with cards in an array and a dictionary, a cache behind a shared
// instance, a weak and an unowned reference that hold nothing.
final class Card {
    var bytes = [UInt8](repeating: 1, count: 1000)
    weak var board: Board?
    unowned let game: Game
    init(_ game: Game) { self.game = game }
}

class Piece {
    var card: Card?
}

final class Board: Piece {
    var cards: [Card] = []
    var byName: [String: Card] = [:]
    var onChange: (() -> Void)?
}

final class Cache {
    nonisolated(unsafe) static let shared = Cache()
    var pictures: [[UInt8]] = []
}

final class Game {
    var board = Board()

    func deal() {
        board.cards = (0..<20).map { _ in Card(self) }
        for (index, card) in (0..<5).map({ ($0, Card(self)) }) { board.byName["card \(index)"] = card }
        board.card = Card(self)
        for card in board.cards { card.board = board }
        let extra = Card(self)
        board.onChange = { [extra] in _ = extra.bytes.count }
        Cache.shared.pictures = (0..<10).map { _ in [UInt8](repeating: 2, count: 5000) }
    }
}

@main struct HeapHolders {
    nonisolated(unsafe) static var game: Game?

    static func main() {
        game = Game()
        game?.deal()
        print("dealt")
    }
}
