import Dispatch
import Foundation

// Periodic work for a game server: dispatch timers, delayed calls and a task based heartbeat.

protocol Stoppable: AnyObject {
    func stop()
}

final class Repeater: Stoppable, @unchecked Sendable {
    private let lock = NSLock()
    private let source: DispatchSourceTimer
    private var body: (() -> Void)?
    private(set) var fired = 0

    init(every interval: Double, on queue: DispatchQueue, _ body: @escaping () -> Void) {
        self.body = body
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + interval, repeating: interval)
        source.setEventHandler {
            self.fire()
        }
        source.resume()
    }

    func stop() {
        source.setEventHandler(handler: nil)
        source.cancel()
        lock.withLock { body = nil }
    }

    private func fire() {
        let current = lock.withLock { () -> (() -> Void)? in
            fired += 1
            return body
        }
        current?()
    }
}

final class Debouncer: @unchecked Sendable {
    private let queue: DispatchQueue
    private let delay: Double
    private var pending: DispatchWorkItem?

    init(queue: DispatchQueue, delay: Double) {
        self.queue = queue
        self.delay = delay
    }

    func call(_ action: @escaping @Sendable () -> Void) {
        queue.async {
            self.pending?.cancel()
            let item = DispatchWorkItem {
                self.pending = nil
                action()
            }
            self.pending = item
            self.queue.asyncAfter(deadline: .now() + self.delay, execute: item)
        }
    }
}

final class World: @unchecked Sendable {
    private let lock = NSLock()
    private var ticks = 0
    private var positions: [Int: Double] = [0: 0, 1: 0, 2: 0]
    private var snapshots: [[Int: Double]] = []

    func step() {
        lock.withLock {
            ticks += 1
            for id in positions.keys {
                positions[id]! += Double(id) * 0.5
            }
        }
    }

    func snapshot() {
        lock.withLock {
            snapshots.append(positions)
            if snapshots.count > 5 { snapshots.removeFirst() }
        }
    }

    var summary: String {
        lock.withLock { "\(ticks) ticks, \(snapshots.count) snapshots" }
    }
}

final class Heartbeat: Stoppable, @unchecked Sendable {
    private var loop: Task<Void, Never>?
    private let lock = NSLock()
    private var beats = 0

    func start() {
        loop = Task.detached {
            while !Task.isCancelled {
                self.beat()
                try? await Task.sleep(nanoseconds: 5_000_000)
            }
        }
    }

    func stop() {
        loop?.cancel()
        loop = nil
    }

    var count: Int { lock.withLock { beats } }

    private func beat() {
        lock.withLock { beats += 1 }
    }
}

final class MatchServer: @unchecked Sendable {
    private let queue = DispatchQueue(label: "match.server")
    private let world = World()
    private let heartbeat = Heartbeat()
    private var running: [any Stoppable] = []
    private var onClosed: ((String) -> Void)?
    private lazy var saver = Debouncer(queue: queue, delay: 0.01)

    func open(onClosed: @escaping (String) -> Void) {
        self.onClosed = onClosed
        running.append(Repeater(every: 0.005, on: queue) {
            self.world.step()
        })
        running.append(Repeater(every: 0.02, on: queue) { [world] in
            world.snapshot()
        })
        heartbeat.start()
        running.append(heartbeat)
        queue.asyncAfter(deadline: .now() + 0.03) {
            self.world.snapshot()
        }
    }

    func touch() {
        saver.call {
            self.world.snapshot()
        }
    }

    func close() {
        for item in running {
            item.stop()
        }
        running.removeAll()
        queue.sync {}
        let report = onClosed
        onClosed = nil
        report?(world.summary)
    }

    var beats: Int { heartbeat.count }
}

/// Runs a fixed list of steps, one after the other, each of which calls its continuation.
final class Sequencer {
    typealias Step = (@escaping () -> Void) -> Void
    private var steps: [Step]
    private var finished: (() -> Void)?

    init(_ steps: [Step]) {
        self.steps = steps
    }

    func start(_ finished: @escaping () -> Void) {
        self.finished = finished
        next()
    }

    private func next() {
        guard !steps.isEmpty else {
            let done = finished
            finished = nil
            done?()
            return
        }
        let step = steps.removeFirst()
        step { self.next() }
    }
}

func evening() {
    let server = MatchServer()
    server.open { summary in
        print("closed with \(server.beats > 0 ? "beats" : "no beats")", summary.isEmpty ? "" : "ok")
    }
    for _ in 0..<10 {
        server.touch()
        Thread.sleep(forTimeInterval: 0.006)
    }
    Thread.sleep(forTimeInterval: 0.05)
    server.close()

    var order: [String] = []
    let sequencer = Sequencer([
        { done in order.append("load"); done() },
        { done in order.append("spawn"); done() },
        { done in order.append("begin"); done() },
    ])
    sequencer.start { print(order.joined(separator: " > ")) }
}

evening()
