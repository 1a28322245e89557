import ArgumentParser

struct FilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Count reads and writes of files, sockets and pipes; find descriptors that are never closed.",
        usage: "gameprof files [options] [--] PROGRAM [ARGS…]",
        discussion: """
            Shows calls, bytes and time of each file and call stack. Calls that bypass the C library (io_uring, system \
            calls of the program's own) are not seen. For buffered streams, only fread, fwrite, fgets, fputs and \
            getline are counted.
            """)

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions

    func run() throws {
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        try InstrumentRun(instrument: .files, program: program, report: report.value()).run()
    }
}
