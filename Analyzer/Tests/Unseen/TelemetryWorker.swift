import Foundation

struct Sample: Sendable {
    let metric: String
    let value: Double
    let at: Double
}

struct Batch: Sendable {
    private(set) var samples: [Sample] = []
    let limit: Int

    var isFull: Bool { samples.count >= limit }

    mutating func add(_ sample: Sample) {
        samples.append(sample)
    }

    mutating func drain() -> [Sample] {
        defer { samples.removeAll(keepingCapacity: true) }
        return samples
    }
}

protocol BatchEncoder: Sendable {
    func encode(_ samples: [Sample]) -> String
}

struct LineEncoder: BatchEncoder {
    func encode(_ samples: [Sample]) -> String {
        samples.map { "\($0.metric)=\($0.value)" }.joined(separator: "\n")
    }
}

final class Mailbox<Message: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var messages: [Message] = []
    private var isClosed = false

    func put(_ message: Message) {
        condition.withLock {
            messages.append(message)
            condition.signal()
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Blocks; nil once the box is closed and empty.
    func take() -> Message? {
        condition.withLock {
            while messages.isEmpty && !isClosed { condition.wait() }
            return messages.isEmpty ? nil : messages.removeFirst()
        }
    }
}

final class TelemetryWriter: @unchecked Sendable {
    private let mailbox = Mailbox<Sample>()
    private let encoder: any BatchEncoder
    private var batch = Batch(limit: 4)
    private var thread: Thread!
    private let lock = NSLock()
    private var chunks = 0

    init(encoder: any BatchEncoder) {
        self.encoder = encoder
        thread = Thread {
            self.run()
        }
        thread.name = "telemetry-writer"
        thread.start()
    }

    deinit {
        mailbox.close()
    }

    private func run() {
        while let sample = mailbox.take() {
            batch.add(sample)
            if batch.isFull {
                _ = encoder.encode(batch.drain())
                lock.withLock { chunks += 1 }
            }
        }
    }

    func record(_ metric: String, _ value: Double) {
        mailbox.put(Sample(metric: metric, value: value, at: Date().timeIntervalSince1970))
    }

    var written: Int { lock.withLock { chunks } }
}

/// Does one computation on its own thread.
final class Compactor: @unchecked Sendable {
    private var thread: Thread?
    private let done = DispatchSemaphore(value: 0)
    private var result = 0

    func start(_ values: [Int]) {
        thread = Thread { [done] in
            self.result = values.reduce(0, +)
            done.signal()
        }
        thread?.start()
    }

    func wait() -> Int {
        done.wait()
        thread = nil
        return result
    }
}

/// Prints alerts from a thread of its own.
final class AlertLine {
    private let mailbox = Mailbox<String>()

    init(output: @escaping @Sendable (String) -> Void) {
        let box = mailbox
        let thread = Thread {
            while let line = box.take() { output(line) }
        }
        thread.start()
    }

    deinit {
        mailbox.close()
    }

    func raise(_ line: String) {
        mailbox.put(line)
    }
}

func monitorHost(_ name: String, readings: [Double]) {
    let writer = TelemetryWriter(encoder: LineEncoder())
    let alerts = AlertLine { print("alert:", $0) }
    let compactor = Compactor()
    for (index, value) in readings.enumerated() {
        writer.record("\(name).load\(index)", value)
        if value > 9 { alerts.raise("\(name) \(value)") }
    }
    compactor.start(readings.map { Int($0) })
    print(compactor.wait())
    Thread.sleep(forTimeInterval: 0.05)
    print(writer.written)
}

monitorHost("web-1", readings: [0.3, 2, 11, 4, 5])
monitorHost("db-1", readings: [1, 1, 1, 1, 2, 2, 2, 2])
