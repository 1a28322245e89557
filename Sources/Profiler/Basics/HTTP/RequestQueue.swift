import Foundation
import Synchronization

/// Complete requests on their way to the threads that answer them, in the order in which they came.
final class RequestQueue: Sendable {
    struct Entry: Sendable {
        var connection: HTTPConnection
        var request: HTTPRequest
    }

    private static let most = 32

    private let waiting = Mutex<[Entry]>([])
    /// Counts what waits, and the end.
    private let changes = DispatchSemaphore(value: 0)

    /// False: too many wait.
    func add(_ entry: Entry) -> Bool {
        let isAdded = waiting.withLock { waiting in
            guard waiting.count < Self.most else { return false }
            waiting.append(entry)
            return true
        }
        if isAdded { changes.signal() }
        return isAdded
    }

    /// Waits for the next; nil: it was closed, and all are taken.
    func next() -> Entry? {
        changes.wait()
        let entry = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        // The end is for all threads.
        if entry == nil { changes.signal() }
        return entry
    }

    /// Whether one waits for a thread.
    var isWaiting: Bool { waiting.withLock { !$0.isEmpty } }

    /// What waits is still answered. Nothing must be added any more.
    func close() { changes.signal() }
}
