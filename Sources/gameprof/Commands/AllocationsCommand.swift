import ArgumentParser

struct AllocationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocations",
        abstract: "Count every allocation by type and by stack, with timeline, peak and temporary memory.",
        usage: "gameprof allocations [options] [--] PROGRAM [ARGS…]")

    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        try InstrumentRun(instrument: "allocations", instruments: "allocations", program: program, report: report).run()
    }
}
