// Allocates and frees class instances and prints how long that took:
//     AllocateFree loop|mixed|trees|board|chains THREADS OBJECTS [DEPTH]
// `loop` frees each object at once; `mixed` keeps 1,024 objects of four classes alive in each thread and replaces one
// chosen by a generator, from four places in the program, so that hardly any free follows its own allocation. `trees`
// builds trees of 32,767 nodes by recursion: no two allocations in a row have the same stack. `board` is a game whose every
// move reads a tile of 1,024, counts it by its kind and puts a new one in its place. `chains` calls itself DEPTH times, again
// and again, with an object in each call.
import Foundation

class Card {
    var value: Int
    init(_ value: Int) { self.value = value }
    func turned() -> Int { value &+ 1 }
}
final class Ace: Card {
    var suit = 0
}
final class Joker: Card {
    var a = 1, b = 2, c = 3
}
final class Deck: Card {
    var cards: [Int]
    override init(_ value: Int) {
        cards = [value, value, value]
        super.init(value)
    }
}

final class Branch {
    let left, right: Branch?
    init(_ left: Branch?, _ right: Branch?) {
        self.left = left
        self.right = right
    }
    var count: Int { 1 &+ (left?.count ?? 0) &+ (right?.count ?? 0) }
}

@inline(never) func makeCard(_ value: Int) -> Card { Card(value) }
@inline(never) func makeAce(_ value: Int) -> Card { Ace(value) }
@inline(never) func makeJoker(_ value: Int) -> Card { Joker(value) }
@inline(never) func makeDeck(_ value: Int) -> Card { Deck(value) }

@inline(never) func loop(_ objects: Int) -> Int {
    var sum = 0
    for index in 0..<objects { sum &+= makeCard(index).turned() }
    return sum
}

@inline(never) func mixed(_ objects: Int) -> Int {
    var kept: [Card] = (0..<1024).map(makeCard)
    var state: UInt64 = 88_172_645_463_325_252
    for index in 0..<objects {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        let place = Int(state & 1023)
        switch (state >> 10) & 3 {
        case 0: kept[place] = makeCard(index)
        case 1: kept[place] = makeAce(index)
        case 2: kept[place] = makeJoker(index)
        default: kept[place] = makeDeck(index)
        }
    }
    return kept.reduce(0) { $0 &+ $1.turned() }
}

@inline(never) func grow(_ depth: Int) -> Branch {
    depth == 0 ? Branch(nil, nil) : Branch(grow(depth - 1), grow(depth - 1))
}

@inline(never) func trees(_ objects: Int) -> Int {
    var sum = 0
    while sum < objects { sum &+= grow(14).count }
    return sum
}

final class Tile {
    let number: Int
    var moves = 0
    var before: Int?
    init(_ number: Int) { self.number = number }
}

final class Board {
    private var tiles = (0..<1024).map { Tile($0) }
    private var counts = [Int](repeating: 0, count: 16)
    private var state: UInt64 = 88_172_645_463_325_252

    @inline(never) func move(_ number: Int) {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        let place = Int(state & 1023)
        let old = tiles[place]
        counts[old.number & 15] &+= old.moves &+ 1
        let new = Tile(number)
        new.moves = old.moves &+ 1
        new.before = old.number
        tiles[place] = new
    }

    var sum: Int { tiles.reduce(0) { $0 &+ $1.number } &+ counts.reduce(0, &+) }
}

@inline(never) func board(_ moves: Int) -> Int {
    let board = Board()
    for number in 0..<moves { board.move(number) }
    return board.sum
}

@inline(never) func descend(_ depth: Int) -> Int {
    let card = makeCard(depth)
    let below = depth > 1 ? descend(depth - 1) : 0
    return below &+ card.turned()
}

let arguments = CommandLine.arguments
let chainDepth = arguments.count > 4 ? max(Int(arguments[4]) ?? 1, 1) : 64

@inline(never) func chains(_ objects: Int) -> Int {
    var sum = 0
    for _ in 0..<max(objects / chainDepth, 1) { sum &+= descend(chainDepth) }
    return sum
}

let workloads = ["loop": loop, "mixed": mixed, "trees": trees, "board": board, "chains": chains]
guard arguments.count >= 4, let work = workloads[arguments[1]], let threads = Int(arguments[2]),
    let objects = Int(arguments[3])
else {
    print("usage: AllocateFree loop|mixed|trees|board|chains THREADS OBJECTS [DEPTH]")
    exit(2)
}
let start = DispatchTime.now().uptimeNanoseconds
let finished = DispatchGroup()
nonisolated(unsafe) var sums = [Int](repeating: 0, count: threads)
let sumsLock = NSLock()
for thread in 0..<threads {
    finished.enter()
    Thread {
        let sum = work(objects)
        sumsLock.withLock { sums[thread] = sum }
        finished.leave()
    }.start()
}
finished.wait()
let nanoseconds = DispatchTime.now().uptimeNanoseconds - start
print("seconds \(Double(nanoseconds) / 1e9) sum \(sums.reduce(0, &+))")
