import GameprofBasics
import GameprofTrace

/// The exit codes that scripts rely on.
struct ExitStatus: Error, Hashable, Sendable {
    var code: Int32

    static let nothingFound = ExitStatus(code: 0)
    static let findings = ExitStatus(code: 1)
    /// Wrong usage, or input that cannot be read.
    static let wrongUsage = ExitStatus(code: 2)
    static let programNotStarted = ExitStatus(code: 3)
    /// The recording is incomplete, or the tool itself failed.
    static let toolFailed = ExitStatus(code: 4)
}

/// A failure of the tool, as one sentence and the exit code that goes with it.
struct ToolError: Error, CustomStringConvertible {
    var status: ExitStatus
    var description: String
    /// How the program had ended before the tool failed; nil: it was not run.
    var programExit: ProgramExitRecord?
    /// The trace is sound: with more memory it can be read.
    var lacksMemory = false

    init(_ status: ExitStatus, _ sentence: String) {
        self.status = status
        description = sentence
    }

    /// `instruments`: of the trace.
    static func noGraph(in trace: String, instruments: Set<Instrument>) -> ToolError {
        instruments.contains(.heap)
            ? ToolError(.toolFailed, "\(trace) contains no heap graph; gameprof report \(trace) shows why.")
            : ToolError(.wrongUsage, "\(trace) contains no heap graph; record one with gameprof heap.")
    }
}
