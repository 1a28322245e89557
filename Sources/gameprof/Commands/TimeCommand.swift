import ArgumentParser

struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time",
        abstract: "Sample CPU time: functions, lines and stacks of every thread, with a flame graph.",
        usage: "gameprof time [options] [--] PROGRAM [ARGS…] | --pid PID",
        discussion: """
            The stack of each thread is sampled after every millisecond of its CPU time. Time in \
            reference counting, allocation and other runtime work is attributed to the calling function. With --pid a \
            running process is sampled from outside: by perf events, else by short stops.
            """)

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.target) var process: ProcessOptions
    @OptionGroup(title: HelpTitle.recorded) var sampling: SamplingOptions
    @OptionGroup(title: HelpTitle.recorded) var counting: ReferenceCountingOptions
    @OptionGroup(title: HelpTitle.analysis) var profile: ProfileOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func run() throws {
        try sampling.checkSource(ofProcess: process.pid != nil)
        if let pid = process.pid {
            guard target.program.isEmpty else {
                throw ToolError(.wrongUsage, "--pid \(pid) samples a process: name no program.")
            }
            var session = ProcessRun(
                options: sampling.options(pid: pid, seconds: process.seconds), report: report.value())
            session.output = trace.output
            session.search = symbols.search
            session.keepsRuntimeFrames = profile.runtimeFrames
            return try session.run()
        }
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        var run = InstrumentRun(instrument: .time, program: program, report: report.value())
        run.environment = sampling.environment.merging(counting.environment) { $1 }
        run.keepsRuntimeFrames = profile.runtimeFrames
        try run.run()
    }
}
