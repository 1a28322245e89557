import Foundation
import GameprofBasics
import GameprofHeap
import GameprofSampling
import GameprofTrace

/// Samples a running process and reports upon it.
struct ProcessRun {
    var options: ProcessSampling.Options
    var report: ReportFiles
    /// Where the trace is kept; nil: nowhere.
    var output: String?
    /// Where symbols are looked for.
    var search = SymbolSearch()
    var keepsRuntimeFrames = false

    /// Throws the exit status when it is not 0.
    func run() throws {
        let pid = options.pid
        let name = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")) ?? "\(pid)"
        var page = ReportOutput(
            instrument: .time, files: report, program: URL(filePath: name).lastPathComponent + "-\(pid)")
        page.keepsRuntimeFrames = keepsRuntimeFrames
        page.search = search
        if let output { try AtomicFile.check(output, needsFile: true) }
        try page.check()
        let trace = try PrivateTrace()
        defer { trace.remove() }
        if !report.isQuiet {
            StandardError.say(
                "Sampling process \(pid) for \(NumberFormat.seconds(options.duration)); Ctrl-C ends it earlier.")
        }
        page.search.places = try record(to: trace.path)
        let finishing = trace.interruption()
        defer { finishing.end() }
        if let output { try trace.keep(as: output, page.search, isQuiet: report.isQuiet) }
        let status = try page.make(from: output ?? trace.path).exitStatus
        if status != .nothingFound { throw status }
    }

    /// - Returns: where the files of the process's images can be read, by their names.
    private func record(to trace: String) throws -> [String: String] {
        let signals = SignalForwarding.begin()
        SignalForwarding.unblockRequests()
        defer { signals.end() }
        do {
            return try ProcessSampling.record(options, to: trace) { SignalForwarding.wasAskedToEnd }
        } catch let error as MemoryImageError {
            throw ToolError(error.isInput ? .wrongUsage : .toolFailed, error.sentence)
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
    }
}
