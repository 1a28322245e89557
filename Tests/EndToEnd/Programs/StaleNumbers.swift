// Plain numbers of deallocated objects are read, each time in another way: nothing faults as long as their memory is the
// allocator's. With `healthy` in front the same objects live while they are read.
import Dispatch
import Foundation

final class Piece {
    var number: Int
    init(_ number: Int) { self.number = number }
}

final class Rook {
    var moves = 3
}

final class Clock {
    var ticks = 40
}

struct Place {
    var row = 5
    var column = 6
}

class Figure {
    final var place = Place()
}

final class Queen: Figure {
    let reach = 8
}

final class Cell<Element> {
    final var element: Element
    init(_ element: Element) { self.element = element }
}

/// Frees what it holds when it ends.
final class Level {
    var pieces: [Piece]
    var next: Level?
    init(_ depth: Int) {
        pieces = [Piece(depth), Piece(depth + 1)]
        next = depth > 0 ? Level(depth - 1) : nil
    }
    deinit {
        pieces.removeAll()
        next = nil
    }
}

final class Slots: ManagedBuffer<Int, Int> {}

final class Watcher {
    weak var weakly: Piece?
    unowned var surely: Piece
    init(_ piece: Piece) {
        weakly = piece
        surely = piece
    }
}

let isHealthy = CommandLine.arguments.contains("healthy")
nonisolated(unsafe) var kept: [AnyObject] = []
let keptLock = NSLock()

/// Ends what the caller made, or keeps it where the program is to be healthy.
@inline(never) func end<Object: AnyObject>(_ object: Object) -> Unmanaged<Object> {
    if isHealthy { keptLock.withLock { kept.append(object) } }
    return Unmanaged.passUnretained(object)
}

@inline(never) func number(_ piece: Unmanaged<Piece>) -> Int { piece._withUnsafeGuaranteedRef { $0.number } }
@inline(never) func piece(_ number: Int) -> Unmanaged<Piece> { end(Piece(number)) }

@inline(never) func single() -> Int { end(Rook())._withUnsafeGuaranteedRef { $0.moves } }

/// From the five thousandth object on each is read once more.
@inline(never) func later() -> Int {
    var sum = 0
    for round in 0..<40_000 {
        let made = piece(round)
        if round > 5000 { sum &+= number(made) & 1 }
    }
    return sum
}

/// Objects of one thread that another one reads.
@inline(never) func threads() -> Int {
    let lock = NSLock()
    nonisolated(unsafe) var made: [Unmanaged<Piece>] = []
    nonisolated(unsafe) var sum = 0
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
        for round in 0..<200 {
            let mine = piece(worker * 1000 + round)
            lock.withLock { made.append(mine) }
        }
    }
    let pieces = made
    let reader = Thread { lock.withLock { sum = pieces.reduce(0) { $0 + number($1) } } }
    reader.start()
    while !reader.isFinished { usleep(1000) }
    return lock.withLock { sum }
}

@inline(never) func levels() -> (Unmanaged<Level>, Unmanaged<Piece>) {
    let level = Level(3)
    let last = Unmanaged.passUnretained(level.next!.next!.next!.pieces[1])
    return (end(level), last)
}
@inline(never) func cascade() -> Int { number(levels().1) }

@inline(never) func manyPieces(_ count: Int) -> [Unmanaged<Piece>] {
    let pieces = (0..<count).map { Piece($0) }
    _ = end(pieces as NSArray)
    return pieces.map { Unmanaged.passUnretained($0) }
}
@inline(never) func array() -> Int { manyPieces(3000).reduce(0) { $0 + number($1) } }

@inline(never) func numbers() -> UnsafePointer<Int> {
    let numbers = (0..<20).map { $0 * Int(CommandLine.argc) }
    if isHealthy { keptLock.withLock { kept.append(Cell(numbers)) } }
    return numbers.withUnsafeBufferPointer { $0.baseAddress! }
}
@inline(never) func storage() -> Int { numbers()[3] & 1 }

/// Holds a clock without owning it.
final class Hand {
    unowned(unsafe) let clock: Clock
    init(_ clock: Clock) { self.clock = clock }
    @inline(never) func look() -> Int { clock.ticks }
}
@inline(never) func hand() -> Hand {
    let clock = Clock()
    _ = end(clock)
    return Hand(clock)
}
@inline(never) func unsafely() -> Int { hand().look() }

@inline(never) func inherited() -> Int { end(Queen())._withUnsafeGuaranteedRef { $0.place.column } }
@inline(never) func generic() -> Int {
    end(Cell(Int(CommandLine.argc) + 70))._withUnsafeGuaranteedRef { $0.element } & 1
}

@inline(never) func slots() -> UnsafeMutablePointer<Int> {
    let slots = Slots.create(minimumCapacity: 4) { _ in 7 }
    slots.withUnsafeMutablePointerToElements { $0.initialize(repeating: 11, count: 4) }
    _ = end(slots)
    return slots.withUnsafeMutablePointerToElements { $0 }
}
@inline(never) func tail() -> Int { slots()[2] }

/// A stack for each path.
@inline(never) func grow(_ depth: Int, _ path: Int) -> Cell<Int> {
    guard depth > 0 else { return Cell(path) }
    let below = path & 1 == 0 ? grow(depth - 1, path / 2) : growOdd(depth - 1, path / 2)
    return Cell(path &+ below.element &* 2)
}
@inline(never) func growOdd(_ depth: Int, _ path: Int) -> Cell<Int> {
    guard depth > 0 else { return Cell(path) }
    let below = path & 1 == 0 ? grow(depth - 1, path / 2) : growOdd(depth - 1, path / 2)
    return Cell(path &+ below.element &* 4)
}
/// A new class after very many stacks.
@inline(never) func lateClass() -> Int {
    var sum = 0
    for path in 0..<8000 { sum += grow(13, path).element & 1 }
    return sum + end(Rook())._withUnsafeGuaranteedRef { $0.moves }
}

@inline(never) func task() -> Int {
    let clock = end(Clock())
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var ticks = 0
    Task {
        ticks = clock._withUnsafeGuaranteedRef { $0.ticks }
        done.signal()
    }
    done.wait()
    return ticks
}

/// What becomes of weak and unowned references to objects that end, and of arrays that grow.
@inline(never) func references() -> String {
    var told: [String] = []
    for round in 0..<300 {
        var piece: Piece? = Piece(round)
        let watcher = Watcher(piece!)
        let before = watcher.weakly == nil ? "gone" : "there \(watcher.surely.number)"
        piece = nil
        if round % 100 == 7 { told.append("\(before) \(watcher.weakly == nil ? "gone" : "there")") }
    }
    // The allocator gives at least multiples of 16 bytes, of which 8 are its own; arrays use them.
    var arrays: [[Int32]] = []
    for count in 1...300 {
        var numbers: [Int32] = []
        numbers.reserveCapacity(count)
        arrays.append(numbers)
    }
    let areRoomy = arrays.enumerated().allSatisfy { index, array in
        let room = (32 + 4 * (index + 1) + 8 + 15) / 16 * 16 - 8
        return array.capacity >= (room - 32) / 4
    }
    told.append("room as ever: \(areRoomy)")
    return told.joined(separator: "\n")
}

/// Reads the word that says the class, and does nothing with what it leads to.
@inline(never) func firstWord() -> Int { end(Rook()).toOpaque().load(as: Int.self) & 1 }

@inline(never) func firstWords() -> Int {
    let rooks = (0..<100).map { _ in end(Rook()) }
    return rooks.reduce(0) { $0 + ($1.toOpaque().load(as: Int.self) & 1) }
}

/// The same, and then the program ends by the use of another object.
@inline(never) func firstWordBeforeEnd() -> Int { firstWord() + end(Clock())._withUnsafeGuaranteedRef { $0.ticks } }
@inline(never) func firstWordBeforeFree() -> Int {
    let read = firstWord()
    let memory = end(Clock()).toOpaque()
    free(memory)
    return read
}

class Bishop {
    var moves = 1
    func move() -> Int { moves + 1 }
}
final class ArchBishop: Bishop {
    override func move() -> Int { -1 }
}

/// Eight threads call a method at the same moment.
@inline(never) func together() -> Int {
    let bishop = end(CommandLine.argc > 9 ? ArchBishop() : Bishop())
    let start = DispatchTime.now().uptimeNanoseconds + 20_000_000
    nonisolated(unsafe) let called = bishop
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
        while DispatchTime.now().uptimeNanoseconds < start {}
        _ = called._withUnsafeGuaranteedRef { $0.move() }
    }
    return 0
}

@_silgen_name("fork") func forked() -> Int32

/// The child reads, frees and makes objects.
@inline(never) func child() -> Int {
    nonisolated(unsafe) var pieces = (0..<40).map { Piece($0) }
    fflush(stdout)
    let process = forked()
    if process == 0 {
        let seventh = pieces[7].number
        pieces.removeAll()
        print("child", seventh, Cell(9).element)
        fflush(stdout)
        _exit(0)
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return Int(status) + pieces[5].number
}

/// Takes most of the mappings that the kernel permits while many objects live.
@inline(never) func mappings() -> Int {
    let permitted = try? String(contentsOfFile: "/proc/sys/vm/max_map_count", encoding: .utf8)
    let limit = min(Int(permitted?.trimmingCharacters(in: .newlines) ?? "") ?? 65530, 65530)
    let pieces = (0..<2000).map { grow(10, $0) }
    let count = limit * 85 / 200
    let start = mmap(nil, count * 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)!
    var refused = 0
    for place in 0..<count where mprotect(start + place * 8192, 4096, PROT_READ) != 0 { refused += 1 }
    munmap(start, count * 8192)
    return refused + (pieces.count - 2000)
}

@inline(never) func endless(_ depth: Int) -> Int {
    let below = depth < 0 ? 0 : endless(depth + 1)
    return Cell(depth + below).element & 3
}
@inline(never) func endlessly() -> Int {
    _ = (0..<100).reduce(0) { $0 + Piece($1).number }
    return endless(Int(CommandLine.argc))
}

let uses: [String: () -> Int] = [
    "single": single, "later": later, "threads": threads, "cascade": cascade, "array": array, "storage": storage,
    "unsafely": unsafely, "inherited": inherited, "generic": generic, "tail": tail, "late-class": lateClass,
    "task": task, "fork": child, "mappings": mappings, "endless": endlessly,
    "first-word": firstWord, "first-words": firstWords, "first-word-number": firstWordBeforeEnd,
    "first-word-free": firstWordBeforeFree, "together": together,
]

@main enum StaleNumbers {
    static func main() {
        guard CommandLine.arguments.count > 1, let use = uses[CommandLine.arguments[1]] else {
            return print(references())
        }
        print("value", use())
    }
}
