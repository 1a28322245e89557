import Foundation
import Synchronization

/// Listens to one notification center and keeps what it reads out of the notifications.
final class NotificationRecorder<Entry: Sendable>: Sendable {
    private let log = Mutex<[Entry]>([])

    /// Never removed: a test's center goes away with the test.
    init(
        _ name: Notification.Name, center: NotificationCenter, object: AnyObject? = nil,
        read: @escaping @Sendable (Notification) -> Entry?
    ) {
        _ = center.addObserver(forName: name, object: object, queue: nil) { [weak self] notification in
            guard let entry = read(notification) else { return }
            self?.log.withLock { $0.append(entry) }
        }
    }

    var entries: [Entry] { log.withLock { $0 } }
}
