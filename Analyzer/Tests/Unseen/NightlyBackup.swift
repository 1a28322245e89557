import Foundation

struct Snapshot: Codable, Equatable {
    let name: String
    let bytes: Int
    let createdAt: Date
}

protocol SnapshotStore {
    mutating func save(_ snapshot: Snapshot)
    mutating func prune(keeping count: Int)
    var all: [Snapshot] { get }
}

struct DiskStore: SnapshotStore {
    private(set) var all: [Snapshot] = []

    mutating func save(_ snapshot: Snapshot) {
        all.append(snapshot)
    }

    mutating func prune(keeping count: Int) {
        if all.count > count { all.removeFirst(all.count - count) }
    }
}

final class BackupAgent {
    private var store: any SnapshotStore
    private var ticker: Timer?
    private var settleTimer: Timer?
    private let interval: TimeInterval
    private var sequence = 0
    private var dirtyPaths: Set<String> = []

    init(store: any SnapshotStore, interval: TimeInterval) {
        self.store = store
        self.interval = interval
    }

    deinit {
        ticker?.invalidate()
        settleTimer?.invalidate()
    }

    func schedule() {
        let timer = Timer(timeInterval: interval, repeats: true) { _ in
            self.backUp()
        }
        RunLoop.current.add(timer, forMode: .default)
        ticker = timer
    }

    func touched(_ path: String) {
        dirtyPaths.insert(path)
        settleTimer?.invalidate()
        settleTimer = Timer.scheduledTimer(withTimeInterval: interval / 4, repeats: false) { [weak self] _ in
            self?.backUp()
        }
    }

    private func backUp() {
        guard !dirtyPaths.isEmpty else { return }
        sequence += 1
        let size = dirtyPaths.reduce(0) { $0 + $1.utf8.count * 1_024 }
        store.save(Snapshot(name: "nightly-\(sequence)", bytes: size, createdAt: Date()))
        store.prune(keeping: 7)
        dirtyPaths.removeAll()
    }

    var report: String {
        store.all
            .map { "\($0.name) \($0.bytes / 1_024)K" }
            .joined(separator: ", ")
    }
}

/// Counts down on the current run loop and then stops by itself.
final class Countdown {
    private var left: Int
    private let done: () -> Void

    init(from start: Int, done: @escaping () -> Void) {
        left = start
        self.done = done
    }

    func start() {
        _ = Timer.scheduledTimer(withTimeInterval: 0.02, repeats: true) { timer in
            self.left -= 1
            if self.left <= 0 {
                timer.invalidate()
                self.done()
            }
        }
    }
}

final class QuotaWatcher {
    private weak var timer: Timer?
    private(set) var samples = 0

    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 0.03, repeats: true) { [weak self] timer in
            guard let self else {
                timer.invalidate()
                return
            }
            self.samples += 1
        }
    }
}

func nightShift() {
    let agent = BackupAgent(store: DiskStore(), interval: 0.05)
    let quota = QuotaWatcher()
    agent.schedule()
    quota.start()
    for path in ["/etc/hosts", "/var/log/syslog", "/home/kim/notes"] { agent.touched(path) }
    var finished = false
    Countdown(from: 10) { finished = true }.start()
    while !finished {
        RunLoop.current.run(until: Date().addingTimeInterval(0.02))
    }
    print(agent.report, quota.samples > 0)
}

nightShift()
