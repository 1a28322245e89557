// Programs whose resident memory has one cause each: Footprints SHAPE [wait]. With "wait" they first wait for a line.
import Foundation

final class Keepsake {
    var values = (1, 2, 3, 4, 5, 6)
}

final class Spark {
    var values = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
}

final class Level {
    var kept: [Keepsake] = []

    @inline(never) func burst() {
        var sparks: [Spark] = []
        for number in 0..<300_000 {
            sparks.append(Spark())
            if number % 30 == 0 { kept.append(Keepsake()) }
        }
    }
}

final class Worker: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    var receipts: [Keepsake] = []

    @inline(never) func transfer() {
        var parts: [[UInt8]] = []
        for number in 0..<6_000 {
            parts.append([UInt8](repeating: 7, count: 2_048 + number % 5 * 1_000))
            if number % 100 == 99 { receipts.append(Keepsake()) }
        }
        precondition(parts.count == 6_000)
    }
}

final class Tables {
    var numbers: [Int] = []
    var byNumber: [Int: Int] = [:]
    var full: [Int] = []

    @inline(never) func fill() {
        numbers.reserveCapacity(1 << 21)
        for number in 0..<1 << 21 { numbers.append(number) }
        byNumber.reserveCapacity(700_000)
        for number in 0..<700_000 { byNumber[number] = number }
        full = [Int](repeating: 1, count: 100_000)
        numbers.removeAll(keepingCapacity: true)
        byNumber.removeAll(keepingCapacity: true)
    }
}

@inline(never) func touchStack(_ depth: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 900, alignment: 8) { bytes in
        bytes.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: depth))
        let below = depth == 0 ? 3 : touchStack(depth - 1)
        return below ^ Int(bytes[below & 511])
    }
}

nonisolated(unsafe) var reserved: [[UInt8]] = []

@inline(never) func reserve(_ length: Int) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    for byte in 0..<500_000 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    reserved.append(bytes)
}

@inline(never) func mapAnonymous(_ length: Int) -> UnsafeMutableRawPointer {
    let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    memset(memory, 1, length)
    return memory
}

func sum(_ memory: UnsafeRawPointer, _ length: Int) -> Int {
    stride(from: 0, to: length, by: 4096).reduce(0) { $0 &+ Int(memory.load(fromByteOffset: $1, as: UInt8.self)) }
}

func printResident() {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("Rss:") { print(line.filter(\.isNumber)) }
}

let level = Level()
let tables = Tables()
var workers: [Worker] = []
switch CommandLine.arguments.dropFirst().first ?? "plain" {
case "slack":
    workers = (0..<3).map { _ in Worker() }
    for worker in workers {
        Thread.detachNewThread {
            for _ in 0..<3 { worker.transfer() }
            worker.done.signal()
            while true { sleep(100) }
        }
    }
    for worker in workers { worker.done.wait() }
case "capacity":
    tables.fill()
case "checkerboard":
    level.burst()
case "stacks":
    let ready = DispatchSemaphore(value: 0)
    for _ in 0..<60 {
        let thread = Thread {
            _ = touchStack(900)
            ready.signal()
            while true { sleep(100) }
        }
        thread.stackSize = 4 << 20
        thread.start()
    }
    for _ in 0..<60 { ready.wait() }
case "file":
    let file = open(CommandLine.arguments[2], O_RDONLY)
    let length = Int(lseek(file, 0, SEEK_END))
    print(sum(mmap(nil, length, PROT_READ, MAP_PRIVATE, file, 0), length) > 0 ? "" : "empty")
case "reserved":
    for _ in 0..<4 { reserve(64 << 20) }
case "anonymous":
    print(sum(mapAnonymous(64 << 20), 64 << 20) > 0 ? "" : "empty")
default:
    level.kept.append(Keepsake())
}
usleep(50_000)
if CommandLine.arguments.last == "wait" {
    print("waiting")
    fflush(stdout)
    _ = readLine()
}
printResident()
exit(level.kept.count + workers.count < 0 ? 1 : 0)
