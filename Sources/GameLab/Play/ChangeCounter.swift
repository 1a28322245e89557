import Observation
import Synchronization

/// Counts how often a value changes that the Observation framework watches.
final class ChangeCounter: Sendable {
    private let changes = Mutex(0)

    var count: Int { changes.withLock { $0 } }

    /// Notices the next change of whatever `read` reads; a later one only if asked again.
    func watchNextChange(of read: () -> Void) {
        withObservationTracking(read) { [weak self] in
            self?.changes.withLock { $0 += 1 }
        }
    }
}
