import Foundation

// Threads that allocate, compute and read a file until a line comes. What was made before they began goes away bit by bit.

final class Veteran {
    var medals = [Int](repeating: 1, count: 4)
}

final class Card {
    let pips = [Int](repeating: 7, count: 16)
}

nonisolated(unsafe) var veterans = (0..<20_000).map { _ in Veteran() }
nonisolated(unsafe) var hand: [Card] = []
nonisolated(unsafe) var sum = 0
nonisolated(unsafe) var isOver = false
let lock = NSLock()

@inline(never) func deal() {
    lock.withLock {
        hand.append(Card())
        if hand.count > 500 { hand.removeFirst(100) }
        if veterans.count > 100 { veterans.removeLast() }
    }
}

@inline(never) func mix(_ seed: Int) -> Int {
    var value = seed
    for step in 0..<20_000 { value = (value ^ step) &* 31 &+ (value >> 7) }
    // A call, which gives the optimised function call frame information.
    if value == 42 { print(value) }
    return value
}

@inline(never) func look() -> Int {
    let file = open("/proc/self/stat", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    return read(file, &bytes, bytes.count)
}

@main enum Main {
    static func main() {
        sum = veterans.count
        for number in 0..<3 {
            Thread.detachNewThread {
                var turn = number
                while !isOver {
                    deal()
                    let found = mix(turn) &+ look()
                    lock.withLock { sum &+= found }
                    turn += 1
                    if turn % 20 == 0 { usleep(1_000) }
                }
            }
        }
        print("waiting")
        fflush(nil)
        _ = readLine()
        isOver = true
        print("done")
    }
}
