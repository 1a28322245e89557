// A tournament whose results are kept in a shared table until they are printed at the end.
import Foundation

final class Result {
    let player: String
    let points: Int
    let moves: [Int]
    init(player: String, points: Int, moves: [Int]) {
        self.player = player
        self.points = points
        self.moves = moves
    }
}
final class ScoreBoard {
    nonisolated(unsafe) static let shared = ScoreBoard()
    private var results: [Result] = []
    private init() {}
    func add(_ result: Result) { results.append(result) }
    func print(_ count: Int) {
        for r in results.sorted(by: { $0.points > $1.points }).prefix(count) {
            Swift.print(r.player, r.points, r.moves.count)
        }
    }
    var count: Int { results.count }
}
final class Deck {
    private var cards: [Int]
    init(seed: Int) { cards = (0..<52).map { ($0 * 17 + seed) % 52 } }
    func draw() -> Int? { cards.popLast() }
}
final class Player {
    let name: String
    private(set) var hand: [Int] = []
    private(set) var moves: [Int] = []
    init(name: String) { self.name = name }
    func take(_ card: Int) {
        hand.append(card)
        if hand.count > 5 { moves.append(hand.removeFirst()) }
    }
}
struct Game {
    let number: Int
    func play() {
        let deck = Deck(seed: number)
        let players = (0..<2).map { Player(name: "player \((number * 3 + $0) % 40)") }
        var turn = 0
        while let card = deck.draw() {
            players[turn % 2].take(card)
            turn += 1
        }
        for player in players {
            ScoreBoard.shared.add(Result(player: player.name, points: player.hand.reduce(0, +), moves: player.moves))
        }
    }
}
for number in 0..<400 { Game(number: number).play() }
ScoreBoard.shared.print(3)
print(ScoreBoard.shared.count, "results")
