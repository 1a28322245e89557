import Foundation

/// Reads levels while it exists.
final class LevelMeter: @unchecked Sendable {
    private var reader: Task<Void, Never>?
    private var poller: Task<Void, Never>?
    private var decay: Task<Void, Never>?
    private var level = 0.0
    private let levels: AsyncStream<Double>

    init(levels: AsyncStream<Double>) {
        self.levels = levels
        reader = Task { [weak self, levels] in  // no-finding: endless-task
            for await level in levels {
                self?.level = level
            }
        }
        poller = Task {  // suspect: endless-task
            repeat {
                self.level *= 0.9
                try? await Task.sleep(for: .milliseconds(10))
            } while !Task.isCancelled
        }
        decay = Task { [weak self] in  // suspect: endless-task
            guard let strong = self else { return }
            while !Task.isCancelled {
                strong.level *= 0.5
                await Task.yield()
            }
        }
    }

    deinit {
        reader?.cancel()
        poller?.cancel()
        decay?.cancel()
    }
}

/// Tells others.
final class Broadcaster {
    static let main = Broadcaster()

    private var receivers: [ObjectIdentifier: (Double) -> Void] = [:]
    private var lastLevels: [Double] = []
    private static var created = 0

    func add(_ object: AnyObject, _ receiver: @escaping (Double) -> Void) {
        receivers[ObjectIdentifier(object)] = receiver
    }

    func send(_ level: Double) {
        lastLevels = [level] + lastLevels.prefix(9)
        receivers.values.forEach { $0(level) }
    }
}

/// Shows levels.
final class MeterView {
    private var observers: [NSObjectProtocol] = []
    private var routeToken: NSObjectProtocol?
    private var observation: NSKeyValueObservation?
    private let progress = Progress()
    private var peak = 0.0

    func attach() {
        Broadcaster.main.add(self) { [weak self] level in  // no-finding: stored-closure
            self?.peak = max(self?.peak ?? 0, level)
        }
        let center = NotificationCenter.default
        observers.append(
            center.addObserver(forName: .init("route"), object: nil, queue: nil) { _ in  // suspect: notification
                self.peak = 0
            })
        routeToken = center.addObserver(forName: .init("route"), object: nil, queue: nil) { [weak self] _ in
            self?.peak = 0
        }
        observation = progress.observe(\.isCancelled, changeHandler: { _, _ in self.peak = 0 })  // suspect: observation
    }

    func detach() {
        if let token = routeToken { NotificationCenter.default.removeObserver(token) }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
}

/// An unsafe way back from what lives longer.
final class Tap {
    unowned(unsafe) private let view: MeterView  // doubt: unowned-outlived
    private let queue = DispatchQueue(label: "tap")
    private var count = 0

    init(view: MeterView) {
        self.view = view
    }

    func install() {
        queue.async { [weak self] in self?.count += 1 }  // no-finding: unowned-outlived
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) { [unowned self] in  // doubt: unowned-outlived
            self.count = 0
        }
        [1, 2, 3].forEach { [unowned self] in self.count += $0 }  // no-finding: unowned-outlived
    }
}
