// Lost groups in which a task waits, and the same with the changes made that end them.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

final class Ledger: @unchecked Sendable {
    var desk: Desk?
}
final class WeakLedger: @unchecked Sendable {
    weak var desk: Desk?
}
final class Desk: @unchecked Sendable {
    var ledger: AnyObject?
    var worker: Task<Void, Never>?
    var feed: AsyncStream<Int>.Continuation?
    var seen = 0

    @inline(never) func keep(_ ledger: AnyObject) {
        self.ledger = ledger
        (ledger as? Ledger)?.desk = self
        (ledger as? WeakLedger)?.desk = self
    }
    @inline(never) func open() {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        self.feed = feed
        worker = Task { for await number in stream { self.seen += number } }
        feed.yield(1)
    }
    @inline(never) func openWeakly() {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        self.feed = feed
        worker = Task { [weak self] in for await number in stream { self?.seen += number } }
        feed.yield(1)
    }
}
/// A desk with its ledger; its worker waits for what the feed brings.
@inline(never) func work(_ ledger: AnyObject, _ open: (Desk) -> Void, then end: (Desk) -> Void) {
    let desk = Desk()
    desk.keep(ledger)
    open(desk)
    while desk.seen == 0 { usleep(1_000) }
    usleep(10_000)
    end(desk)
}
@inline(never) func stream() { work(Ledger(), { $0.open() }, then: { _ in }) }
@inline(never) func streamFinished() { work(WeakLedger(), { $0.open() }, then: { $0.feed?.finish() }) }
@inline(never) func streamCancelled() { work(WeakLedger(), { $0.open() }, then: { $0.worker?.cancel() }) }
@inline(never) func streamWeakly() { work(WeakLedger(), { $0.openWeakly() }, then: { _ in }) }

final class Inbox: @unchecked Sendable {
    let lock = NSLock()
    var waiting: CheckedContinuation<Int?, Never>?
    var closer: Task<Void, Never>?
    var pump: Task<Void, Never>?
    var seen = 0

    func next() async -> Int? { await withCheckedContinuation { next in lock.withLock { waiting = next } } }
    /// One task waits for the other.
    @inline(never) func start() {
        let pump = Task { while let number = await self.next() { self.seen += number } }
        self.pump = pump
        closer = Task {
            await pump.value
            self.seen += 1
        }
    }
    var isWaiting: Bool { lock.withLock { waiting != nil } }
}
@inline(never) func inbox(isResumed: Bool) {
    let inbox = Inbox()
    inbox.start()
    while !inbox.isWaiting { usleep(1_000) }
    usleep(10_000)
    if isResumed { inbox.waiting?.resume(returning: nil) }
}
@inline(never) func continuation() { inbox(isResumed: false) }
@inline(never) func continuationResumed() { inbox(isResumed: true) }

/// Lets the threads of the pool do something else, so that nothing of the case is left on their stacks.
@inline(never) func clean(_ depth: Int) -> Int {
    depth == 0 ? 0 : (0..<4).map { String($0 &* depth) }.joined().count + clean(depth - 1)
}
func cleanly(_ body: @escaping () -> Void) -> () -> Void {
    {
        body()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            for round in 0..<20 {
                await withTaskGroup(of: Int.self) { group in
                    for number in 0..<16 {
                        group.addTask {
                            try? await Task.sleep(for: .microseconds(300))
                            return clean(20 + number + round)
                        }
                    }
                    touch(await group.reduce(0, +))
                }
            }
            done.signal()
        }
        done.wait()
    }
}

let cases: Cases = [
    "stream": cleanly(stream), "stream-finished": cleanly(streamFinished), "stream-cancelled": cleanly(streamCancelled),
    "stream-weakly": cleanly(streamWeakly), "continuation": cleanly(continuation),
    "continuation-resumed": cleanly(continuationResumed),
]
