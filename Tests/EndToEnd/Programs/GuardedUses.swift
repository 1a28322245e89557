// Uses of deallocated objects in programs that go on: what they print is what they print unrecorded. With `healthy` behind
// the name the same objects live while they are used.
import Dispatch
import Foundation

class Card {
    final var number: Int
    init(_ number: Int) { self.number = number }
    func turned() -> Int { number + 1 }
}

final class Joker: Card {
    override func turned() -> Int { -1 }
}

final class Hand {
    var cards: [Card]
    init(_ count: Int) { cards = (0..<count).map { Card($0) } }
}

let isHealthy = CommandLine.arguments.contains("healthy")
nonisolated(unsafe) var kept: [AnyObject] = []
let keeping = NSLock()

func keep(_ object: AnyObject) { keeping.withLock { kept.append(object) } }

/// Ends what the caller made, or keeps it where the program is to be healthy.
@inline(never) func end<Object: AnyObject>(_ object: Object) -> Unmanaged<Object> {
    if isHealthy { keep(object) }
    return Unmanaged.passUnretained(object)
}

@inline(never) func card() -> Unmanaged<Card> { end(Card(41)) }
@inline(never) func someCard() -> Unmanaged<Card> { end(CommandLine.argc > 9 ? Joker(1) : Card(41)) }

@inline(never) func readNumber(_ card: Unmanaged<Card>) -> Int { card._withUnsafeGuaranteedRef { $0.number } }
@inline(never) func writeNumber(_ card: Unmanaged<Card>) { card._withUnsafeGuaranteedRef { $0.number = 7 } }
@inline(never) func callMethod(_ card: Unmanaged<Card>) -> Int { card._withUnsafeGuaranteedRef { $0.turned() } }

@inline(never) func read() -> String { "\(readNumber(card()))" }

@inline(never) func write() -> String {
    let stale = card()
    writeNumber(stale)
    return "\(readNumber(stale))"
}

/// Unrecorded the allocator has written over the class by then.
@inline(never) func method() -> String { "\(callMethod(someCard()))" }

@inline(never) func retains() -> String {
    let stale = card()
    for _ in 0..<100 {
        _ = stale.retain()
        stale.release()
    }
    return "\(readNumber(stale))"
}

/// One release too many, and then another hundred.
@inline(never) func releases() -> String {
    let stale = end(Hand(3))
    for _ in 0..<100 { stale.release() }
    return "released"
}

/// Nothing that the optimiser knows.
nonisolated(unsafe) var someMemory = UnsafeMutableRawPointer(bitPattern: 16)!

@inline(never) func freesTwice() -> String {
    someMemory = malloc(40)!
    free(someMemory)
    free(someMemory)
    return "freed"
}

@inline(never) func resizes() -> String {
    someMemory = malloc(40)!
    // Where neither free nor the optimiser writes.
    memset(someMemory, 12, Int(40 + CommandLine.argc - 2))
    free(someMemory)
    someMemory = realloc(someMemory, 80)!
    return "\(someMemory.load(fromByteOffset: 24, as: UInt8.self))"
}

@inline(never) func memory() -> String {
    someMemory = malloc(100)!
    someMemory.storeBytes(of: 12, toByteOffset: 64, as: Int.self)
    if !isHealthy { free(someMemory) }
    return "\(someMemory.load(fromByteOffset: 64, as: Int.self))"
}

/// Threads read the same object at the same moment.
@inline(never) func threads() -> String {
    nonisolated(unsafe) let stale = card()
    nonisolated(unsafe) var sums = [Int](repeating: 0, count: 8)
    let start = DispatchTime.now().uptimeNanoseconds + 20_000_000
    sums.withUnsafeMutableBufferPointer { sums in
        nonisolated(unsafe) let sums = sums
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            while DispatchTime.now().uptimeNanoseconds < start {}
            sums[index] = readNumber(stale)
        }
    }
    return "\(sums)"
}

@_silgen_name("fork") func forked() -> Int32

/// The child frees what it got and reads what was freed before.
@inline(never) func forks() -> String {
    nonisolated(unsafe) var hand: Hand? = Hand(40)
    let stale = card()
    fflush(stdout)
    let process = forked()
    if process == 0 {
        let number = readNumber(stale)
        hand = nil
        let other = Hand(200)
        print("child", number, other.cards[199].number)
        fflush(stdout)
        _exit(3)
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return "\(status) \(hand!.cards.count)"
}

struct Request { var path: String, parameters: [String: [Int]] }

@inline(never) func answer(_ request: Request, _ last: inout Unmanaged<Card>) -> Int {
    let hand = Hand(request.parameters.count + 5)
    let sum = hand.cards.reduce(0) { $0 + $1.number } + request.path.count
    last = Unmanaged.passUnretained(hand.cards[2])
    if isHealthy { keep(hand.cards[2]) }
    return sum
}

/// Requests by worker threads, each of which has a card that it reads once its hand is gone.
@inline(never) func serves() -> String {
    nonisolated(unsafe) var total = 0
    let lock = NSLock()
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
        var sum = 0
        var last = Unmanaged.passUnretained(Card(0))
        for number in 0..<400 {
            sum += answer(Request(path: "/card/\(number)", parameters: ["a": [number], "b": []]), &last)
        }
        // Its memory is not used again meanwhile.
        sum += readNumber(last)
        lock.withLock { total += sum }
    }
    return "\(total)"
}

let uses: [String: () -> String] = [
    "read": read, "write": write, "method": method, "retains": retains, "releases": releases,
    "free": freesTwice, "realloc": resizes, "memory": memory, "threads": threads, "fork": forks, "serve": serves,
]

@main enum GuardedUses {
    static func main() {
        guard CommandLine.arguments.count > 1, let use = uses[CommandLine.arguments[1]] else { return }
        print(use())
    }
}
