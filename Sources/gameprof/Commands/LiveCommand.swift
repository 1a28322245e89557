import ArgumentParser
import Foundation
import GameprofBasics
import GameprofReport

/// The page while a program runs.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Show a page while a program runs: memory, CPU time, frames; then its report.",
        usage: """
            gameprof live [options] [--] PROGRAM [ARGS…]
            gameprof live [options] --pid PID
            """,
        discussion: """
            The address of the page is printed on standard error; it contains a token, and only this machine can open \
            it. The tracks grow each second. Buttons take a heap snapshot, look for leaks, set a mark, send a memory \
            warning, stop the program and record it again. When the program has ended, the page shows the report, and \
            with a second run a comparison, until Ctrl-C.

            --port N offers the page at that port instead of a free one, --open opens it in the browser (xdg-open), \
            and --once ends gameprof with the program.

            With --pid, the process must have been started with gameprof record --dormant. Its recording can be \
            stopped and begun again; heap snapshots are for programs that gameprof starts.
            """)

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Record this running process, which has a dormant recorder.", valueName: "pid"))
    var pid: Int32?

    @Option(
        name: .customLong("instruments"),
        help: ArgumentHelp(
            "What to record: \(InstrumentNames.all) (default: allocations,leaks,time; with --pid allocations,time).",
            valueName: "a,b"))
    var names: String?

    @OptionGroup(title: HelpTitle.recorded) var blocks: BlockSamplingOptions
    @OptionGroup(title: HelpTitle.recorded) var sampling: SamplingOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Offer the page at this port of 127.0.0.1 (default: a free one).", valueName: "number",
            visibility: .hidden))
    var port: UInt16 = 0

    @Flag(name: .long, help: ArgumentHelp("Open the page in the browser (xdg-open).", visibility: .hidden))
    var open = false

    @Flag(
        name: .long,
        help: ArgumentHelp("End with the program instead of showing its report until Ctrl-C.", visibility: .hidden))
    var once = false

    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    private func instruments() throws -> [Instrument] {
        let asked = try InstrumentNames.read(names ?? (pid == nil ? "allocations,leaks,time" : "allocations,time"))
        guard !asked.isEmpty else {
            throw ValidationError("Name at least one instrument: \(InstrumentNames.all).")
        }
        guard !asked.contains(.zombies) else {
            throw ValidationError("live has no zombies: record them with gameprof zombies.")
        }
        return Instrument.sorted(Set(asked))
    }

    func validate() throws {
        _ = try instruments()
        if let pid, pid <= 0 { throw ValidationError("--pid takes the number of a process.") }
        if pid != nil, !target.program.isEmpty { throw ValidationError("--pid names a process: name no program.") }
    }

    func run() throws {
        try sampling.checkSource(ofProcess: false)
        let files = report.value()
        let board = LiveBoard()
        let (recorder, name) = try recorder(files)
        var output = ReportOutput(files: files, page: "\(name)-live.html")
        output.search = symbols.search
        try output.check()
        let server = try LiveServer(board, port: port, program: name, isProcess: pid != nil)
        defer { server.stop() }
        StandardError.say("The page is at \(server.address)")
        if open { Self.openBrowser(server.address) }
        let status = try LiveSession(recorder, board, output, waits: !once).run()
        if status != .nothingFound { throw status }
    }

    private func recorder(_ files: ReportFiles) throws -> (any LiveRecorder, name: String) {
        if let pid { return try LiveProcess.make(pid, try instruments(), trace, symbols.search, files) }
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        let environment = (blocks.sample?.environment ?? [:]).merging(sampling.environment) { $1 }
        var session = RecordingSession(
            instruments: try instruments(), program: program.words, output: program.output, isQuiet: files.isQuiet,
            environment: environment, mostBytes: program.mostBytes, following: program.following,
            search: program.search)
        session.outputToError = files.takesOutput
        _ = try ProgramFile.find(program.words[0], environment: ProcessInfo.processInfo.environment)
        if let trace = program.output { try AtomicFile.check(trace, needsFile: true) }
        return (LiveProgram(session, program), AtomicFile.name(of: program.words[0]))
    }

    /// The browser may run on for as long as the page is open.
    private static func openBrowser(_ address: String) {
        guard let opener = try? ProgramFile.find("xdg-open", environment: ProcessInfo.processInfo.environment) else {
            return StandardError.say("There is no xdg-open: open the page yourself.")
        }
        HelperThread.start("gameprof open") {
            _ = try? HelperProcess.run(opener.path, [address], hidesErrors: true)
        }
    }
}
