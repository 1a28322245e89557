import ArgumentParser

struct LeaksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leaks", abstract: "Find leaks, retain cycles and over-retains when the program ends.",
        usage: "gameprof leaks [options] [--] PROGRAM [ARGS…]")

    @OptionGroup var snapshots: SnapshotOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        var run = InstrumentRun(
            instrument: "leaks", instruments: "allocations,leaks", program: program, report: report)
        run.environment = history.environment
        run.snapshots = snapshots.request
        try run.run()
    }
}
