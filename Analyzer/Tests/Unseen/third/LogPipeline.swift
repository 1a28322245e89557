import Foundation

struct LogLine: Sendable {
    enum Level: Int, Sendable, Comparable {
        case debug, info, warning, error

        static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    let level: Level
    let source: String
    let text: String
}

// MARK: - Producer

final class LogSource: @unchecked Sendable {
    let lines: AsyncStream<LogLine>
    private let continuation: AsyncStream<LogLine>.Continuation
    private let name: String
    private var producer: Task<Void, Never>?

    init(name: String) {
        self.name = name
        (lines, continuation) = AsyncStream.makeStream(of: LogLine.self, bufferingPolicy: .bufferingNewest(128))
    }

    func emit(count: Int) {
        producer = Task {
            for n in 0..<count {
                self.continuation.yield(LogLine(level: .init(rawValue: n % 4)!, source: self.name, text: "event \(n)"))
                if n % 8 == 0 { await Task.yield() }
            }
            self.continuation.finish()
        }
    }

    deinit {
        continuation.finish()
    }
}

// MARK: - Ring buffer

struct Ring<Element> {
    private var storage: [Element] = []
    private var start = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func append(_ element: Element) {
        if storage.count < capacity {
            storage.append(element)
        } else {
            storage[start] = element
            start = (start + 1) % capacity
        }
    }

    var elements: [Element] { Array(storage[start...] + storage[..<start]) }
}

// MARK: - Stages

actor Aggregator {
    private var counts: [LogLine.Level: Int] = [:]
    private var tail = Ring<LogLine>(capacity: 10)
    private var waiters: [CheckedContinuation<Int, Never>] = []
    private var finished = false

    func add(_ line: LogLine) {
        counts[line.level, default: 0] += 1
        tail.append(line)
    }

    func finish() {
        finished = true
        let total = counts.values.reduce(0, +)
        let pending = waiters
        waiters.removeAll()
        for waiter in pending { waiter.resume(returning: total) }
    }

    func total() async -> Int {
        if finished { return counts.values.reduce(0, +) }
        return await withCheckedContinuation { waiters.append($0) }
    }

    func lastText() -> String { tail.elements.last?.text ?? "-" }
}

actor Flusher {
    private var batch: [LogLine] = []
    private var loop: Task<Void, Never>?
    private var flushed = 0
    private let threshold = 16

    func start() {
        guard loop == nil else { return }
        loop = Task { [weak self] in
            while !Task.isCancelled {
                do {
                    try await Task.sleep(nanoseconds: 5_000_000)
                } catch {
                    return
                }
                await self?.flush()
            }
        }
    }

    func add(_ line: LogLine) {
        batch.append(line)
        if batch.count >= threshold { flush() }
    }

    func flush() {
        flushed += batch.count
        batch.removeAll(keepingCapacity: true)
    }

    var count: Int { flushed }

    deinit {
        loop?.cancel()
    }
}

/// Polls until it is stopped; `Pipeline.run` always stops it.
actor Watchdog {
    private var task: Task<Void, Never>?
    private var beats = 0

    func run() {
        task = Task {
            while !Task.isCancelled {
                self.beats += 1
                try? await Task.sleep(nanoseconds: 3_000_000)
            }
        }
    }

    func stop() async -> Int {
        task?.cancel()
        await task?.value
        task = nil
        return beats
    }
}

// MARK: - Pipeline

final class Pipeline: Sendable {
    private let aggregator = Aggregator()
    private let flusher = Flusher()
    private let watchdog = Watchdog()
    private let minimum: LogLine.Level

    init(minimum: LogLine.Level) {
        self.minimum = minimum
    }

    func run(_ sources: [LogSource]) async -> Int {
        await flusher.start()
        await watchdog.run()
        let reporter = Task {
            let total = await self.aggregator.total()
            return "total \(total)"
        }
        await withTaskGroup(of: Void.self) { group in
            for source in sources {
                group.addTask {
                    for await line in source.lines where line.level >= self.minimum {
                        await self.aggregator.add(line)
                        await self.flusher.add(line)
                    }
                }
            }
        }
        await aggregator.finish()
        await flusher.flush()
        let beats = await watchdog.stop()
        print(await reporter.value, "last", await aggregator.lastText(), "beats", beats > 0)
        return await flusher.count
    }
}

// MARK: - Sampling

struct Sampler {
    func samples(limit: Int) -> AsyncStream<Int> {
        AsyncStream { continuation in
            let task = Task {
                for n in 0..<limit {
                    try? await Task.sleep(nanoseconds: 200_000)
                    continuation.yield(n)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

func runOnce(_ round: Int) async {
    let sources = ["api", "db", "ui"].map(LogSource.init(name:))
    for source in sources { source.emit(count: 40) }
    let written = await Pipeline(minimum: .info).run(sources)
    var sum = 0
    for await value in Sampler().samples(limit: 50) {
        sum += value
        if value == 10 { break }
    }
    print("round", round, "written", written, "sampled", sum)
}

for round in 1...3 { await runOnce(round) }
try? await Task.sleep(nanoseconds: 50_000_000)
