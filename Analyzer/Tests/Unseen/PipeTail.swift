import Foundation
import Dispatch

struct LineSplitter {
    private var carry: [UInt8] = []

    mutating func feed(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(String(decoding: carry, as: UTF8.self))
                carry.removeAll(keepingCapacity: true)
            } else {
                carry.append(byte)
            }
        }
        return lines
    }
}

/// Follows the read end of a pipe and hands complete lines to its consumer.
final class PipeTail: @unchecked Sendable {
    private let queue = DispatchQueue(label: "pipe.tail")
    private let pipe = Pipe()
    private var source: (any DispatchSourceRead)?
    private var splitter = LineSplitter()
    private var consumer: (@Sendable (String) -> Void)?
    private var bytesRead = 0
    private var isOpen = true

    init(consumer: @escaping @Sendable (String) -> Void) {
        self.consumer = consumer
    }

    deinit {
        source?.cancel()
    }

    func follow() {
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        reader.setEventHandler { [weak self] in
            self?.readable()
        }
        reader.setCancelHandler {
            self.finish()
        }
        source = reader
        reader.resume()
    }

    func write(_ text: String) {
        pipe.fileHandleForWriting.write(Data(text.utf8))
    }

    private func readable() {
        let data = pipe.fileHandleForReading.availableData
        guard !data.isEmpty else { return }
        bytesRead += data.count
        for line in splitter.feed(data) { consumer?(line) }
    }

    private func finish() {
        isOpen = false
        consumer = nil
        try? pipe.fileHandleForReading.close()
    }

    var statistics: (bytes: Int, open: Bool) {
        queue.sync { (bytesRead, isOpen) }
    }
}

/// Reacts to SIGHUP.
final class ReloadSignal: @unchecked Sendable {
    private var source: (any DispatchSourceSignal)?
    private(set) var reloads = 0

    func arm() {
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler {
            self.reloads += 1
        }
        source.resume()
        self.source = source
    }

    func disarm() {
        source?.cancel()
        source = nil
    }
}

final class LineCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [String: Int] = [:]

    func add(_ line: String) {
        let level = line.prefix { $0 != " " }
        lock.withLock { counts[["INFO", "WARN", "ERROR"].first { $0 == level } ?? "OTHER", default: 0] += 1 }
    }

    var summary: String {
        lock.withLock { counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
    }
}

func tailService(_ lines: [String]) {
    let counter = LineCounter()
    let tail = PipeTail { line in counter.add(line) }
    let reload = ReloadSignal()
    reload.arm()
    defer { reload.disarm() }
    tail.follow()
    for line in lines { tail.write(line + "\n") }
    Thread.sleep(forTimeInterval: 0.1)
    print(counter.summary, tail.statistics)
}

tailService(["INFO started", "WARN disk 91%", "debugging"])
tailService(["ERROR lost peer", "INFO stopping"])
