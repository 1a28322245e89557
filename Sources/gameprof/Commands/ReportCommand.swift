import ArgumentParser

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Make a report from a stored trace.",
        usage: "gameprof report F.gptrace [--html F] [--json F] [--text] [options]")

    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var trace: String

    @Flag(
        name: .customLong("runtime-frames"),
        help: "Show reference counting, allocation and thunks as separate frames in a profile.")
    var runtimeFrames = false

    @OptionGroup var symbols: SymbolOptions
    @OptionGroup var report: ReportFileOptions

    func run() throws {
        var files = report.value()
        if files.html == nil, files.json == nil { files.text = true }
        var output = ReportOutput(files: files)
        output.keepsRuntimeFrames = runtimeFrames
        output.search = symbols.search
        try output.check()
        let status = try output.make(from: trace).exitStatus
        if status != .nothingFound { throw status }
    }
}
