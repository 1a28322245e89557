import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport

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
    /// The report begins with resident memory.
    var explainsFootprint = false
    /// Types whose living objects are shown in detail.
    var heapTypes: [String] = []
    /// Number of the heap's snapshot that is shown; nil: the one near the peak, else the last.
    var heapSnapshot: Int?

    /// A second run records the retains and releases of the classes whose zombies or lost objects the first one finds.
    var runsAgain = false
    /// The command that would do so; nil: one made of the recorded program.
    var explainingCommand: String?

    /// What is recorded: leaks are searched among the blocks whose allocations are known.
    private var instruments: [Instrument] {
        let searched: Set<Instrument> = [.leaks, .heap].contains(instrument) ? [.allocations, .leaks] : []
        return Instrument.sorted(searched.union([instrument]))
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
        var output = ReportOutput(
            instrument: instrument, files: report, program: program.words.first, explainsFootprint: explainsFootprint)
        output.keepsRuntimeFrames = keepsRuntimeFrames
        output.heapTypes = heapTypes
        output.heapSnapshot = heapSnapshot
        output.search = program.search
        let file = try ProgramFile.find(program.words[0], environment: ProcessInfo.processInfo.environment)
        if instrument == .files { try file.checkSeesFiles() }
        if let trace = program.output { try AtomicFile.check(trace, needsFile: true) }
        try output.check()
        if program.following == .all { try ProcessReports(output: output).check() }
        var session = RecordingSession(
            instruments: instruments, program: program.words, output: program.output, isQuiet: report.isQuiet,
            snapshots: snapshots, environment: environment, mostBytes: program.mostBytes,
            following: program.following, search: program.search)
        session.outputToError = report.takesOutput
        let second = SecondRun(session: session, output: output)
        output.prepare()
        let outcome = try session.run()
        defer { outcome.removeIfTemporary() }
        do {
            var members = try ProcessReports(output: output).members(of: outcome)
            if let explainingCommand {
                for index in members.indices { members[index].report.nameExplanation(explainingCommand) }
            }
            if runsAgain {
                outcome.removeIfTemporary()
                second.add(to: &members)
            }
            let isAlone = outcome.others.isEmpty && program.following != .all
            let made = isAlone ? try write(members[0].report, of: outcome, output) : try write(members, outcome, output)
            return (made, program.propagatesExit ? outcome.exit.shellStatus : made.exitStatus)
        } catch var error as ToolError {
            error.programExit = outcome.exit
            if error.lacksMemory {
                let command = instrument == .heap ? "heap" : "report"
                if let kept = outcome.keep(named: AtomicFile.name(of: program.words[0])) {
                    error.description +=
                        " The recording is kept. On a machine with more memory, run: gameprof \(command) \(kept)"
                }
            }
            throw error
        }
    }

    private func write(_ report: Report, of outcome: SessionOutcome, _ output: ReportOutput) throws -> Report {
        var report = report
        outcome.amend(&report)
        try output.write(report)
        return report
    }

    /// The notes are of all processes, and stand in the text of none.
    private func write(
        _ members: [JoinedReport.Member], _ outcome: SessionOutcome, _ output: ReportOutput
    ) throws -> Report {
        if !report.isQuiet { for note in outcome.notes { StandardError.say(note) } }
        return try ProcessReports(output: output).write(members, of: outcome)
    }
}
