import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// Every task that has not ended: what it waits for, and which functions wait.
struct TasksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tasks", abstract: "Show every Swift task: what it waits for, and which functions wait.",
        usage: "gameprof tasks [options] [--] PROGRAM [ARGS…] | F.gptrace | core.PID | --pid PID",
        discussion: """
            For a program, the tasks are shown that have not ended when the program ends. Tasks that can never resume \
            are findings: the exit code is 1. With --why only that task is shown: what it waits for in turn, what holds \
            it, and who waits for it.
            """)

    @Argument(help: "The program to run, and its arguments; or a trace, or a core file.")
    var program: [String] = []

    @OptionGroup(title: HelpTitle.target) var image: ImageOptions
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Report why this task does not go on, and what keeps it: its id or its name in the list.", valueName: "task"
        ))
    var why: String?

    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var files: TaskFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions
    @OptionGroup(title: HelpTitle.output) var printing: PrintingOptions

    func run() throws {
        if why != nil, files.html != nil {
            throw ToolError(.wrongUsage, "The page lists all tasks: --why and --html cannot be used together.")
        }
        for path in [files.html, files.json].compactMap(\.self) where path != "-" { try AtomicFile.check(path) }
        var report: TaskReport
        if let source = try image.source(program) {
            var search = symbols.search
            if let path = trace.output { try AtomicFile.check(path, needsFile: true) }
            let recording = try source.read(for: .heap, &search, isQuiet: printing.quiet) { $0.seeksTasks = true }
            if let path = trace.output {
                try HeapImageSource.keep(recording, as: path, search, isQuiet: printing.quiet)
            }
            report = build(from: recording, search)
        } else {
            guard let name = program.first, !name.isEmpty else {
                throw ValidationError("Name a program, a trace, a core file, or a process: --pid PID.")
            }
            report = program.count == 1 && CheckRun.isTrace(name) ? try read(name) : try record()
        }
        try checkAnswer(report)
        report.notes = report.notes.map { $0.hasSuffix(".") ? $0 : $0 + "." }
        try write(report)
        if report.neverResuming > 0 { throw ExitStatus.findings }
        if report.notMeasured != nil { throw ExitStatus.toolFailed }
    }

    private func checkAnswer(_ report: TaskReport) throws {
        guard let why, report.why?.isEmpty ?? true else { return }
        if let reason = report.notMeasured {
            throw ToolError(.toolFailed, "Not all tasks could be examined: \(PlainText.clean(reason)).")
        }
        throw ToolError(
            .wrongUsage, "No task that has not ended has the id or the name \"\(PlainText.clean(why))\".")
    }

    private func build(from recording: Recording, _ search: SymbolSearch? = nil) -> TaskReport {
        let symbolicator = Symbolicator(recording: recording, search: search ?? symbols.search)
        var report = TaskReportBuilder.build(recording: recording, symbolicator: symbolicator, why: why)
        report.notes += symbolicator.problems
        return report
    }

    private func read(_ trace: String) throws -> TaskReport {
        var recording = try MemoryLimit.reading { room in
            try Recording.readHeap(trace: trace, room: room, files: symbols.search.folders, seeksTasks: true)
        }
        try recording.noteBirths(ofTasksIn: trace)
        return build(from: recording)
    }

    /// Runs the program, and looks at its tasks when it ends.
    private func record() throws -> TaskReport {
        var session = RecordingSession(
            instruments: why == nil ? [.allocations, .leaks] : [.allocations, .leaks, .heap], program: program,
            isQuiet: printing.quiet, search: symbols.search)
        session.seeksTasks = true
        (session.output, session.mostBytes) = (trace.output, trace.maxTraceSize)
        session.outputToError = [files.html, files.json].contains("-")
        let outcome = try session.run()
        defer { outcome.removeIfTemporary() }
        var report = try read(outcome.main.trace)
        report.notes += outcome.notes + outcome.problems
        report.notes += outcome.others.map {
            "The tasks of process \($0.process), which the program started, are not shown."
        }
        if outcome.isCutShort, report.notMeasured == nil {
            report.notMeasured = "the program ended before its tasks could be examined"
        }
        return report
    }

    private func write(_ report: TaskReport) throws {
        if let path = files.json { try AtomicFile.write(try JSONReport.encode(report), to: path) }
        if let path = files.html {
            let page = try TasksPage.render(report, showsSources: files.sources.areShown)
            try AtomicFile.write(Data(page.utf8), to: path)
        }
        guard !printing.quiet else { return }
        let style = TextStyle.forOutput(descriptor: STDERR_FILENO, allowColour: !printing.noColor)
        StandardError.write(TextTasks.render(report, style: style) + "\n")
    }
}

/// Where the tasks go as a page and as JSON.
struct TaskFileOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the tasks as one HTML page (- is standard output), without source with \(SourceOptions.name).",
            valueName: "file"))
    var html: String?

    @OptionGroup var sources: SourceOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the tasks as JSON (- is standard output; the program's output then goes to standard error).",
            valueName: "file"))
    var json: String?

    func validate() throws {
        if html == "-", json == "-" { throw ValidationError("Only one report can go to standard output.") }
    }
}
