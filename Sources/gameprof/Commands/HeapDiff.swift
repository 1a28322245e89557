import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// `gameprof heap diff A B`: compares the last heaps of two traces, or snapshots of one.
struct HeapDiff {
    /// One or two traces or core files.
    var traces: [String]
    /// A running process, whose heap is the later one.
    var process: HeapImageSource?
    /// The executable's file of core files, where it is not the one that the process had mapped.
    var program: String?
    /// Numbers of snapshots, in order; nil: the last of each trace, or the first and the last of one.
    var snapshots: [Int]?
    var json: String?
    var html: String?
    var printsText: Bool
    var search: SymbolSearch

    func run() throws {
        for path in [html, json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        let comparison = try compare()
        if let json { try AtomicFile.write(try JSONReport.encode(comparison), to: json) }
        if let html { try AtomicFile.write(try HeapComparisonPage.render(comparison), to: html) }
        if printsText { try StandardOutput.write(HeapComparisonText.render(comparison) + "\n") }
    }

    /// A trace with its heaps, which are analysed when they are compared.
    private struct Trace {
        var path: String
        var recording: Recording
        var symbolicator: Symbolicator
        var snapshots: [HeapSnapshot]

        /// - Parameter number: of a snapshot; nil: the last.
        func heap(_ number: Int?) throws -> ComparedHeap {
            let wanted = number ?? snapshots.last.map(Self.number) ?? 0
            guard let snapshot = snapshots.first(where: { Self.number($0) == wanted }),
                let heap = ComparedHeap(recording, snapshot, symbolicator: symbolicator)
            else {
                let known = snapshots.map { "\(Self.number($0))" }.joined(separator: ", ")
                throw ToolError(.wrongUsage, "\(path) contains no heap for snapshot \(wanted); it has \(known).")
            }
            return heap
        }

        static func number(_ snapshot: HeapSnapshot) -> Int { Int(snapshot.begin.snapshot.rawValue) }
    }

    private func compare() throws -> HeapComparison {
        var read = try traces.map(self.read)
        if let process { read.append(try self.read(process)) }
        guard read.count == 1 else {
            return HeapComparisonBuilder.compare(try read[0].heap(snapshots?[0]), try read[1].heap(snapshots?[1]))
        }
        let trace = read[0]
        let numbers = try snapshots ?? chosen(of: trace)
        return HeapComparisonBuilder.compare(
            try trace.heap(numbers[0]), try trace.heap(numbers[numbers.count - 1]),
            between: numbers.count == 3 ? try trace.heap(numbers[1]) : nil)
    }

    /// The first and the last snapshot, and where there are more one between them.
    private func chosen(of trace: Trace) throws -> [Int] {
        let numbers = trace.snapshots.map(Trace.number)
        guard numbers.count > 1 else {
            throw ToolError(
                .wrongUsage,
                "\(trace.path) contains only one heap; record with --snapshot-at SECONDS, or name a second trace.")
        }
        return numbers.count == 2 ? numbers : [numbers[0], numbers[numbers.count / 2], numbers[numbers.count - 1]]
    }

    private func read(_ path: String) throws -> Trace {
        if CoreOpening.isCore(path) { return try read(.core(path, program: program)) }
        let recording = try MemoryLimit.reading { try Recording.read(trace: path, room: $0, files: search.folders) }
        return try trace(path, recording, search)
    }

    private func read(_ source: HeapImageSource) throws -> Trace {
        var search = self.search
        let recording = try source.read(for: .heap, &search, isQuiet: true)
        return try trace(source.name, recording, search)
    }

    private func trace(_ path: String, _ recording: Recording, _ search: SymbolSearch) throws -> Trace {
        let snapshots = recording.heapSnapshots.filter { $0.graph != nil && $0.unsoundReason == nil }
        guard !snapshots.isEmpty else {
            throw ToolError.noGraph(in: path, instruments: recording.program?.instruments ?? [])
        }
        return Trace(
            path: path, recording: recording, symbolicator: Symbolicator(recording: recording, search: search),
            snapshots: snapshots)
    }
}
