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

    @OptionGroup var sampling: SamplingOptions

    @Flag(
        name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks as separate frames.")
    var runtimeFrames = false

    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        var run = InstrumentRun(instrument: .time, program: program.value(), report: report.value())
        run.environment = sampling.environment
        run.keepsRuntimeFrames = runtimeFrames
        try run.run()
    }
}
