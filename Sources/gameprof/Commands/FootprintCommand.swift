import ArgumentParser

struct FootprintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "footprint", abstract: "Explain the resident memory: what it is, why it stays, what helps.",
        usage: "gameprof footprint [options] [--] PROGRAM [ARGS…] | --pid PID",
        discussion:
            "Records what leaks records; its report begins with the memory when the program ends, or is looked at.")

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.target) var image: ImageOptions
    @OptionGroup(title: HelpTitle.recorded) var snapshots: SnapshotOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func run() throws {
        if let source = try image.source(target.program) {
            guard case .process = source else {
                throw ToolError(
                    .wrongUsage, "A core file does not say what was in the machine's memory: name a process, --pid PID."
                )
            }
            return try source.report(.leaks, report.value(), explainsFootprint: true) { $0.search = symbols.search }
        }
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .leaks, program: program, report: report.value())
        run.snapshots = snapshots.request
        run.explainsFootprint = true
        try run.run()
    }
}
