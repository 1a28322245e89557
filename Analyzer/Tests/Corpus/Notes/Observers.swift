import Foundation

extension Notification.Name {
    static let saved = Notification.Name("saved")
}

/// Observes in every way there is.
final class SyncIndicator {
    private var savedToken: (any NSObjectProtocol)?
    private var closedToken: (any NSObjectProtocol)?
    private var openedToken: NSObjectProtocol?
    private var tokens: [NSObjectProtocol] = []
    private var progressObservation: NSKeyValueObservation?
    private var titleObservation: NSKeyValueObservation?
    private var count = 0
    private let progress = Progress()

    func begin() {
        savedToken = NotificationCenter.default.addObserver(
            forName: .saved, object: nil, queue: .main
        ) { _ in  // suspect: notification
            self.count += 1
        }
        closedToken = NotificationCenter.default.addObserver(forName: .saved, object: nil, queue: nil) {
            [weak self] _ in  // no-finding: notification
            self?.count -= 1
        }
        progressObservation = progress.observe(\.fractionCompleted) { _, _ in  // suspect: observation
            self.count += 1
        }
        titleObservation = progress.observe(\.isFinished) { [weak self] _, _ in  // no-finding: observation
            self?.count = 0
        }
        tokens.append(
            NotificationCenter.default.addObserver(forName: .saved, object: self, queue: nil) { note in
                // no-finding: notification
                print(note)
            })
        let center = NotificationCenter.default
        tokens += [
            center.addObserver(forName: .saved, object: nil, queue: nil) { _ in  // suspect: notification
                self.end()
            }
        ]
    }

    func end() {
        titleObservation?.invalidate()
    }

    deinit {
        [savedToken, closedToken].compactMap { $0 }.forEach(NotificationCenter.default.removeObserver)
        tokens.forEach { NotificationCenter.default.removeObserver($0) }
    }
}

/// Observes without keeping what ends it.
final class Badge {
    private(set) var value = 0
    private var token: NSObjectProtocol?

    func watch() {
        NotificationCenter.default.addObserver(forName: .saved, object: nil, queue: nil) {
            [weak self] _ in
            self?.value += 1
        }
        _ = NotificationCenter.default.addObserver(
            forName: .saved, object: nil, queue: nil
        ) { _ in print("saved") }
        token = NotificationCenter.default.addObserver(
            forName: .saved, object: nil, queue: nil
        ) { [weak self] _ in self?.value = 0 }
        NotificationCenter.default.addObserver(
            self, selector: #selector(saved), name: .saved, object: nil)
    }

    @objc func saved() {}
}

/// Ends in a method that its owner calls.
final class Screen {
    private var token: NSObjectProtocol?
    private var ticks = 0
    private var timer: Timer?
    private var blink: Timer?

    func appear() {
        token = NotificationCenter.default.addObserver(forName: .saved, object: nil, queue: nil) { _ in
            self.ticks += 1  // no-finding: notification
        }
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in  // no-finding: timer
            self.ticks += 1
        }
        blink = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
            self?.ticks += 1
        }
    }

    func disappear() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
        timer?.invalidate()
        timer = nil
    }
}

/// Clocks.
final class Clock {
    private var timer: Timer?
    private var second: Timer?
    private var seconds = 0

    func start() {
        timer = Timer(timeInterval: 1, repeats: true) { _ in  // suspect: timer
            self.seconds += 1
        }
        RunLoop.main.add(timer!, forMode: .common)
        second = Timer.scheduledTimer(  // suspect: timer
            timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
        Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] timer in
            guard self != nil else { return timer.invalidate() }
        }
        Timer.scheduledTimer(withTimeInterval: 5, repeats: true) { _ in
            print("still here")
        }
    }

    @objc func tick() {
        seconds += 1
    }

    deinit {
        timer?.invalidate()
        second?.invalidate()
    }
}
