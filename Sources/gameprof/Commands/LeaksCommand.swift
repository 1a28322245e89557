import ArgumentParser

struct LeaksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leaks", abstract: "Find leaks, retain cycles and over-retains when the program ends.",
        usage: "gameprof leaks [options] [--] PROGRAM [ARGS…] | core.PID | --pid PID [--every 60s [--for 10m]]")

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.target) var image: ImageOptions
    @OptionGroup(title: HelpTitle.target) var looks: LookOptions
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
        let interval = try looks.interval(of: image.pid)
        if let source = try image.source(target.program) {
            if let interval, let pid = image.pid {
                var output = ReportOutput(instrument: .leaks, files: report.value(), program: source.name)
                output.search = symbols.search
                return try LookSeries(pid: pid, interval: interval).report(source, output, keeping: trace.output)
            }
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
