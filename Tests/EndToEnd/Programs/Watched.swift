// A program that computes, grows and has waiting tasks until a line comes, while it is watched from outside.
import Foundation

final class Order {
    var items = [Int](repeating: 0, count: 50)
}

final class Ledger {
    var orders: [Order] = []
}

actor Desk {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    func wait() async { await withCheckedContinuation { waiting.append($0) } }
}

@inline(never) func mix(_ value: UInt64) -> UInt64 {
    var value = value
    for step in 0..<20_000 { value = (value ^ UInt64(step)) &* 0x9e37_79b9_7f4a_7c15 &+ (value >> 7) }
    // A call, which gives the optimised function call frame information.
    if value == 42 { print(value) }
    return value
}

@main struct Watched {
    static let ledger = Ledger()

    static func main() {
        let desk = Desk()
        for _ in 0..<12 { Task.detached { await desk.wait() } }
        Thread.detachNewThread {
            var sum: UInt64 = 1
            while true { sum = mix(sum) }
        }
        Thread.detachNewThread {
            while true {
                ledger.orders.append(Order())
                usleep(1_000)
            }
        }
        usleep(300_000)
        print("waiting")
        fflush(nil)
        _ = readLine()
        print("done")
        exit(0)
    }
}
