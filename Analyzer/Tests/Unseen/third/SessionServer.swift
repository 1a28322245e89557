import Dispatch
import Foundation

// Session store with expiry, a rate limiter and request statistics.

struct Session {
    let token: String
    let user: String
    var lastUsed: Int
    var data: [String: String] = [:]
}

struct Bucket {
    var used = 0
    let limit: Int

    mutating func take() -> Bool {
        used += 1
        return used <= limit
    }
}

final class ManualClock: @unchecked Sendable {
    private let lock = NSLock()
    private var seconds = 0
    var now: Int { lock.withLock { seconds } }
    func advance(_ by: Int) { lock.withLock { seconds += by } }
}

final class RateLimiter {
    private var buckets: [String: Bucket] = [:]
    private var banned: [String] = []
    private let clock: ManualClock
    private let perMinute: Int

    init(clock: ManualClock, perMinute: Int) {
        self.clock = clock
        self.perMinute = perMinute
    }

    func allows(_ address: String) -> Bool {
        guard !banned.contains(address) else { return false }
        let window = clock.now / 60
        let key = "\(address)@\(window)"
        var bucket = buckets[key] ?? Bucket(limit: perMinute)
        let allowed = bucket.take()
        buckets[key] = bucket
        if bucket.used > perMinute * 3 { ban(address) }
        return allowed
    }

    private func ban(_ address: String) {
        banned.append(address)
        if banned.count > 20 { banned.removeFirst() }
    }
}

/// Sessions are dropped when they have not been used for a while.
final class SessionStore: @unchecked Sendable {
    private let lock = NSLock()
    private var sessions: [String: Session] = [:]
    private let clock: ManualClock
    private let lifetime: Int
    private var onExpire: ((Session) -> Void)?

    init(clock: ManualClock, lifetime: Int) {
        self.clock = clock
        self.lifetime = lifetime
    }

    func expired(_ action: @escaping (Session) -> Void) {
        onExpire = action
    }

    func open(_ user: String) -> String {
        let token = UUID().uuidString
        lock.withLock {
            sessions[token] = Session(token: token, user: user, lastUsed: clock.now)
        }
        return token
    }

    func touch(_ token: String) -> Bool {
        lock.withLock {
            guard sessions[token] != nil else { return false }
            sessions[token]?.lastUsed = clock.now
            return true
        }
    }

    func sweep() {
        let old = lock.withLock { () -> [Session] in
            let stale = sessions.values.filter { clock.now - $0.lastUsed > lifetime }
            stale.forEach { sessions[$0.token] = nil }
            return stale
        }
        old.forEach { onExpire?($0) }
    }

    var count: Int { lock.withLock { sessions.count } }
}

final class Statistics: @unchecked Sendable {
    private let lock = NSLock()
    private var perStatus: [Int: Int] = [:]
    private var slowest: [Double] = []

    func record(_ status: Int, _ duration: Double) {
        lock.withLock {
            perStatus[status, default: 0] += 1
            slowest.append(duration)
            slowest.sort(by: >)
            slowest = Array(slowest.prefix(5))
        }
    }

    var text: String {
        lock.withLock { perStatus.keys.sorted().map { "\($0): \(perStatus[$0]!)" }.joined(separator: ", ") }
    }
}

final class SessionServer: @unchecked Sendable {
    private let queue = DispatchQueue(label: "session.server")
    private let store: SessionStore
    private let limiter: RateLimiter
    private let statistics: Statistics
    private let clock: ManualClock
    private var sweeper: DispatchSourceTimer?
    private var reporter: DispatchSourceTimer?
    private var accepting = false
    private var expiredCount = 0

    init(clock: ManualClock, statistics: Statistics) {
        self.clock = clock
        self.statistics = statistics
        store = SessionStore(clock: clock, lifetime: 300)
        limiter = RateLimiter(clock: clock, perMinute: 10)
        store.expired { [weak self] _ in
            self?.expiredCount += 1
        }
    }

    func start() {
        accepting = true
        let sweeper = DispatchSource.makeTimerSource(queue: queue)
        sweeper.schedule(deadline: .now() + 0.005, repeating: 0.005)
        sweeper.setEventHandler {
            guard self.accepting else { return }
            self.store.sweep()
        }
        sweeper.resume()
        self.sweeper = sweeper

        let reporter = DispatchSource.makeTimerSource(queue: queue)
        reporter.schedule(deadline: .now() + 0.02, repeating: 0.02)
        reporter.setEventHandler { [weak self] in
            self?.report()
        }
        reporter.resume()
        self.reporter = reporter
    }

    func stop() {
        queue.sync {
            accepting = false
            sweeper?.suspend()
            reporter?.cancel()
            reporter = nil
        }
    }

    func login(_ user: String, from address: String) -> String? {
        queue.sync {
            guard accepting, limiter.allows(address) else {
                statistics.record(429, 0.1)
                return nil
            }
            statistics.record(200, Double(user.count) / 10)
            return store.open(user)
        }
    }

    func request(_ token: String, from address: String) -> Int {
        queue.sync {
            let status = !limiter.allows(address) ? 429 : store.touch(token) ? 200 : 401
            statistics.record(status, 0.2)
            return status
        }
    }

    var openSessions: Int { store.count }

    private func report() {
        if statistics.text.isEmpty { print("nothing yet") }
    }
}

func hour() {
    let clock = ManualClock()
    let statistics = Statistics()
    let server = SessionServer(clock: clock, statistics: statistics)
    server.start()
    for minute in 0..<20 {
        for client in 0..<6 {
            let address = "10.0.\(minute % 3).\(client)"
            if let token = server.login("user\(client)", from: address) {
                _ = server.request(token, from: address)
            }
        }
        clock.advance(60)
        Thread.sleep(forTimeInterval: 0.008)
    }
    print("sessions below 60:", server.openSessions < 60)
    server.stop()
    print(statistics.text)
}

hour()
