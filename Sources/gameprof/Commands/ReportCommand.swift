import ArgumentParser

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Make a report from a stored trace.",
        usage: "gameprof report F.gptrace [--html F] [--json F] [--text] [options]")

    @OptionGroup(title: HelpTitle.target) var trace: TraceArgument
    @OptionGroup(title: HelpTitle.analysis) var profile: ProfileOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var report: ReportFileOptions

    func run() throws {
        var files = report.value()
        if files.html == nil, files.json == nil { files.text = true }
        var output = ReportOutput(files: files)
        output.keepsRuntimeFrames = profile.runtimeFrames
        output.search = symbols.search
        try output.check()
        let status = try output.make(from: trace.path).exitStatus
        if status != .nothingFound { throw status }
    }
}
