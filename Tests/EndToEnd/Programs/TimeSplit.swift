// Computes in known parts, in one or more threads, and prints the share of CPU time that each part had by the thread's
// own clock.
import Foundation

func clockNow() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

final class Node {
    let value: Int
    var next: Node?
    init(value: Int, next: Node?) {
        self.value = value
        self.next = next
    }
}

@inline(never) func seventy(_ count: Int) -> Int {
    var sum = 1
    for index in 0..<count { sum = sum &* 6_364_136_223_846_793_005 &+ index }
    return sum
}

@inline(never) func thirty(_ count: Int) -> Int {
    var sum = 1
    for index in 0..<count { sum = sum &* 2_862_933_555_777_941_757 &+ index }
    return sum
}

@inline(never) func applied(_ count: Int, _ body: (Int) -> Int) -> Int {
    var sum = 0
    for index in 0..<count { sum = sum &+ body(index &+ sum) }
    return sum
}

@inline(never) func hotClosure(_ count: Int, seed: Int) -> Int {
    applied(count) { index in
        var sum = seed
        for step in 0..<200 { sum = sum &* 6_364_136_223_846_793_005 &+ index &+ step }
        return sum
    }
}

@inline(never) func hotGeneric<Number: FixedWidthInteger>(_ count: Int, _ start: Number) -> Number {
    var sum = start
    for index in 0..<count { sum = sum &* 31 &+ Number(truncatingIfNeeded: index) }
    return sum
}

/// Reference counts are taken at each step: their time is this function's.
@inline(never) func element(_ list: Node?, _ index: Int) -> Node? {
    var node = list
    for _ in 0..<index { node = node?.next }
    return node
}

@inline(never) func quadraticSum(_ list: Node?, _ count: Int) -> Int {
    var sum = 0
    for index in 0..<count { sum &+= element(list, index)?.value ?? 0 }
    return sum
}

/// Goes deeper than a stack is kept, and computes there.
@inline(never) func descend(_ depth: Int, _ count: Int) -> Int {
    if depth > 0 {
        let sum = descend(depth - 1, count)
        return sum ^ (sum >> 7) &+ depth
    }
    var sum = count
    for index in 0..<count { sum = sum &* 3_202_034_522_624_059_733 &+ index }
    return sum
}

@inline(never) func shortDescent(_ count: Int) -> Int { descend(400, count) &+ 1 }

@inline(never) func longDescent(_ count: Int) -> Int { descend(2_000, count) &+ 2 }

final class Parts: @unchecked Sendable {
    private let lock = NSLock()
    private var spent: [String: UInt64] = [:]
    private var checksum = 0

    func measure(_ name: String, milliseconds: UInt64, _ body: () -> Int) {
        let start = clockNow()
        var sum = 0
        while clockNow() - start < milliseconds * 1_000_000 { sum = sum &+ body() }
        let time = clockNow() - start
        lock.lock()
        spent[name, default: 0] += time
        checksum = checksum &+ sum
        lock.unlock()
    }

    func report() {
        let total = Double(spent.values.reduce(0, +))
        for (name, time) in spent.sorted(by: { $0.key < $1.key }) { print(name, Double(time) / total) }
        print("checksum", checksum & 1 | 1)
    }
}

func work(_ parts: Parts, rounds: Int, scale: UInt64) {
    var list: Node?
    for value in 0..<400 { list = Node(value: value, next: list) }
    for round in 0..<rounds {
        parts.measure("seventy", milliseconds: 7 * scale) { seventy(200_000) }
        parts.measure("thirty", milliseconds: 3 * scale) { thirty(200_000) }
        parts.measure("hotClosure", milliseconds: 5 * scale) { hotClosure(1_000, seed: round) }
        parts.measure("hotGeneric", milliseconds: 4 * scale) { Int(hotGeneric(200_000, UInt32(round)) & 7) }
        parts.measure("quadraticSum", milliseconds: 6 * scale) { quadraticSum(list, 400) }
        parts.measure("shortDescent", milliseconds: 4 * scale) { shortDescent(200_000) }
        parts.measure("longDescent", milliseconds: 2 * scale) { longDescent(200_000) }
    }
}

@main struct TimeSplit {
    static func main() {
        let threads = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 1 : 1
        let parts = Parts()
        if threads == 1 {
            work(parts, rounds: 4, scale: 10)
        } else {
            let group = DispatchGroup()
            for _ in 0..<threads {
                group.enter()
                Thread.detachNewThread {
                    work(parts, rounds: 2, scale: 3)
                    group.leave()
                }
            }
            group.wait()
        }
        parts.report()
    }
}
