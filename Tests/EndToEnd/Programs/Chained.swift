// Tasks of which each waits for the next one. Prints "waiting" and waits for a line, or ends where an argument is given.
import Dispatch
import Foundation

actor Store {
    let never = DispatchSemaphore(value: 0)
    func write() {
        arrived.signal()
        never.wait()
    }
    func read() -> Int { 1 }
}
final class Desk: @unchecked Sendable {
    // The object is not a static one.
    let lock = NSLock()
    var next: UnsafeContinuation<Int, Never>?
    @inline(never) func wait() async -> Int { await withUnsafeContinuation { next = $0 } }
}
final class Cargo: Sendable {
    let weight = 1
}

/// Each task signals that it has begun.
let arrived = DispatchSemaphore(value: 0)
let store = Store()
let desk = Desk()

@inline(never) func readStore() async -> Int { await store.read() }
@inline(never) func never() async -> Int {
    await withUnsafeContinuation { (_: UnsafeContinuation<Int, Never>) in }
}
@inline(never) func waitForChild() async -> Int {
    await withTaskGroup(of: Int.self) { group in
        group.addTask(name: "child") { await readStore() }
        return await group.next() ?? 0
    }
}
@inline(never) func waitForLost() async -> Int {
    await withTaskGroup(of: Int.self) { group in
        group.addTask(name: "lost child") { await never() }
        return await group.next() ?? 0
    }
}
@inline(never) func carry(_ cargo: Cargo) async -> Int { await desk.wait() + cargo.weight }

@inline(never) func begun(_ body: () async -> Int) async -> Int {
    arrived.signal()
    return await body()
}

@inline(never) func start() {
    Task(name: "writer") { await store.write() }
    arrived.wait()
    usleep(300_000)
    Task(name: "parent") { await begun { await waitForChild() } }
    let lost = Task(name: "lost") { await begun { await waitForLost() } }
    Task(name: "outer") { await begun { await lost.value } }
    Task(name: "held") { await begun { await carry(Cargo()) } }
    Task(name: "evil\u{1B}[31m\n") { try? await Task.sleep(for: .seconds(1000)) }
    for _ in 0..<4 { arrived.wait() }
    usleep(700_000)
}

@main enum Program {
    static func main() {
        setvbuf(stdout, nil, _IONBF, 0)
        start()
        if CommandLine.arguments.count > 1 { exit(0) }
        print("waiting")
        _ = readLine()
    }
}
