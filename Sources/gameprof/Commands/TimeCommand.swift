import ArgumentParser

struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time",
        abstract: "Sample CPU time: functions, lines and stacks of every thread, with a flame graph.",
        usage: "gameprof time [options] [--] PROGRAM [ARGS…]",
        discussion: """
            The stack of each thread is sampled after every millisecond of its CPU time. Time in \
            reference counting, allocation and other runtime work is attributed to the calling function.
            """)

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.recorded) var sampling: SamplingOptions
    @OptionGroup(title: HelpTitle.analysis) var profile: ProfileOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func run() throws {
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .time, program: program, report: report.value())
        run.environment = sampling.environment
        run.keepsRuntimeFrames = profile.runtimeFrames
        try run.run()
    }
}
