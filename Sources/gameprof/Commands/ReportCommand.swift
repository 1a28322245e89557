import ArgumentParser

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Report upon a stored trace.",
        usage: "gameprof report F.gptrace [--html F] [--json F] [--text] [options]")

    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var trace: String

    @Flag(
        name: .customLong("runtime-frames"),
        help: "Show reference counting, allocation and thunks by themselves in a profile.")
    var runtimeFrames = false

    @OptionGroup var report: ReportFileOptions

    func run() throws {
        var options = report
        if options.html == nil, options.json == nil { options.text = true }
        var output = ReportOutput(instrument: "report", options: options, program: nil)
        output.keepsRuntimeFrames = runtimeFrames
        try output.check()
        let status = try output.make(from: trace).exitStatus
        if status != .nothingFound { throw status }
    }
}
