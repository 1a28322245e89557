// Threads that wait about 0.3 seconds each, every one for something else.
import Foundation

final class Shared: @unchecked Sendable {
    let lock = NSLock()
    let semaphore = DispatchSemaphore(value: 0)
    let condition = NSCondition()
    var isReady = false
    var pipe: [Int32] = [0, 0]
}

@inline(never) func waitForLock(_ shared: Shared) {
    shared.lock.lock()
    shared.lock.unlock()
}

@inline(never) func sleepAWhile() { Thread.sleep(forTimeInterval: 0.3) }

@inline(never) func waitForSemaphore(_ shared: Shared) { shared.semaphore.wait() }

@inline(never) func readPipe(_ shared: Shared) {
    var byte: UInt8 = 0
    read(shared.pipe[0], &byte, 1)
}

@inline(never) func waitForCondition(_ shared: Shared) {
    shared.condition.lock()
    while !shared.isReady { shared.condition.wait() }
    shared.condition.unlock()
}

@main struct Waits {
    static func main() {
        let shared = Shared()
        pipe(&shared.pipe)
        shared.lock.lock()
        let group = DispatchGroup()
        for body in [waitForLock, waitForSemaphore, readPipe, waitForCondition] as [@Sendable (Shared) -> Void] {
            group.enter()
            Thread.detachNewThread {
                body(shared)
                group.leave()
            }
        }
        sleepAWhile()
        shared.lock.unlock()
        shared.semaphore.signal()
        var byte: UInt8 = 7
        write(shared.pipe[1], &byte, 1)
        shared.condition.lock()
        shared.isReady = true
        shared.condition.broadcast()
        shared.condition.unlock()
        group.wait()
    }
}
