import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck
import GameprofHeap
import GameprofTrace

/// Writes the heap of a trace in the format of another viewer.
struct HeapExport {
    var trace: String
    /// Number of the snapshot; nil: the last sound one.
    var snapshot: Int?
    var search: SymbolSearch

    func write(_ format: HeapFormat, to target: String) throws {
        if format == .sqlite, target == "-" || !AtomicFile.isReplaceable(target) {
            throw ToolError(.wrongUsage, "A database needs a file: name one with --output.")
        }
        let recording = try MemoryLimit.reading {
            try Recording.readHeap(
                trace: trace, graphs: snapshot == nil ? .ofReport(number: nil) : .all, room: $0, files: search.folders)
        }
        let symbolicator = Symbolicator(recording: recording, search: search)
        guard let dump = HeapDump(recording, snapshot: snapshot, symbolicator: symbolicator) else {
            throw missing(recording)
        }
        switch format {
        case .heapsnapshot:
            try AtomicFile.stream(to: target) { try HeapSnapshotExport.write(dump, to: ExportStream($0)) }
        case .hprof:
            let time = (recording.startUnixNanoseconds &+ dump.time) / 1_000_000
            try AtomicFile.stream(to: target) {
                try HprofExport.write(dump, milliseconds: time, to: ExportStream($0))
            }
        case .sqlite: try writeDatabase(dump, program: recording.program?.executable ?? "", to: target)
        }
        for problem in symbolicator.problems { StandardError.say(problem) }
    }

    private func writeDatabase(_ dump: HeapDump, program: String, to target: String) throws {
        do {
            try AtomicFile.replace(target) { partial in
                try HeapDatabase.write(dump, program: program, to: partial)
                chmod(partial, 0o600)
            }
        } catch let error as SQLiteError {
            throw ToolError(.toolFailed, "\(target) cannot be written: \(error.reason).")
        }
    }

    private func missing(_ recording: Recording) -> ToolError {
        let graphs = recording.heapSnapshots.filter { $0.graph != nil }.map { "\($0.begin.snapshot)" }
        guard let snapshot, !graphs.isEmpty else {
            return ToolError.noGraph(in: trace, instruments: recording.program?.instruments ?? [])
        }
        return ToolError(
            .wrongUsage,
            "\(trace) contains no heap graph for snapshot \(snapshot); it has those of "
                + "\(graphs.joined(separator: ", "))."
        )
    }
}
