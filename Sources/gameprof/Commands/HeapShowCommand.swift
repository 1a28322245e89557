import ArgumentParser
import GameprofTrace

/// `gameprof heap`, which needs no word more.
struct HeapShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what lives at the end or at the peak, what holds it and what would be freed.",
        usage: """
            gameprof heap [options] [--] PROGRAM [ARGS…] | F.gptrace | core.PID | --pid PID
            gameprof heap diff [options] A.gptrace [B.gptrace]
            """,
        discussion: """
            Retained is what would be freed with an object. With --why only these types are shown: how they are held, \
            what refers to them, what they refer to and who allocated what they retain.
            """)

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.target) var image: ImageOptions
    @OptionGroup(title: HelpTitle.recorded) var snapshots: SnapshotOptions
    @OptionGroup(title: HelpTitle.analysis) var why: WhyOptions
    @OptionGroup(title: HelpTitle.analysis) var snapshot: SnapshotNumberOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func run() throws {
        if let source = try image.source(target.program) {
            return try source.report(.heap, report.value(), keeping: trace.output) { output in
                output.search = symbols.search
                output.heapTypes = why.why
            }
        }
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        guard program.words.count == 1, CheckRun.isTrace(program.words[0]) else {
            var run = InstrumentRun(instrument: .heap, program: program, report: report.value())
            run.snapshots = snapshots.request
            run.heapTypes = why.why
            run.heapSnapshot = try snapshot.only()
            return try run.run()
        }
        try show(program.words[0], search: program.search)
    }

    private func show(_ trace: String, search: SymbolSearch) throws {
        var files = report.value()
        if files.html == nil, files.json == nil { files.text = true }
        var output = ReportOutput(instrument: .heap, files: files)
        output.search = search
        output.heapTypes = why.why
        output.heapSnapshot = try snapshot.only()
        try output.check()
        var hasGraph = false
        let report = try output.build(from: trace) { hasGraph = $0.heapSnapshots.contains { $0.graph != nil } }
        guard report.liveHeap != nil else {
            guard let snapshot = try snapshot.only(), hasGraph else {
                throw ToolError.noGraph(in: trace, instruments: Set(report.capture.instruments))
            }
            throw ToolError(.wrongUsage, "\(trace) contains no heap graph for snapshot \(snapshot).")
        }
        try output.write(report)
        if report.exitStatus != .nothingFound { throw report.exitStatus }
    }
}
