import ArgumentParser

struct FootprintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "footprint",
        abstract: "Explain resident memory: what it consists of, why it stays, and what reduces it.",
        usage: "gameprof footprint [options] [--] PROGRAM [ARGS…] | --pid PID",
        discussion:
            "Records the same as leaks. The report begins with the memory at the program's end, or at the moment of "
            + "the look."
    )

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
                    .wrongUsage, "A core file does not show which memory was resident; name a process with --pid PID."
                )
            }
            return try source.report(.leaks, report.value(), keeping: trace.output, explainsFootprint: true) {
                $0.search = symbols.search
            }
        }
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .leaks, program: program, report: report.value())
        run.snapshots = snapshots.request
        run.explainsFootprint = true
        try run.run()
    }
}
