import Foundation
import GameprofBasics
import GameprofReportModel

/// Records a program and reports upon it in one step: what the instrument commands share.
struct InstrumentRun {
    /// That of the command.
    var instrument: Instrument
    var program: ProgramToRun
    var report: ReportFiles
    /// Heap snapshots before the end; nil: none.
    var snapshots: SnapshotRequest?
    /// Variables for the recorder beside those that every recording has.
    var environment: [String: String] = [:]
    /// Frames of the runtime are shown in a profile.
    var keepsRuntimeFrames = false
    /// Types whose living objects are shown in detail.
    var heapTypes: [String] = []
    /// Number of the heap's snapshot that is shown; nil: the one near the peak, else the last.
    var heapSnapshot: Int?

    /// What is recorded: leaks are searched among the blocks whose allocations are known.
    private var instruments: [Instrument] {
        switch instrument {
        case .leaks: [.allocations, .leaks]
        case .heap: [.allocations, .leaks, .heap]
        case .allocations, .time, .zombies: [instrument]
        }
    }

    /// Records, reports, and throws the exit status when it is not 0.
    func run() throws {
        let status: ExitStatus
        do {
            status = try perform().status
        } catch let error as ToolError where program.propagatesExit {
            guard let exit = error.programExit else { throw error }
            StandardError.say(error.description)
            status = exit.shellStatus
        }
        if status != .nothingFound { throw status }
    }

    /// Records and reports.
    func perform() throws -> (report: Report, status: ExitStatus) {
        var output = ReportOutput(instrument: instrument, files: report, program: program.words.first)
        output.keepsRuntimeFrames = keepsRuntimeFrames
        output.heapTypes = heapTypes
        output.heapSnapshot = heapSnapshot
        output.search = program.search
        _ = try ProgramFile.find(program.words[0], environment: ProcessInfo.processInfo.environment)
        if let trace = program.output { try AtomicFile.check(trace) }
        try output.check()
        if program.following == .children { try ProcessReports(output: output).check() }
        let session = RecordingSession(
            instruments: instruments, program: program.words, output: program.output, isQuiet: report.isQuiet,
            snapshots: snapshots, environment: environment, mostBytes: program.mostBytes,
            following: program.following, search: program.search)
        let outcome = try session.run()
        defer { outcome.removeIfTemporary() }
        do {
            let isAlone = outcome.others.isEmpty && program.following != .children
            let made = isAlone ? try make(of: outcome, output) : try makeEach(of: outcome, output)
            return (made, program.propagatesExit ? outcome.exit.shellStatus : made.exitStatus)
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
        if !report.isQuiet { for note in outcome.notes { StandardError.say(note) } }
        return try ProcessReports(output: output).make(from: outcome)
    }
}
