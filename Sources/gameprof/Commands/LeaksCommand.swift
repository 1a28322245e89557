import ArgumentParser

struct LeaksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leaks", abstract: "Find leaks, retain cycles and over-retains when the program ends.",
        usage: "gameprof leaks [options] [--] PROGRAM [ARGS…]")

    @OptionGroup var snapshots: SnapshotOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var why: WhyOptions
    @OptionGroup var sampling: BlockSamplingOptions
    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        var run = InstrumentRun(instrument: .leaks, program: program.value(), report: report.value())
        run.environment = history.environment.merging(why.environment) { $1 }.merging(sampling.environment) { $1 }
        run.snapshots = snapshots.request
        try run.run()
    }
}
