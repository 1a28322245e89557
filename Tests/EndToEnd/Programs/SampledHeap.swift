/// Allocates known numbers of objects: kept, passing, and in cycles that nothing reaches.

final class Card {
    var rank = 0, suit = 0, x = 0, y = 0
    init(_ rank: Int) { self.rank = rank }
}

final class Move {
    var from = 0, to = 0
    init(_ from: Int) { self.from = from }
}

final class Player {
    var opponent: Player?
}

/// The runtime makes metadata for each `Shelf<T>`; the first 16 KB of it lie in its own image, the others in the heap.
final class Shelf<T> {
    var places = (0, 0)
    var content: T?
}

final class Bag<each T> {
    var places = (0, 0)
}

struct Left<T> {}
struct Right<T> {}
struct Book { var pages = 0 }

var kept: [Card] = []
var shelves: [AnyObject] = []
var sum = 0

@inline(never) func deal(_ count: Int) {
    for rank in 0..<count { kept.append(Card(rank)) }
}

@inline(never) func use(_ move: Move) { sum += move.from }

@inline(never) func play(_ count: Int) {
    for from in 0..<count { use(Move(from)) }
}

@inline(never) func load(_ count: Int) {
    for size in 0..<count {
        let buffer = [UInt8](repeating: 1, count: 100_000)
        sum += Int(buffer[size])
    }
}

@inline(never) func meet(_ count: Int) {
    for _ in 0..<count {
        let first = Player()
        let second = Player()
        first.opponent = second
        second.opponent = first
    }
}

/// 2^(depth + 1) - 1 types of shelves.
@inline(never) func build<T>(_ type: T.Type, depth: Int) {
    shelves.append(Shelf<T>())
    if depth > 0 {
        build(Left<T>.self, depth: depth - 1)
        build(Right<T>.self, depth: depth - 1)
    }
}

@inline(never) func stack(_ count: Int) {
    build(Int.self, depth: 8)
    for _ in 0..<count { shelves.append(Shelf<Book>()) }
    for _ in 0..<count { shelves.append(Bag<Book, Int>()) }
}

@main enum Program {
    static func main() {
        if CommandLine.arguments.contains("shelves") { stack(20_000) }
        deal(20_000)
        play(200_000)
        load(300)
        if CommandLine.arguments.contains("cycles") { meet(60) }
        if kept.count + shelves.count + sum < 0 { print(sum) }
    }
}
