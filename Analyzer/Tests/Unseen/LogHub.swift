import Foundation

enum LogLevel: Int, Comparable, Sendable {
    case debug, info, warning, error

    static func < (lhs: LogLevel, rhs: LogLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}

struct LogRecord: Sendable {
    let level: LogLevel
    let label: String
    let message: String
    let metadata: [String: String]
}

protocol LogSink: AnyObject {
    var threshold: LogLevel { get }
    func emit(_ record: LogRecord)
    func flush()
}

final class BufferedSink: LogSink {
    let threshold: LogLevel
    private var pending: [LogRecord] = []
    private let write: (String) -> Void

    init(threshold: LogLevel, write: @escaping (String) -> Void) {
        self.threshold = threshold
        self.write = write
    }

    func emit(_ record: LogRecord) {
        pending.append(record)
        if pending.count >= 16 || record.level == .error { flush() }
    }

    func flush() {
        for record in pending { write("[\(record.level)] \(record.label): \(record.message)") }
        pending.removeAll(keepingCapacity: true)
    }
}

enum LogHub {
    nonisolated(unsafe) private static var sinks: [any LogSink] = []
    nonisolated(unsafe) private static var levels: [String: LogLevel] = ["*": .info]
    private static let lock = NSLock()

    static func attach(_ sink: any LogSink) {
        lock.withLock { sinks.append(sink) }
    }

    static func setLevel(_ level: LogLevel, subsystem: String) {
        lock.withLock { levels[subsystem] = level }
    }

    static func level(for label: String) -> LogLevel {
        lock.withLock { levels[label] ?? levels["*"] ?? .info }
    }

    static func flushAll() {
        let current = lock.withLock { sinks }
        current.forEach { $0.flush() }
    }
}

struct Logger {
    let label: String
    private let sink: BufferedSink
    private var metadata: [String: String] = [:]

    init(label: String, output: @escaping (String) -> Void = { print($0) }) {
        self.label = label
        sink = BufferedSink(threshold: LogHub.level(for: label), write: output)
        LogHub.attach(sink)
    }

    subscript(key: String) -> String? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level >= sink.threshold else { return }
        sink.emit(LogRecord(level: level, label: label, message: message(), metadata: metadata))
    }
}

final class ImportJob {
    private var logger: Logger
    private let rows: [String]
    private var rejected: [Int] = []

    init(number: Int, rows: [String]) {
        logger = Logger(label: "import-\(number)")
        logger["rows"] = String(rows.count)
        self.rows = rows
    }

    func run() -> Int {
        var accepted = 0
        rows.enumerated().forEach { index, row in
            if row.contains(",") {
                accepted += 1
            } else {
                self.rejected.append(index)
                self.logger.log(.warning, "row \(index) has no separator")
            }
        }
        logger.log(.info, "accepted \(accepted), rejected \(rejected.count)")
        return accepted
    }
}

final class ImportServer {
    private var served = 0

    func handle(_ body: String) -> Int {
        served += 1
        let job = ImportJob(number: served, rows: body.split(separator: "\n").map(String.init))
        defer { LogHub.flushAll() }
        return job.run()
    }
}

LogHub.setLevel(.warning, subsystem: "import-1")
let server = ImportServer()
for body in ["a,b\nc,d\noops", "x,y", "1\n2\n3,4"] {
    print(server.handle(body))
}
