// A thread that computes while it holds a lock for which another waits: a mutex of Foundation's, or Swift's with priority inheritance.
import Foundation
import Synchronization

let lock = NSLock()
let mutex = Mutex(0)
nonisolated(unsafe) var sink: UInt64 = 1

@inline(never) func search() {
    for step in 0..<30_000_000 { sink = (sink ^ UInt64(step)) &* 0x9e37_79b9_7f4a_7c15 &+ (sink >> 7) }
    // A call, which gives the optimised function call frame information.
    if sink == 42 { print(sink) }
}

@inline(never) func collectUnderLock() {
    lock.lock()
    lock.unlock()
}

@inline(never) func collectUnderMutex() { mutex.withLock { $0 += 1 } }

let usesMutex = CommandLine.arguments.contains("mutex")
if CommandLine.arguments.contains("waits") {
    print("waiting")
    fflush(nil)
}
Thread.detachNewThread {
    while true {
        if usesMutex {
            mutex.withLock { _ in search() }
        } else {
            lock.lock()
            search()
            lock.unlock()
        }
        usleep(3_000)
    }
}
let end = Date().addingTimeInterval(CommandLine.arguments.contains("waits") ? 20 : 3)
while Date() < end {
    usesMutex ? collectUnderMutex() : collectUnderLock()
    usleep(8_000)
}
print("done")
exit(0)
