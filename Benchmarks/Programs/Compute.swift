// Computes a fixed amount of work in so many threads, in functions of several depths, and prints the seconds it took.
//     Compute THREADS MILLIONS
import Foundation

@inline(never) func mix(_ start: UInt64, _ count: Int) -> UInt64 {
    var word = start
    for step in 0..<count { word = (word ^ (word >> 27)) &* 0x3c79_ac49_2ba7_b653 &+ UInt64(step) }
    return word
}

@inline(never) func descend(_ word: UInt64, _ depth: Int) -> UInt64 {
    depth == 0 ? mix(word, 500) : descend(word &+ 1, depth - 1) ^ UInt64(depth)
}

final class Total: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var value: UInt64 = 0

    func add(_ part: UInt64) {
        lock.lock()
        value ^= part
        lock.unlock()
    }
}

let threads = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 1 : 1
let rounds = (CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 100 : 100) * 2000
let total = Total()
let group = DispatchGroup()
let start = DispatchTime.now().uptimeNanoseconds
for thread in 0..<threads {
    group.enter()
    Thread.detachNewThread {
        var word = UInt64(thread)
        for round in 0..<rounds { word = descend(word, round % 24) }
        total.add(word)
        group.leave()
    }
}
group.wait()
print("seconds", Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, "checksum", total.value)
