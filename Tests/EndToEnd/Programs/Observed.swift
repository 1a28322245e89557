// A program that goes on until a line comes, while it is sampled from outside.
import Foundation

nonisolated(unsafe) var isOver = false

@inline(never) func mix(_ value: UInt64) -> UInt64 {
    var value = value
    for step in 0..<20_000 { value = (value ^ UInt64(step)) &* 0x9e37_79b9_7f4a_7c15 &+ (value >> 7) }
    // A call, which gives the optimised function call frame information.
    if value == 42 { print(value) }
    return value
}

@inline(never) func computes() {
    var sum: UInt64 = 1
    while !isOver { sum = mix(sum) }
    if sum == 0 { print(sum) }
}

/// Deeper than a copy of a stack reaches.
@inline(never) func descends(_ depth: Int) -> UInt64 {
    if depth == 0 {
        computes()
        return 1
    }
    return descends(depth - 1) &* 3 &+ mix(UInt64(depth))
}

func inner() async -> UInt64 {
    var sum: UInt64 = 1
    while !isOver {
        for _ in 0..<50 { sum = mix(sum) }
        await Task.yield()
    }
    return sum
}

func middle() async -> UInt64 { await inner() &+ mix(1) }

func outer() async -> UInt64 { await middle() &+ mix(2) }

let lock = NSLock()
let semaphore = DispatchSemaphore(value: 0)

@inline(never) func waitsForLock() {
    lock.lock()
    lock.unlock()
    print("locked")
}

@inline(never) func waitsForSemaphore() {
    semaphore.wait()
    print("woken")
}

@inline(never) func sleepsOnAndOn() {
    while !isOver { usleep(20_000) }
    print("slept")
}

@inline(never) func readsFromPipe(_ end: Int32) {
    var byte: UInt8 = 0
    read(end, &byte, 1)
    print("read \(byte)")
}

final class Workers {
    private var threads: [(Thread, DispatchSemaphore)] = []

    func start(_ body: @escaping @Sendable () -> Void) {
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            ended.signal()
        }
        threads.append((thread, ended))
        thread.start()
    }

    func join() { for (_, ended) in threads { ended.wait() } }
}

/// Says that it waits for the line, and returns when it has come.
func waitForLine() {
    print("waiting")
    fflush(nil)
    _ = readLine()
    isOver = true
}

@main enum Observed {
    static func main() async {
        setvbuf(stdout, nil, _IOLBF, 0)
        let workers = Workers()
        switch CommandLine.arguments.dropFirst().first {
        case "async":
            let sum = Task.detached { await outer() }
            await Task.detached { waitForLine() }.value
            _ = await sum.value
        case "idle":
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            lock.lock()
            workers.start { waitsForLock() }
            workers.start { waitsForSemaphore() }
            workers.start { sleepsOnAndOn() }
            workers.start { [end = ends[0]] in readsFromPipe(end) }
            waitForLine()
            lock.unlock()
            semaphore.signal()
            write(ends[1], "x", 1)
        case "deep":
            workers.start { _ = descends(400) }
            waitForLine()
        default:
            workers.start { computes() }
            workers.start {
                // One that begins while the others are sampled.
                usleep(1_500_000)
                let late = Thread { computes() }
                late.start()
                computes()
            }
            waitForLine()
        }
        workers.join()
        print("done")
    }
}
