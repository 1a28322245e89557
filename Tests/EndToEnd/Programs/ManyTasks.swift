// Tasks that wait, each case in another way. Once they all do, prints "waiting" and waits for a line, or ends where a second argument
// is given: by a crash where it is "crash".
import Dispatch
import Foundation
import Synchronization

/// Tasks that are about to wait.
let arrived = Atomic<Int>(0)
func arrive() { arrived.add(1, ordering: .relaxed) }

final class Desk: @unchecked Sendable {
    let lock = NSLock()
    var waiting: [CheckedContinuation<Int, Never>] = []
    var raw: [UnsafeContinuation<Int, Never>] = []
    var onDone: (() -> Void)?
    func next() async -> Int {
        await withCheckedContinuation { next in
            lock.withLock { waiting.append(next) }
            arrive()
        }
    }
    func nextRaw() async -> Int {
        await withUnsafeContinuation { next in
            lock.withLock { raw.append(next) }
            arrive()
        }
    }
    func viaClosure() async -> Int {
        await withCheckedContinuation { next in
            lock.withLock { onDone = { next.resume(returning: 1) } }
            arrive()
        }
    }
}
actor Counter {
    var waiting: [Int: UnsafeContinuation<Int, Never>] = [:]
    func answer(_ seat: Int) async -> Int {
        await withUnsafeContinuation { next in
            waiting[seat] = next
            arrive()
        }
    }
    func block() { Thread.sleep(forTimeInterval: 1000) }
    func quick() -> Int { waiting.count }
}
@MainActor final class Screen {
    var drawn = 0
    func draw() { drawn += 1 }
}

@inline(never) func approve(_ n: Int) async -> Bool {
    await withUnsafeContinuation { (next: UnsafeContinuation<Bool, Never>) in arrive() }
}
@inline(never) func approveThrowing(_ n: Int) async throws -> Int {
    try await withUnsafeThrowingContinuation { (next: UnsafeContinuation<Int, any Error>) in arrive() }
}
nonisolated(unsafe) var single: CheckedContinuation<Int, Never>?
nonisolated(unsafe) var singleRaw: UnsafeContinuation<Int, Never>?

struct Holder { nonisolated(unsafe) static var tasks: [Any] = [] }

@inline(never) func child(_ desk: Desk, _ n: Int) async -> Int {
    let answer = await desk.next()
    return answer + n
}
@inline(never) func lets(_ desk: Desk) async -> Int {
    async let a = child(desk, 1)
    async let b = child(desk, 2)
    return await a + b
}
@inline(never) func group(_ desk: Desk) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for n in 0..<4 { group.addTask { await child(desk, n) } }
        var sum = 0
        for await next in group { sum += next }
        return sum
    }
}
@inline(never) func lostGroup() async -> Int {
    await withTaskGroup(of: Bool.self) { group in
        for n in 0..<40 { group.addTask { await approve(n) } }
        var sum = 0
        for await next in group where next { sum += 1 }
        return sum
    }
}
/// A task group that is not asked for the results of its children.
@inline(never) func keepChildren() async {
    await withTaskGroup(of: [Int].self) { group in
        for n in 0..<60 {
            group.addTask {
                arrive()
                return [n]
            }
        }
        try? await Task.sleep(for: .seconds(1000))
        await group.waitForAll()
    }
}
@inline(never) func consume(_ stream: AsyncStream<Int>) async {
    arrive()
    for await n in stream { print(n) }
}
@inline(never) func nap() async {
    arrive()
    try? await Task.sleep(for: .seconds(1000))
}
@inline(never) func spin() async {
    var x = 1
    while x != 0 { x = x &* 31 &+ 2 | 1 }
    print(x)
}
@inline(never) func isBlocked(_ s: DispatchSemaphore) { s.wait() }
@inline(never) func blocked(_ s: DispatchSemaphore) async { isBlocked(s) }

nonisolated(unsafe) let desk = Desk()
nonisolated(unsafe) let counter = Counter()
nonisolated(unsafe) var feeds: [AsyncStream<Int>.Continuation] = []

@inline(never) func start(_ name: String) {
    switch name {
    case "dropped": for n in 0..<300 { Task { _ = await approve(n) } }
    case "kept": for n in 0..<300 { Holder.tasks.append(Task { await approve(n) }) }
    case "throwing": for n in 0..<30 { Task { try await approveThrowing(n) } }
    case "held": for _ in 0..<50 { Task { _ = await desk.next() } }
    case "few": for _ in 0..<3 { Task { _ = await desk.nextRaw() } }
    case "large":
        for n in 0..<120_000 { Holder.tasks.append([n]) }
        for _ in 0..<3 { Task { _ = await desk.nextRaw() } }
    case "raw": for _ in 0..<50 { Task { _ = await desk.nextRaw() } }
    case "dictionary": for n in 0..<50 { Task { _ = await counter.answer(n % 20) } }
    case "closure": Task { _ = await desk.viaClosure() }
    case "variable":
        Task {
            _ = await withCheckedContinuation { next in
                single = next
                arrive()
            }
        }
        Task {
            _ = await withUnsafeContinuation { next in
                singleRaw = next
                arrive()
            }
        }
    case "group": Task { _ = await group(desk) }
    case "lostgroup": Task { _ = await lostGroup() }
    case "kept children": Task { await keepChildren() }
    case "lets": Task { _ = await lets(desk) }
    case "sleep": for _ in 0..<20 { Task { await nap() } }
    case "actor":
        Task { await counter.block() }
        usleep(200_000)
        for _ in 0..<10 { Task { _ = await counter.quick() } }
    case "stream":
        for _ in 0..<5 {
            let (stream, feed) = AsyncStream.makeStream(of: Int.self)
            feeds.append(feed)
            Task { await consume(stream) }
        }
    case "cancelled":
        for _ in 0..<20 { Task.detached { await desk.next() }.cancel() }
    case "busy": Task { await spin() }
    case "handler":
        for n in 0..<30 {
            Task {
                await withTaskCancellationHandler {
                    await approve(n)
                } onCancel: {
                }
            }
        }
    case "value":
        let first = Task { await desk.next() }
        for _ in 0..<6 {
            Task {
                arrive()
                await first.value
            }
        }
    case "starved":
        let s = DispatchSemaphore(value: 0)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<cores * 3 { Task.detached { await blocked(s) } }
    case "main": for _ in 0..<7 { Task { @MainActor in Screen().draw() } }
    case "named": for n in 0..<3 { Task(name: "loader \(n)\u{1b}[31m") { _ = await desk.next() } }
    case "none": print("no task")
    default: fatalError()
    }
}

/// How many tasks of a case are to wait.
let waiters = [
    "dropped": 300, "kept": 300, "throwing": 30, "held": 50, "few": 3, "raw": 50, "dictionary": 50, "closure": 1,
    "variable": 2, "group": 4, "lostgroup": 40, "lets": 2, "sleep": 20, "stream": 5, "cancelled": 20, "handler": 30,
    "value": 7, "named": 3, "large": 3, "kept children": 60,
]

@main enum Program {
    static func main() {
        setvbuf(stdout, nil, _IONBF, 0)
        let name = CommandLine.arguments[1]
        start(name)
        for _ in 0..<3000 where arrived.load(ordering: .relaxed) < waiters[name] ?? 0 { usleep(10_000) }
        // Between its arrival and its wait a task still has a few steps to make.
        usleep(400_000)
        if CommandLine.arguments.last == "crash" { fatalError("on purpose") }
        if CommandLine.arguments.count > 2 { exit(0) }
        print("waiting")
        _ = readLine()
    }
}
