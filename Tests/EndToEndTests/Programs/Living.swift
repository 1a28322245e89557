// Objects that live, each held in another way.
import Foundation

final class Card {
    var number = 1
}
final class Board {
    var cards: [Card] = []
    var byName: [String: Card] = [:]
}
final class Game {
    nonisolated(unsafe) static let shared = Game()
    var boards: [Board] = []
    weak var current: Board?
}
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
final class DeepNode {
    var next: DeepNode?
}
final class Local {
    var number = 1
}

nonisolated(unsafe) var boxed: Box<Card>?
nonisolated(unsafe) var table: [String: Any] = [:]
nonisolated(unsafe) var deepList: DeepNode?

@inline(never) func fill() {
    for _ in 0..<3 {
        let board = Board()
        for _ in 0..<4 { board.cards.append(Card()) }
        board.byName["ace"] = Card()
        Game.shared.boards.append(board)
    }
    Game.shared.current = Game.shared.boards[0]
    boxed = Box(Card())
    table["card"] = Card()
    for _ in 0..<1_000 {
        let node = DeepNode()
        node.next = deepList
        deepList = node
    }
}

@inline(never) func play(_ local: Local) {
    local.number += 1
    print("playing", local.number)
    exit(0)
}

@inline(never) func run() {
    let local = Local()
    play(local)
    local.number += 1
    print(local)
}

@main enum Program {
    static func main() {
        fill()
        if CommandLine.arguments.contains("local") { run() }
    }
}
