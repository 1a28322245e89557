import ArgumentParser

struct LeaksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leaks", abstract: "Find leaks, retain cycles and over-retains when the program ends.",
        usage: "gameprof leaks [options] [--] PROGRAM [ARGS…] | core.PID | --pid PID")

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.target) var image: ImageOptions
    @OptionGroup(title: HelpTitle.recorded) var snapshots: SnapshotOptions
    @OptionGroup(title: HelpTitle.recorded) var retains: RetainOptions
    @OptionGroup(title: HelpTitle.recorded) var explanation: ExplainOptions
    @OptionGroup(title: HelpTitle.recorded) var why: WhyOptions
    @OptionGroup(title: HelpTitle.recorded) var sampling: BlockSamplingOptions
    @OptionGroup(title: HelpTitle.recorded) var guarding: GuardOptions
    @OptionGroup(title: HelpTitle.recorded) var failure: FailureOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func validate() throws { try guarding.validate(with: sampling.sample) }

    func run() throws {
        if let source = try image.source(target.program) {
            return try source.report(.leaks, report.value(), keeping: trace.output) { $0.search = symbols.search }
        }
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .leaks, program: program, report: report.value())
        run.environment = retains.environment.merging(why.environment) { $1 }.merging(
            sampling.environment(guarding: guarding)
        ) { $1 }.merging(failure.environment) { $1 }
        run.snapshots = snapshots.request
        run.runsAgain = explanation.explain
        run.explainingCommand = explanation.command(.leaks)
        try run.run()
    }
}
