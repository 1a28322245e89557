import GameprofAnalysis
import GameprofBasics

/// Files, sockets and pipes of several processes. Without the timeline: each began at another moment. Whole nanoseconds, so that a
/// sum is the same in every order.
struct MergedFileUses {
    private var sum = Report.Files()
    private var nanoseconds: Int64 = 0
    private var files: [FileKey: (row: Report.Files.FileRow, nanoseconds: Int64)] = [:]
    private var calls: [CallKey: (row: Report.Files.CallRow, byFile: [String: Int64])] = [:]
    private var open: [OpenKey: (row: Report.Files.OpenRow, files: Set<String>)] = [:]

    private static let names = 5

    private struct FileKey: Hashable {
        var name: String
        var kind: Report.Files.Kind
    }

    private struct CallKey: Hashable {
        var operation: Report.Files.Operation
        var stack: CallStack
    }

    private struct OpenKey: Hashable {
        var kind: Report.Files.Kind
        var stack: CallStack
    }

    mutating func add(_ other: Report.Files) {
        sum.opened.add(clamping: other.opened)
        sum.closed.add(clamping: other.closed)
        sum.reads.add(clamping: other.reads)
        sum.bytesRead.add(clamping: other.bytesRead)
        sum.writes.add(clamping: other.writes)
        sum.bytesWritten.add(clamping: other.bytesWritten)
        nanoseconds.add(clamping: Nanoseconds.of(other.seconds))
        if let exhausted = other.exhausted { sum.exhausted = [sum.exhausted ?? 0, exhausted].clampedSum }
        for row in other.byFile { add(row) }
        for row in other.byStack { add(row) }
        for row in other.neverClosed { add(row) }
        sum.omittedFiles.add(clamping: other.omittedFiles)
        sum.omittedStacks.add(clamping: other.omittedStacks)
        sum.omittedOpen.add(clamping: other.omittedOpen)
    }

    private mutating func add(_ other: Report.Files.FileRow) {
        let key = FileKey(name: other.name, kind: other.kind)
        var (row, time) = files[key] ?? (.init(name: other.name, kind: other.kind), 0)
        row.opened.add(clamping: other.opened)
        row.closed.add(clamping: other.closed)
        row.reads.add(clamping: other.reads)
        row.bytesRead.add(clamping: other.bytesRead)
        row.writes.add(clamping: other.writes)
        row.bytesWritten.add(clamping: other.bytesWritten)
        row.failures.add(clamping: other.failures)
        row.longestSeconds = max(row.longestSeconds, other.longestSeconds)
        time.add(clamping: Nanoseconds.of(other.seconds))
        files[key] = (row, time)
    }

    private mutating func add(_ other: Report.Files.CallRow) {
        let key = CallKey(operation: other.operation, stack: other.stack.ofAnyThread)
        var (row, byFile) =
            calls[key] ?? (.init(operation: other.operation, file: other.file, stack: key.stack), [:])
        row.files = max(row.files, other.files)
        row.calls.add(clamping: other.calls)
        row.failures.add(clamping: other.failures)
        row.bytes.add(clamping: other.bytes)
        row.longestSeconds = max(row.longestSeconds, other.longestSeconds)
        byFile[other.file, default: 0].add(clamping: Nanoseconds.of(other.seconds))
        calls[key] = (row, byFile)
    }

    private mutating func add(_ other: Report.Files.OpenRow) {
        var other = other
        other.stack = other.stack.ofAnyThread
        let key = OpenKey(kind: other.kind, stack: other.stack)
        guard var (row, files) = open[key] else {
            open[key] = (other, Set(other.files))
            return
        }
        row.count.add(clamping: other.count)
        row.opened.add(clamping: other.opened)
        row.firstSeconds = min(row.firstSeconds, other.firstSeconds)
        row.lastSeconds = max(row.lastSeconds, other.lastSeconds)
        files.formUnion(other.files)
        open[key] = (row, files)
    }

    var value: Report.Files {
        var result = sum
        result.seconds = Nanoseconds.seconds(nanoseconds)
        let files = self.files.values.map { row, time in
            var row = row
            row.seconds = Nanoseconds.seconds(time)
            return row
        }.sorted { ($1.seconds, $0.name, $0.kind.rawValue) < ($0.seconds, $1.name, $1.kind.rawValue) }
        let calls = self.calls.values.map { row, byFile in
            var row = row
            row.seconds = Nanoseconds.seconds(byFile.values.clampedSum)
            row.files = max(row.files, byFile.count)
            row.file = byFile.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? row.file
            return (row: row, order: "\(row.operation) \(row.stack)")
        }.sorted { ($1.row.seconds, $0.order) < ($0.row.seconds, $1.order) }.map(\.row)
        let open = self.open.values.map { row, files in
            var row = row
            row.files = Array(files.sorted().prefix(Self.names))
            return (row: row, order: "\(row.kind) \(row.stack)")
        }.sorted { ($1.row.count, $0.order) < ($0.row.count, $1.order) }.map(\.row)
        result.byFile = Array(files.prefix(MergedReport.rows))
        result.byStack = Array(calls.prefix(MergedReport.rows))
        result.neverClosed = Array(open.prefix(MergedReport.rows))
        result.omittedFiles.add(clamping: files.count - result.byFile.count)
        result.omittedStacks.add(clamping: calls.count - result.byStack.count)
        result.omittedOpen.add(clamping: open.count - result.neverClosed.count)
        return result
    }
}

/// Times of reports as whole numbers.
enum Nanoseconds {
    static func of(_ seconds: Double) -> Int64 {
        seconds.isFinite ? Int64((max(0, min(seconds, 1e9)) * 1e9).rounded()) : 0
    }

    static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
}

extension CallStack {
    /// Threads of several processes are other threads.
    var ofAnyThread: CallStack {
        var stack = self
        stack.thread = nil
        return stack
    }
}
