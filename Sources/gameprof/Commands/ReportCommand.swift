import ArgumentParser

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Report upon a stored trace.",
        usage: "gameprof report F.gptrace [--html F] [--json F] [--text] [options]")

    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var trace: String

    @OptionGroup var report: ReportFileOptions

    func run() throws {
        var options = report
        if options.html == nil, options.json == nil { options.text = true }
        let output = ReportOutput(instrument: "report", options: options, program: nil)
        try output.check()
        let status = try output.make(from: trace).exitStatus
        if status != .nothingFound { throw status }
    }
}
