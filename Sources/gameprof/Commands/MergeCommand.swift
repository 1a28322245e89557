import ArgumentParser

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the traces, reports or check results of several jobs.",
        usage: """
            gameprof merge A.gptrace B.gptrace… [--output M.json] [--html F]
            gameprof merge A.json B.json… [--output M.json] [--junit F] [--sarif F] [--markdown F]
            """,
        discussion: """
            Traces and reports (--json of an instrument) become one report. A finding that several of them have is \
            listed once, with where it was seen; allocations and CPU time are added up, peaks are those of the largest \
            process. Traces are read one after the other.

            Results are what gameprof check --shard i/n --json F wrote. A missing part is an error. All outputs of check \
            can be written for the joined result.

            The order of the files does not matter: the joined file has the same bytes.

            Exit codes: 0 passed or nothing found, 1 a finding or a measure fails, 2 a file cannot be read or is missing, \
            4 a recording is incomplete.
            """)

    @OptionGroup(title: HelpTitle.target) var target: MergeTargetOptions
    @OptionGroup(title: HelpTitle.analysis) var suppressions: SuppressionOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var files: MergedFileOptions
    @OptionGroup var results: ResultFileOptions

    func run() throws {
        var results = results.value()
        try ResultOutput(results).check()
        if let output = files.output, output != "-" { try AtomicFile.check(output) }
        let areReports = try target.inputs.map(MergedFiles.isReport)
        guard Set(areReports).count < 2 else {
            throw ToolError(
                .wrongUsage, "Results of a check cannot be joined with traces or reports: merge them separately.")
        }
        guard areReports.first == true else {
            guard files.html == nil, suppressions.path == nil else {
                throw ToolError(.wrongUsage, "--html and --suppressions are for traces: results have --reports.")
            }
            return try ResultJoin(inputs: target.inputs, output: files.output, files: results).run()
        }
        if let option = results.ofChecksAlone {
            throw ToolError(.wrongUsage, "\(option) is for results of a check: give it to gameprof check.")
        }
        if let output = files.output, let json = results.json, output != json {
            throw ToolError(.wrongUsage, "--output and --json name different files for the joined report.")
        }
        results.json = files.output ?? results.json
        let reports = ReportFiles(
            html: files.html, json: results.json, showsSources: results.showsSources,
            text: files.html == nil && results.json == nil, suppressions: suppressions.path,
            allowsColour: results.allowsColour, isQuiet: results.isQuiet)
        try ReportJoin(inputs: target.inputs, files: reports, search: symbols.search).run()
    }
}
