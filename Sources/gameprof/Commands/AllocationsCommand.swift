import ArgumentParser

struct AllocationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocations",
        abstract: "Count every allocation by type and by stack, with timeline, peak and temporary memory.",
        usage: "gameprof allocations [options] [--] PROGRAM [ARGS…]")

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.recorded) var list: ObjectOptions
    @OptionGroup(title: HelpTitle.recorded) var sampling: BlockSamplingOptions
    @OptionGroup(title: HelpTitle.recorded) var guarding: GuardOptions
    @OptionGroup(title: HelpTitle.recorded) var failure: FailureOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func validate() throws {
        try guarding.validate(with: sampling.sample)
        try list.validate(with: sampling.sample)
    }

    func run() throws {
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .allocations, program: program, report: report.value())
        run.environment = sampling.environment(guarding: guarding).merging(list.environment) { $1 }
            .merging(failure.environment) { $1 }
        try run.run()
    }
}
