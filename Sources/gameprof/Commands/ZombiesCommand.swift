import ArgumentParser

struct ZombiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zombies",
        abstract: "Find uses of deallocated objects: who allocated it, who deallocated it, who used it.",
        usage: "gameprof zombies [options] [--] PROGRAM [ARGS…]",
        discussion: """
            Dead objects are kept for a while, filled with addresses that nobody may touch. With --guard and --sample \
            objects get pages of their own, which are taken away at their death: then plain reads and writes are \
            noticed too. The first use is reported and the program's crash takes its course.
            """)

    @OptionGroup var zombies: ZombieOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        var run = InstrumentRun(instrument: "zombies", instruments: "zombies", program: program, report: report)
        run.environment = history.environment.merging(zombies.environment) { $1 }
        try run.run()
    }
}
