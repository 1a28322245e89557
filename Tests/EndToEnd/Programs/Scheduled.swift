// What Dispatch and Foundation hold on to: work items, sources, tokens, timers, operations.
import Dispatch
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

final class ItemOwner: Owner {
    var item: DispatchWorkItem?
    @inline(never) func setUp() { item = DispatchWorkItem { self.number += 1 } }
}
final class SourceOwner: Owner {
    var timer: DispatchSourceTimer?
    @inline(never) func setUp() {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + 3_600)
        timer.setEventHandler { self.number += 1 }
        self.timer = timer
    }
}
final class TokenOwner: Owner {
    var token: (any NSObjectProtocol)?
    @inline(never) func setUp() {
        token = NotificationCenter.default.addObserver(forName: Notification.Name("moved"), object: nil, queue: nil) {
            [self] _ in number += 1
        }
    }
}
final class CenterOwner: Owner {
    let center = NotificationCenter()
    var token: (any NSObjectProtocol)?
    @inline(never) func setUp() {
        token = center.addObserver(forName: Notification.Name("moved"), object: nil, queue: nil) { [self] _ in
            number += 1
        }
    }
}
final class TimerOwner: Owner {
    var timer: Timer?
    @inline(never) func setUp() {
        timer = Timer(timeInterval: 3_600, repeats: true) { [self] _ in number += 1 }
    }
}
final class OperationOwner: Owner, @unchecked Sendable {
    var operation: Operation?
    @inline(never) func setUp() {
        let operation = BlockOperation { self.number += 1 }
        operation.completionBlock = { self.number += 1 }
        self.operation = operation
    }
}
final class SelfCompleting: Operation, @unchecked Sendable {
    var part = Part()
    @inline(never) func setUp() { completionBlock = { self.part.number += 1 } }
    override func main() { part.number += 1 }
}
final class CacheOwner: NSObject {
    var number = 1
    let cache = NSCache<NSString, CachePart>()
}
final class CachePart: NSObject {
    var number = 2
    var owner: CacheOwner?
}
final class MutableArrayOwner: NSObject {
    var number = 3
    let items = NSMutableArray()
}
final class ThreadOwner: Owner {
    var thread: Thread?
    @inline(never) func setUp() { thread = Thread { self.number += 1 } }
}

@inline(never) func workItem() {
    let o = ItemOwner()
    o.setUp()
    o.item?.perform()
}
@inline(never) func suspendedTimer() {
    let o = SourceOwner()
    o.setUp()
    touch(o)
}
@inline(never) func resumedTimer() {
    let o = SourceOwner()
    o.setUp()
    o.timer?.resume()
}
@inline(never) func tokenInDefaultCenter() {
    let o = TokenOwner()
    o.setUp()
    touch(o)
}
@inline(never) func tokenInOwnCenter() {
    let o = CenterOwner()
    o.setUp()
    touch(o)
}
@inline(never) func unscheduledTimer() {
    let o = TimerOwner()
    o.setUp()
    touch(o)
}
@inline(never) func scheduledTimer() {
    let o = TimerOwner()
    o.setUp()
    RunLoop.main.add(o.timer!, forMode: .default)
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
}
@inline(never) func operation() {
    let o = OperationOwner()
    o.setUp()
    touch(o)
}
@inline(never) func completionBlock() {
    let o = SelfCompleting()
    o.setUp()
    touch(o)
}
@inline(never) func mutableArray() {
    let o = MutableArrayOwner()
    o.items.add(o)
    touch(o)
}
@inline(never) func thread() {
    let o = ThreadOwner()
    o.setUp()
    touch(o)
}

// What follows loses nothing.

@inline(never) func pendingWork() {
    for number in 0..<8 {
        let part = Part()
        part.number = number
        DispatchQueue.global().asyncAfter(deadline: .now() + 3_600) { touch(part) }
    }
}
let slowQueue = DispatchQueue(label: "slow")
@inline(never) func queuedWork() {
    slowQueue.async { sleep(3_600) }
    for number in 0..<8 {
        let part = Part()
        part.number = number
        slowQueue.async { touch(part) }
    }
    usleep(20_000)
}
@inline(never) func barrierWork() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let group = DispatchGroup()
    for number in 0..<50 { queue.async(group: group) { touch(Part().number + number) } }
    queue.async(group: group, flags: .barrier) { touch(Part()) }
    group.wait()
}
nonisolated(unsafe) var globalTimer: DispatchSourceTimer?
@inline(never) func livingTimer() {
    let part = Part()
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now(), repeating: .milliseconds(5))
    timer.setEventHandler { part.number += 1 }
    timer.resume()
    globalTimer = timer
    usleep(30_000)
}
@inline(never) func operationQueue() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    for number in 0..<20 { queue.addOperation { touch(Part().number + number) } }
    queue.waitUntilAllOperationsAreFinished()
}
let blockedQueue = OperationQueue()
@inline(never) func blockedOperations() {
    blockedQueue.maxConcurrentOperationCount = 1
    blockedQueue.addOperation { sleep(3_600) }
    for _ in 0..<5 {
        let part = Part()
        blockedQueue.addOperation { touch(part) }
    }
    usleep(20_000)
}
@inline(never) func concurrentPerform() {
    DispatchQueue.concurrentPerform(iterations: 64) { number in touch((0..<number).map { _ in Part() }) }
}
let queueKey = DispatchSpecificKey<Part>()
let specificQueue = DispatchQueue(label: "specific")
@inline(never) func queueSpecific() { specificQueue.setSpecific(key: queueKey, value: Part()) }
@inline(never) func notifyGroup() {
    let group = DispatchGroup()
    group.enter()
    let part = Part()
    group.notify(queue: .global()) { touch(part) }
    retainedGroup = group
}
nonisolated(unsafe) var retainedGroup: DispatchGroup?
@inline(never) func dispatchData() {
    var data = DispatchData.empty
    for _ in 0..<10 { data.append([UInt8](repeating: 1, count: 1_000).withUnsafeBytes { DispatchData(bytes: $0) }) }
    touch(data.count)
}

let cases: Cases = [
    "work-item": workItem, "suspended-timer": suspendedTimer, "resumed-timer": resumedTimer,
    "token-in-default-center": tokenInDefaultCenter, "token-in-own-center": tokenInOwnCenter,
    "unscheduled-timer": unscheduledTimer, "scheduled-timer": scheduledTimer, "operation": operation,
    "completion-block": completionBlock, "mutable-array": mutableArray, "thread": thread,
    "pending-work": pendingWork, "queued-work": queuedWork, "barrier": barrierWork, "living-timer": livingTimer,
    "operation-queue": operationQueue, "blocked-operations": blockedOperations,
    "concurrent-perform": concurrentPerform, "queue-specific": queueSpecific, "notify-group": notifyGroup,
    "dispatch-data": dispatchData,
]
