import Foundation

final class Logger {
    private var tokens: [NSObjectProtocol] = []
    private var byName: [Notification.Name: NSObjectProtocol] = [:]
    private var token: (any NSObjectProtocol)?
    private var lines = 0

    func start() {
        let center = NotificationCenter.default
        tokens += [
            center.addObserver(forName: .init("a"), object: nil, queue: nil) { [weak self] _ in self?.lines += 1 },
            center.addObserver(forName: .init("b"), object: nil, queue: nil) { _ in self.lines += 1 },  // suspect: notification
        ]
        byName[.init("c")] = center.addObserver(forName: .init("c"), object: nil, queue: .main) { note in  // suspect: notification
            self.handle(note)
        }
    }

    func once() {
        token = NotificationCenter.default.addObserver(forName: .init("d"), object: nil, queue: nil) { [weak self] _ in  // no-finding: notification
            guard let self, let token = self.token else { return }
            NotificationCenter.default.removeObserver(token)
            self.token = nil
        }
    }

    func selectorless() {
        NotificationCenter.default.addObserver(forName: .init("e"), object: nil, queue: nil) { _ in print("e") }
    }

    private func handle(_ note: Notification) { lines += 1 }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        byName.values.forEach(NotificationCenter.default.removeObserver)
    }
}

/// A center of its own: everything dies with it.
final class Desk {
    private let center = NotificationCenter()
    private var count = 0

    func start() {
        _ = center.addObserver(forName: .init("x"), object: nil, queue: nil) { [weak self] _ in self?.count += 1 }
        _ = center.addObserver(forName: .init("y"), object: nil, queue: nil) { _ in self.count += 1 }  // doubt: notification
    }
}

/// A wrapper that removes the observer when it goes.
final class Observer {
    private let token: NSObjectProtocol
    init(_ name: Notification.Name, _ body: @escaping () -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() }  // no-finding: notification
    }
    deinit { NotificationCenter.default.removeObserver(token) }
}

final class Panel {
    private var observer: Observer?
    private var shown = false

    func open() {
        observer = Observer(.init("open")) { self.shown = true }  // suspect: stored-closure (the center keeps it)
    }

    func peek() {
        observer = Observer(.init("peek")) { [weak self] in self?.shown = true }  // no-finding: stored-closure
    }
}
