import Foundation
import Profiler

/// Records a program and reports upon it in one step: what the instrument commands share.
struct InstrumentRun {
    /// Name of the command, for titles and file names.
    var instrument: String
    /// Names for the recorder.
    var instruments: String
    var program: ProgramOptions
    var report: ReportFileOptions
    /// Heap snapshots before the end; nil: none.
    var snapshots: SnapshotRequest?
    /// Variables for the recorder beside those that every recording has.
    var environment: [String: String] = [:]
    /// Frames of the runtime are shown in a profile.
    var keepsRuntimeFrames = false

    /// Records, reports, and throws the exit status when it is not 0.
    func run() throws {
        let status: ExitStatus
        do {
            status = try perform().status
        } catch let error as ToolError where program.propagateExit {
            guard let exit = error.programExit else { throw error }
            StandardError.say(error.description)
            status = exit.shellStatus
        }
        if status != .nothingFound { throw status }
    }

    /// Records and reports.
    func perform() throws -> (report: Report, status: ExitStatus) {
        var output = ReportOutput(instrument: instrument, options: report, program: program.program.first)
        output.keepsRuntimeFrames = keepsRuntimeFrames
        _ = try ProgramFile.find(program.program[0], environment: ProcessInfo.processInfo.environment)
        if let trace = program.output { try AtomicFile.check(trace) }
        try output.check()
        if program.following == .children { try ProcessReports(output: output).check() }
        let session = RecordingSession(
            instruments: instruments, program: program.program, output: program.output, isQuiet: report.quiet,
            snapshots: snapshots, environment: environment, mostBytes: program.maxTraceSize,
            following: program.following)
        let outcome = try session.run()
        defer { outcome.removeIfTemporary() }
        do {
            let isAlone = outcome.others.isEmpty && program.following != .children
            let made = isAlone ? try make(of: outcome, output) : try makeEach(of: outcome, output)
            return (made, program.propagateExit ? outcome.exit.shellStatus : made.exitStatus)
        } catch var error as ToolError {
            error.programExit = outcome.exit
            throw error
        }
    }

    private func make(of outcome: SessionOutcome, _ output: ReportOutput) throws -> Report {
        try output.make(from: outcome.main.trace) { outcome.amend(&$0) }
    }

    /// The notes are of all processes, and stand in the text of none.
    private func makeEach(of outcome: SessionOutcome, _ output: ReportOutput) throws -> Report {
        if !report.quiet { for note in outcome.notes { StandardError.say(note) } }
        return try ProcessReports(output: output).make(from: outcome)
    }
}
