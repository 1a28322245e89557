import Foundation
import Synchronization

/// Listens to the notifications of one object: how many came, and what the last one said. Its size does not grow.
final class NotificationTally<Entry: Sendable>: Sendable {
    private struct State {
        var count = 0
        var last: Entry?
        var observers: [any NSObjectProtocol] = []
    }

    private let state: Mutex<State>

    init(_ names: Notification.Name..., object: AnyObject, read: @escaping @Sendable (Notification) -> Entry?) {
        state = Mutex(State())
        for name in names {
            let observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
                [weak self] notification in
                guard let self, let entry = read(notification) else { return }
                self.state.withLock { state in
                    state.count += 1
                    state.last = entry
                }
            }
            let token = Token(observer: observer)
            state.withLock { $0.observers.append(token.observer) }
        }
    }

    deinit {
        let observers = state.withLock { $0.observers }
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    /// How many notifications came.
    var count: Int { state.withLock { $0.count } }

    /// What the last one said.
    var last: Entry? { state.withLock { $0.last } }

    /// A registration with the notification center, which may be used from any thread.
    private struct Token: @unchecked Sendable {
        let observer: any NSObjectProtocol
    }
}
