import ArgumentParser

struct AllocationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocations",
        abstract: "Count every allocation by type and by stack, with timeline, peak and temporary memory.",
        usage: "gameprof allocations [options] [--] PROGRAM [ARGS…]")

    @OptionGroup var sampling: BlockSamplingOptions
    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        var run = InstrumentRun(instrument: .allocations, program: program.value(), report: report.value())
        run.environment = sampling.environment
        try run.run()
    }
}
