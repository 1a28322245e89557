import Foundation

enum BreakerError: Error, Equatable {
    case open(retryIn: Duration)
}

struct Upstream5xx: Error { let status: Int }

/// Fails fast while a dependency misbehaves.
actor CircuitBreaker {
    enum State: Equatable { case closed, open, halfOpen }

    private(set) var state = State.closed
    private var failures: [ContinuousClock.Instant] = []
    private var resetTask: Task<Void, Never>?
    private let threshold: Int
    private let window: Duration
    private let coolDown: Duration
    private var transitions: [String] = []

    init(threshold: Int, window: Duration, coolDown: Duration) {
        self.threshold = threshold
        self.window = window
        self.coolDown = coolDown
    }

    func run<T: Sendable>(_ operation: @Sendable () async throws -> T) async throws -> T {
        guard state != .open else { throw BreakerError.open(retryIn: coolDown) }
        do {
            let value = try await operation()
            if state == .halfOpen { move(to: .closed) }
            return value
        } catch {
            recordFailure()
            throw error
        }
    }

    private func recordFailure() {
        let now = ContinuousClock.now
        failures.removeAll { now - $0 > window }
        failures.append(now)
        if state == .halfOpen || failures.count >= threshold { trip() }
    }

    private func trip() {
        failures.removeAll()
        move(to: .open)
        resetTask?.cancel()
        resetTask = Task {
            try? await Task.sleep(for: self.coolDown)
            guard !Task.isCancelled else { return }
            self.becomeHalfOpen()
        }
    }

    private func becomeHalfOpen() {
        move(to: .halfOpen)
        resetTask = nil
    }

    private func move(to next: State) {
        transitions.append("\(state)>\(next)")
        if transitions.count > 40 { transitions.removeFirst() }
        state = next
    }

    var history: [String] { transitions }
}

struct RetryPolicy: Sendable {
    var attempts = 3
    var delay: @Sendable (Int) -> Duration = { .milliseconds(1 << $0) }

    func run<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        var attempt = 0
        while true {
            do {
                return try await body()
            } catch let error as BreakerError {
                throw error
            } catch {
                attempt += 1
                guard attempt < attempts else { throw error }
                try await Task.sleep(for: delay(attempt))
            }
        }
    }
}

func withTimeout<T: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async throws -> T) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw CancellationError()
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}

actor FlakyBackend {
    private var script: [Int]

    init(script: [Int]) {
        self.script = script
    }

    func call() throws -> String {
        let status = script.isEmpty ? 200 : script.removeFirst()
        guard status == 200 else { throw Upstream5xx(status: status) }
        return "ok"
    }
}

final class InventoryGateway: Sendable {
    private let backend: FlakyBackend
    private let breaker: CircuitBreaker
    private let policy = RetryPolicy()

    init(backend: FlakyBackend, breaker: CircuitBreaker) {
        self.backend = backend
        self.breaker = breaker
    }

    func stock() async -> String {
        do {
            return try await policy.run {
                try await self.breaker.run {
                    try await withTimeout(.milliseconds(200)) { try await self.backend.call() }
                }
            }
        } catch let error as BreakerError {
            return "fast fail (\(error == .open(retryIn: .milliseconds(10)) ? "10ms" : "?"))"
        } catch {
            return "failed"
        }
    }
}

func storefront() async throws {
    let breaker = CircuitBreaker(threshold: 3, window: .seconds(1), coolDown: .milliseconds(10))
    let gateway = InventoryGateway(backend: FlakyBackend(script: [200, 503, 500, 503]), breaker: breaker)
    for _ in 0..<3 { print(await gateway.stock()) }
    try await Task.sleep(for: .milliseconds(40))
    print(await gateway.stock(), await breaker.history)
}

try await storefront()
