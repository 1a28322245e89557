import ArgumentParser
import Profiler

struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time",
        abstract: "Sample where the time goes: functions, lines, stacks of every thread, a flame graph.",
        usage: "gameprof time [options] [--] PROGRAM [ARGS…]",
        discussion: """
            Each thread is interrupted after every millisecond of its CPU time and its stack is written down. Time in \
            reference counting, allocation and other work of the runtime counts as that of the function that needed it.
            """)

    @OptionGroup var sampling: SamplingOptions

    @Flag(name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks by themselves.")
    var runtimeFrames = false

    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        var run = InstrumentRun(instrument: "time", instruments: "time", program: program, report: report)
        run.environment = sampling.environment
        run.keepsRuntimeFrames = runtimeFrames
        try run.run()
    }
}
