import ArgumentParser

struct ZombiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zombies",
        abstract: "Find uses of deallocated objects, with the stacks of allocation, deallocation and use.",
        usage: "gameprof zombies [options] [--] PROGRAM [ARGS…]",
        discussion: """
            Deallocated objects are quarantined and filled with invalid addresses. The first objects of each class and \
            allocation stack and a sample of the rest (with --guard those that it names) have pages of their own, \
            which are protected at deallocation, so that plain reads and writes are also detected. The first use is \
            reported and ends the program by a signal, unless --continue is given.
            """)

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.recorded) var guarding: GuardOptions
    @OptionGroup(title: HelpTitle.recorded) var zombies: ZombieOptions
    @OptionGroup(title: HelpTitle.recorded) var retains: RetainOptions
    @OptionGroup(title: HelpTitle.recorded) var explanation: ExplainOptions
    @OptionGroup(title: HelpTitle.recorded) var failure: FailureOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func validate() throws { try guarding.validateForZombies() }

    func run() throws {
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .zombies, program: program, report: report.value())
        run.environment = retains.environment.merging(zombies.environment(guarding: guarding)) { $1 }
            .merging(failure.environment) { $1 }
        run.runsAgain = explanation.explain
        run.explainingCommand = explanation.command(.zombies)
        try run.run()
    }
}
