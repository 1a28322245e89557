import ArgumentParser

struct FootprintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "footprint", abstract: "Explain the resident memory: what it is, why it stays, what helps.",
        usage: "gameprof footprint [options] [--] PROGRAM [ARGS…]",
        discussion: "Records what leaks records; its report begins with the memory when the program ends.")

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.recorded) var snapshots: SnapshotOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func run() throws {
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .leaks, program: program, report: report.value())
        run.snapshots = snapshots.request
        run.explainsFootprint = true
        try run.run()
    }
}
