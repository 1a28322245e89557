import Foundation
import Synchronization

/// Listens to the notifications of one object and keeps what it reads out of them, until `stop()`.
final class NotificationLog<Entry: Sendable>: Sendable {
    private let log: Mutex<[Entry]>
    private let tokens: Mutex<[Token]>

    /// A registration with the notification center, which may be used from any thread.
    private struct Token: @unchecked Sendable {
        let observer: any NSObjectProtocol
    }

    init(
        _ names: Notification.Name..., object: AnyObject, read: @escaping @Sendable (Notification) -> Entry?
    ) {
        log = Mutex([])
        tokens = Mutex([])
        for name in names {
            let observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
                [weak self] notification in
                guard let self, let entry = read(notification) else { return }
                self.log.withLock { $0.append(entry) }
            }
            let token = Token(observer: observer)
            tokens.withLock { $0.append(token) }
        }
    }

    /// What was read so far, oldest first.
    var entries: [Entry] { log.withLock { $0 } }

    /// Ends the listening.
    func stop() {
        let ended = tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
        for token in ended {
            NotificationCenter.default.removeObserver(token.observer)
        }
    }
}
