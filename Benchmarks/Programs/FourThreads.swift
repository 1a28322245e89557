// Four threads that compute, each below a few calls, for some seconds; then how much was done for a second of CPU time.
import Foundation

@inline(never) func work(_ value: UInt64) -> UInt64 {
    var value = value
    for step in 0..<2_000 { value = (value ^ UInt64(step)) &* 0x9e37_79b9_7f4a_7c15 &+ (value >> 7) }
    if value == 42 { print(value) }
    return value
}

@inline(never) func below(_ depth: Int, _ value: UInt64) -> UInt64 {
    depth == 0 ? work(value) : below(depth - 1, value) ^ UInt64(depth)
}

let seconds = Double(CommandLine.arguments.dropFirst().first ?? "10") ?? 10
let end = Date().addingTimeInterval(seconds)
let counts = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
let ended = DispatchSemaphore(value: 0)
for thread in 0..<4 {
    Thread {
        var (count, sum): (UInt64, UInt64) = (0, 1)
        while Date() < end {
            for _ in 0..<100 { sum = below(12, sum) }
            count += 100
        }
        counts[thread] = sum == 0 ? 0 : count
        ended.signal()
    }.start()
}
print("ready")
fflush(nil)
for _ in 0..<4 { ended.wait() }
let used = clock()
let done = (0..<4).reduce(0) { $0 + counts[$1] }
print(Double(done) / (Double(used) / Double(CLOCKS_PER_SEC)), Double(done) / seconds)
