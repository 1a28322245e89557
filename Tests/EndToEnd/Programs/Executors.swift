// Executors whose jobs lie where somebody will run them some day: in busy and suspended queues, in memory of C, in a run loop, in
// an object that a weak reference names. Three tasks wait for each. Prints "waiting" and waits for a line.
import Dispatch
import Foundation

class Counting: @unchecked Sendable {
    let lock = NSLock()
    var count = 0
    func note() { lock.withLock { count += 1 } }
}
final class QueueExecutor: Counting, SerialExecutor, @unchecked Sendable {
    let queue: DispatchQueue
    init(_ queue: DispatchQueue) { self.queue = queue }
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
        note()
    }
}
struct Node {
    var next: UnsafeMutablePointer<Node>?
    var job: UnownedJob
}
nonisolated(unsafe) var head: UnsafeMutablePointer<Node>?
final class ListExecutor: Counting, SerialExecutor, @unchecked Sendable {
    func enqueue(_ job: consuming ExecutorJob) {
        let (job, node) = (UnownedJob(job), UnsafeMutablePointer<Node>.allocate(capacity: 1))
        lock.withLock {
            node.initialize(to: Node(next: head, job: job))
            head = node
        }
        note()
    }
}
final class OperationExecutor: Counting, SerialExecutor, @unchecked Sendable {
    let queue = OperationQueue()
    override init() { queue.maxConcurrentOperationCount = 1 }
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
        note()
    }
}
final class LoopExecutor: Counting, SerialExecutor, @unchecked Sendable {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        RunLoop.main.perform { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
        note()
    }
}
final class ArrayExecutor: Counting, SerialExecutor, @unchecked Sendable {
    var jobs: [UnownedJob] = []
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
        note()
    }
}
final class WeakOwner: @unchecked Sendable { weak var executor: ArrayExecutor? }

actor Counter {
    let executor: any SerialExecutor
    var count = 0
    init(_ executor: any SerialExecutor) { self.executor = executor }
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func add() { count += 1 }
}

let (gate, suspended, owner) = (DispatchSemaphore(value: 0), DispatchQueue(label: "suspended"), WeakOwner())

@inline(never) func wait(for executor: some SerialExecutor & Counting) {
    let counter = Counter(executor)
    for _ in 0..<3 { Task.detached { await counter.add() } }
    while executor.lock.withLock({ executor.count < 3 }) { usleep(1_000) }
}
@inline(never) func start() {
    let (busy, operations) = (DispatchQueue(label: "busy"), OperationExecutor())
    busy.async { gate.wait() }
    operations.queue.addOperation { gate.wait() }
    suspended.suspend()
    usleep(50_000)
    wait(for: QueueExecutor(busy))
    wait(for: QueueExecutor(suspended))
    wait(for: ListExecutor())
    wait(for: operations)
    wait(for: LoopExecutor())
    let named = ArrayExecutor()
    owner.executor = named
    wait(for: named)
}

start()
usleep(200_000)
if CommandLine.arguments.count == 1 {
    setvbuf(stdout, nil, _IONBF, 0)
    print("waiting")
    _ = readLine()
}
exit(0)
