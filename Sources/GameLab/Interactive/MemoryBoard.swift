import Foundation
import GameModel

/// The game of pairs on a terminal: a cursor moved by keys, cards turned by a key or a click. Two open cards are looked
/// at for a while before they are checked.
final class MemoryBoard: InteractiveGame {
    private let memory: Memory
    private let turns: NotificationTally<Int>
    private let pairs: NotificationTally<Int>
    private var generator: SplitMix64
    private let layout: BoardLayout
    private var cursor = (row: 0, column: 0)
    private var framesOpen = 0

    /// For how many frames two open cards are shown.
    private static let shownFrames = 45

    /// Deals `side` × `side` cards.
    init(side: Int, seed: UInt64) throws {
        generator = SplitMix64(seed: seed)
        memory = try Memory(cardCount: side * side, using: &generator)
        layout = BoardLayout(rows: side, columns: side)
        turns = NotificationTally(Memory.didTurnCard, object: memory) { ($0.userInfo?[Memory.cardKey] as? Card)?.type }
        pairs = NotificationTally(Memory.didSolvePair, object: memory) { CardPair($0)?.first.type }
    }

    func perform(_ action: Action) {
        switch action {
        case .tilt(let direction): move(direction)
        case .flip: turn(cursor.row * layout.columns + cursor.column)
        case .touch(let index):
            guard memory.cards.indices.contains(index) else { return }
            cursor = (index / layout.columns, index % layout.columns)
            turn(index)
        case .shuffle:
            memory.clear(using: &generator)
            framesOpen = 0
        case .undo, .redo, .quit: break
        }
    }

    func advance() {
        framesOpen = memory.flippedCards.count == 2 ? framesOpen + 1 : 0
        if framesOpen == Self.shownFrames { check() }
    }

    func action(forClickAt row: Int, _ column: Int) -> Action? {
        let (y, x) = (row - BoardLayout.top, column - BoardLayout.left)
        guard y >= 0, x >= 0, y < layout.height, x < layout.width else { return nil }
        return .touch(y / BoardLayout.cellHeight * layout.columns + x / BoardLayout.cellWidth)
    }

    var lines: [String] {
        let state = memory.isSolved ? "\u{1b}[1;32mall pairs found\u{1b}[0m" : "\(pairs.count) pairs found"
        let board = layout.lines { row, column in
            let card = memory.cards[row * layout.columns + column]
            let isCursor = (row, column) == cursor
            if card.isSolved { return (isCursor ? "·" : "", 235, 250) }
            if card.showsFront { return (Self.face(card.type), isCursor ? 214 : 150, 16) }
            return (isCursor ? "?" : "", isCursor ? 31 : 24, 231)
        }
        return ["\u{1b}[1m Memory\u{1b}[0m   \(memory.flipCount) turns · \(state)", "", ""] + board
            + [" arrows move · space or click turns a card · s deal anew · q quit"]
    }

    var summary: String {
        "memory: \(memory.isSolved ? "solved" : "not solved"), count \(memory.flipCount), \(pairs.count) pairs, "
            + "\(turns.count) cards turned over"
    }

    /// `A` … `Z`, then `A1` ….
    private static func face(_ type: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(type % 26)))
        return type < 26 ? letter : "\(letter)\(type / 26)"
    }

    private func move(_ direction: Direction) {
        switch direction {
        case .up: cursor.row = max(cursor.row - 1, 0)
        case .down: cursor.row = min(cursor.row + 1, layout.rows - 1)
        case .left: cursor.column = max(cursor.column - 1, 0)
        case .right: cursor.column = min(cursor.column + 1, layout.columns - 1)
        }
    }

    private func turn(_ index: Int) {
        if memory.flippedCards.count == 2 { check() }
        memory.turnCard(at: index)
    }

    private func check() {
        memory.checkFlippedCards()
        framesOpen = 0
    }
}
