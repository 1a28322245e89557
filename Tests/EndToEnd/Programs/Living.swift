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

final class Lost {
    var me: Lost?
}
final class Printed {
    var number = 1
}

nonisolated(unsafe) var boxed: Box<Card>?
nonisolated(unsafe) var memory: [UnsafeMutableRawPointer] = []
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

@inline(never) func tie(_ lost: Lost) { lost.me = lost }

@inline(never) func lose() {
    tie(Lost())
}

/// C memory in which an object died: its type and the count of an object whose deinit began.
@inline(never) func leaveTheDead() {
    let words = malloc(sizeOfBoard())!.bindMemory(to: UInt.self, capacity: 4)
    words[0] = unsafeBitCast(Board.self as AnyClass, to: UInt.self)
    words[1] = 1 << 32 | 3
    memory.append(words)
}

private func sizeOfBoard() -> Int { 32 }

/// The buffer of standard output shows what was in its memory before.
@inline(never) func printOverOldMemory(_ printed: Printed) {
    let old = malloc(4096)!.bindMemory(to: UInt.self, capacity: 512)
    for index in 2..<512 { old[index] = UInt(bitPattern: Unmanaged.passUnretained(printed).toOpaque()) }
    setvbuf(stdout, UnsafeMutableRawPointer(old).assumingMemoryBound(to: CChar.self), _IOFBF, 4096)
}

@inline(never) func keep(_ printed: Printed) {
    printOverOldMemory(printed)
    exit(Int32(printed.number - 1))
}

@inline(never) func runPrinted() {
    let printed = Printed()
    keep(printed)
    print(printed.number)
}

@main enum Program {
    static func main() {
        fill()
        if CommandLine.arguments.contains("lose") { lose() }
        if CommandLine.arguments.contains("dead") { leaveTheDead() }
        if CommandLine.arguments.contains("printed") { runPrinted() }
        if CommandLine.arguments.contains("local") { run() }
    }
}
