import ArgumentParser
import Foundation
import GameprofCheck
import GameprofRendering
import GameprofReportModel
import GameprofResults

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the traces, reports or check results of several jobs.",
        usage: """
            gameprof merge A.gptrace B.gptrace… [--output M.json] [--html F]
            gameprof merge A.json B.json… [--output M.json] [--junit F] [--sarif F] [--markdown F]
            """,
        discussion: """
            Traces and reports (--json of an instrument) become one report: a finding that several have stands there once, \
            with where it was seen; allocations and CPU time are added up, peaks are those of the largest process. Traces \
            are read one after the other.

            Results are what gameprof check --shard i/n --json F wrote. A missing part is an error. All outputs of check \
            can be written of the whole.

            The order of the files does not matter: the joined file has the same bytes.

            Exit codes: 0 passed or nothing found, 1 a finding or a measure fails, 2 a file cannot be read or is missing, \
            4 a recording is incomplete.
            """)

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the joined result as JSON (as --json).", valueName: "file"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the report of joined traces as one HTML page (- is standard output).", valueName: "file"))
    var html: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Omit the findings of traces that this YAML file suppresses.", valueName: "file.yml"))
    var suppressions: String?

    @OptionGroup var symbols: SymbolOptions
    @OptionGroup var results: ResultFileOptions

    @Argument(help: ArgumentHelp("Traces, reports, or results of gameprof check --json.", valueName: "file"))
    var inputs: [String]

    func run() throws {
        try results.check()
        if let output, output != "-" { try AtomicFile.check(output) }
        let areReports = try inputs.map(MergedFiles.isReport)
        guard Set(areReports).count < 2 else {
            throw ToolError(
                .wrongUsage, "Results of a check cannot be joined with traces or reports: merge them separately.")
        }
        if areReports.first == true { try mergeReports() } else { try mergeResults() }
    }

    private func mergeReports() throws {
        let ofCheck = [
            ("--junit", results.junit), ("--sarif", results.sarif), ("--markdown", results.markdown),
            ("--annotations", results.annotations), ("--reports", results.reports),
            ("--github", results.github ? "" : nil),
        ]
        if let option = ofCheck.first(where: { $0.1 != nil })?.0 {
            throw ToolError(.wrongUsage, "\(option) is for results of a check: give it to gameprof check.")
        }
        if let output, let json = results.json, output != json {
            throw ToolError(.wrongUsage, "--output and --json name different files for the joined report.")
        }
        var files = ReportFiles(html: html, json: output ?? results.json)
        files.suppressions = suppressions
        files.allowsColour = !results.noColor
        files.isQuiet = results.quiet
        files.text = files.html == nil && files.json == nil
        var reportOutput = ReportOutput(files: files)
        reportOutput.search = symbols.search
        try reportOutput.check()
        let report = try MergedFiles(output: reportOutput).merge(inputs)
        try reportOutput.write(report)
        let status = report.exitStatus
        if status != .nothingFound { throw status }
    }

    private func mergeResults() throws {
        guard html == nil, suppressions == nil else {
            throw ToolError(.wrongUsage, "--html and --suppressions are for traces: results have --reports.")
        }
        let result: CheckResult
        do {
            result = try CheckResult(merging: try inputs.map(MergedFiles.checkResult))
        } catch let error as ResultMergeError {
            throw ToolError(.wrongUsage, error.description)
        }
        if let output { try AtomicFile.write(try CheckJSON.render(result), to: output) }
        try results.write(result)
        if result.outcome != .passed { throw result.outcome == .failed ? ExitStatus.findings : .toolFailed }
    }
}
