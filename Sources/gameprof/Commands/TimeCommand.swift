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

    @Option(
        name: .long,
        help: ArgumentHelp("Samples in a second of each thread's CPU time, 1 to 10000.", valueName: "n"))
    var rate = 1000

    @Flag(name: .long, help: "Look at waiting threads too: locks, sleeps, input and output, in seconds by stack.")
    var wall = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            What asks for samples: perf (exact, not permitted everywhere), signal (the same with a debugger attached, \
            dearer), timer, or any (the first that works).
            """,
            valueName: "any|perf|signal|timer"))
    var source = "any"

    @Flag(name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks by themselves.")
    var runtimeFrames = false

    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func validate() throws {
        guard (1...10_000).contains(rate) else { throw ValidationError("--rate takes a number from 1 to 10000.") }
        guard ["any", "perf", "signal", "timer"].contains(source) else {
            throw ValidationError("--source takes any, perf, signal or timer, not “\(source)”.")
        }
    }

    func run() throws {
        var run = InstrumentRun(instrument: "time", instruments: "time", program: program, report: report)
        run.environment = ["GAMEPROF_TIME": "rate=\(rate);source=\(source)" + (wall ? ";wall" : "")]
        run.keepsRuntimeFrames = runtimeFrames
        try run.run()
    }
}
