// Actors, tasks, continuations and streams: lost ones and living ones.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

/// Runs asynchronous work to its end and blocks the calling thread until then.
@inline(never)
func wait(_ work: @escaping @Sendable () async -> Void) {
    let finished = DispatchSemaphore(value: 0)
    Task.detached {
        await work()
        finished.signal()
    }
    finished.wait()
}

actor Counter {
    var number = 1
    var partner: Counter?
    var part: ActorPart?
    func add() { number += 1 }
    func join(_ other: Counter) { partner = other }
    func keep(_ part: ActorPart) { self.part = part }
}
final class ActorPart: @unchecked Sendable {
    var number = 2
    var actor: Counter?
}

final class Listener: @unchecked Sendable {
    var number = 3
    var task: Task<Void, Never>?
    var continuation: CheckedContinuation<Void, Never>?
    var stream: AsyncStream<Int>?
    var feed: AsyncStream<Int>.Continuation?
    func hear() { number += 1 }

    /// Holds itself until the task ends, which it never does.
    @inline(never) func listenForEver() {
        task = Task {
            while !Task.isCancelled {
                self.hear()
                try? await Task.sleep(for: .seconds(3_600))
            }
        }
    }

    @inline(never) func listenBriefly() {
        task = Task { self.hear() }
    }

    @inline(never) func waitForNobody() {
        task = Task {
            await withCheckedContinuation { self.continuation = $0 }
            self.hear()
        }
    }

    @inline(never) func openStream() {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        self.stream = stream
        self.feed = feed
        feed.onTermination = { _ in self.hear() }
    }

    @inline(never) func consumeStream() {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        self.feed = feed
        task = Task {
            for await number in stream { self.number += number }
            self.hear()
        }
        feed.yield(4)
    }
}

@MainActor final class Screen {
    var number = 5
    var handler: (@MainActor () -> Void)?
    func setUp() { handler = { self.number += 1 } }
}

@inline(never) func actorCycle() {
    wait {
        let a = Counter()
        let b = Counter()
        await a.join(b)
        await b.join(a)
        await a.add()
    }
}
@inline(never) func actorAndClass() {
    wait {
        let a = Counter()
        let part = ActorPart()
        part.actor = a
        await a.keep(part)
        await a.add()
    }
}
@inline(never) func mainActor() {
    MainActor.assumeIsolated {
        let screen = Screen()
        screen.setUp()
        screen.handler?()
    }
}
/// Keeps who waits for it, and is never ready.
actor Desk {
    var waiting: [CheckedContinuation<Int, Never>] = []
    func serve() async -> Int { await withCheckedContinuation { waiting.append($0) } }
}
@inline(never) func keptContinuation() {
    wait {
        let desk = Desk()
        Task { touch(await desk.serve()) }
        while await desk.waiting.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
    }
    waitForRest()
}
@inline(never) func taskForNobody() {
    Task.detached {
        let part = Part()
        touch(
            await withUnsafeContinuation { (_: UnsafeContinuation<Int, Never>) in
                touch(part)
                nobodyIsAsked = true
            })
        touch(part)
    }
    waitForRest { nobodyIsAsked }
}
nonisolated(unsafe) var nobodyIsAsked = false
@inline(never) func finishedTask() {
    let listener = Listener()
    listener.listenBriefly()
    let task = listener.task!
    wait { await task.value }
}
@inline(never) func taskForEver() {
    let listener = Listener()
    listener.listenForEver()
    usleep(20_000)
}
@inline(never) func lostContinuation() {
    let listener = Listener()
    listener.waitForNobody()
    waitForRest { listener.continuation != nil }
}
@inline(never) func streamCycle() {
    let listener = Listener()
    listener.openStream()
    listener.feed?.yield(1)
}
@inline(never) func lostConsumer() {
    let listener = Listener()
    listener.consumeStream()
    waitForRest { listener.number == 7 }
}

// What follows loses nothing.

@inline(never) func sleepingTask() {
    for number in 0..<4 {
        Task.detached {
            let part = Part()
            part.number = number
            let text = "asleep with number \(number) and a long tail of words"
            try? await Task.sleep(for: .seconds(3_600))
            touch(part)
            touch(text)
        }
    }
    usleep(50_000)
}
actor Gate {
    var waiting: [CheckedContinuation<Part, Never>] = []
    func pass() async -> Part { await withCheckedContinuation { waiting.append($0) } }
    func open() { while let next = waiting.popLast() { next.resume(returning: Part()) } }
}
let gate = Gate()
@inline(never) func waitingAtActor() {
    for number in 0..<4 {
        Task.detached {
            let mine = Part()
            mine.number = number
            let other = await gate.pass()
            touch((mine, other))
        }
    }
    usleep(50_000)
}
nonisolated(unsafe) var globalFeed: AsyncStream<Part>.Continuation?
@inline(never) func streamConsumer() {
    let (stream, feed) = AsyncStream.makeStream(of: Part.self)
    globalFeed = feed
    Task.detached {
        let mine = Part()
        for await part in stream { mine.number += part.number }
        touch(mine)
    }
    for _ in 0..<3 { feed.yield(Part()) }
    usleep(50_000)
}
@inline(never) func taskGroup() {
    Task.detached {
        await withTaskGroup(of: Part.self) { group in
            for number in 0..<6 {
                group.addTask {
                    let part = Part()
                    try? await Task.sleep(for: .milliseconds(number < 3 ? 1 : 3_600_000))
                    return part
                }
            }
            var parts: [Part] = []
            for await part in group { parts.append(part) }
            touch(parts)
        }
    }
    usleep(50_000)
}
@inline(never) func asyncLet() {
    Task.detached {
        async let one = slowPart(1)
        async let two = slowPart(3_600_000)
        let parts = await (one, two)
        touch(parts)
    }
    usleep(50_000)
}
@inline(never) func slowPart(_ milliseconds: Int) async -> Part {
    let part = Part()
    try? await Task.sleep(for: .milliseconds(milliseconds))
    return part
}
@TaskLocal var localPart: Box?
final class Box: Sendable {
    let number = 9
    let text = String(repeating: "task local ", count: 4)
}
@inline(never) func taskLocal() {
    Task.detached {
        await $localPart.withValue(Box()) {
            try? await Task.sleep(for: .seconds(3_600))
            touch(localPart)
        }
    }
    usleep(50_000)
}
@inline(never) func manyShortTasks() {
    wait {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let part = Part()
                    await Task.yield()
                    return part.number + number
                }
            }
            var sum = 0
            for await number in group { sum += number }
            touch(sum)
        }
    }
}
@inline(never) func cancelledTask() {
    let listener = Listener()
    listener.listenForEver()
    usleep(20_000)
    listener.task?.cancel()
    listener.task = nil
    usleep(50_000)
}
@inline(never) func deepRecursion() {
    Task.detached { touch(await descend(40)) }
    usleep(50_000)
}
@inline(never) func descend(_ depth: Int) async -> Int {
    let part = Part()
    if depth == 0 {
        try? await Task.sleep(for: .seconds(3_600))
        return part.number
    }
    return await descend(depth - 1) + part.number
}

let cases: Cases = [
    "actor-cycle": actorCycle, "actor-and-class": actorAndClass, "main-actor": mainActor,
    "finished-task": finishedTask, "task-for-ever": taskForEver, "lost-continuation": lostContinuation,
    "kept-continuation": keptContinuation, "task-for-nobody": taskForNobody,
    "stream-cycle": streamCycle, "lost-consumer": lostConsumer,
    "sleeping": sleepingTask, "waiting-at-actor": waitingAtActor, "stream-consumer": streamConsumer,
    "task-group": taskGroup, "async-let": asyncLet, "task-local": taskLocal, "short-tasks": manyShortTasks,
    "cancelled": cancelledTask, "deep-recursion": deepRecursion,
]
