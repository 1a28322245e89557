import ArgumentParser

struct ZombiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zombies",
        abstract: "Find uses of deallocated objects, with the stacks of allocation, deallocation and use.",
        usage: "gameprof zombies [options] [--] PROGRAM [ARGS…]",
        discussion: """
            Deallocated objects are quarantined and filled with invalid addresses. The first objects of each class and \
            allocation stack and a sample of the rest (with --guard and --sample those that they name) have pages of \
            their own, which are protected at deallocation: then plain reads and writes are detected too. The first use is reported; then the program crashes as it would without gameprof.
            """)

    @Option(
        name: .long,
        help: ArgumentHelp("Guard one in n allocations and ignore the others: for long sessions.", valueName: "n"))
    var sample: UInt32?

    @OptionGroup var zombies: ZombieOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func validate() throws {
        if sample != nil, zombies.guardsNone { throw ValidationError("--no-guard excludes --sample.") }
        if sample == 0 { throw ValidationError("--sample needs a number of at least 1.") }
    }

    func run() throws {
        var run = InstrumentRun(instrument: .zombies, program: program.value(), report: report.value())
        run.environment = history.environment.merging(zombies.environment(sample: sample)) { $1 }
        try run.run()
    }
}
