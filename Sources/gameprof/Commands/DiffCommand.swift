import ArgumentParser
import Foundation
import GameprofHTMLRendering
import GameprofProfiler
import GameprofRecording
import GameprofRendering
import GameprofReportModel
import GameprofSymbolication

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two traces: leaks, memory, and time and allocations by function, stack and type.",
        usage: "gameprof diff BEFORE.gptrace AFTER.gptrace [--html F] [--json F] [--fail-on leaks,live,peak]",
        discussion: """
            Functions, including inlined ones, are compared by name, so that two builds can be compared. Time is \
            compared if both traces have samples, memory if both have allocations. The page shows the stacks of both \
            in one flame graph: red is more than before, blue is less. Leaks are compared if both traces were searched.

            Within noise is a difference of samples up to twice its standard deviation, of the whole CPU time up to 5 %, \
            and of memory and counts up to 1 % (or 4 KB, 16 blocks). With --fail-on the exit code is 1 if there are new \
            or more leaks, or if a figure grew beyond noise; 4 if one that is named was not recorded in both.
            """)

    @Argument(help: ArgumentHelp("The earlier trace.", valueName: "before.gptrace"))
    var before: String

    @Argument(help: ArgumentHelp("The later trace.", valueName: "after.gptrace"))
    var after: String

    @Option(
        name: .long, help: ArgumentHelp("Write the comparison as one HTML page with a flame graph.", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write the comparison as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Option(
        name: .customLong("fail-on"),
        help: ArgumentHelp("Exit with 1 if these grew: \(DiffLimits.names).", valueName: "a,b"))
    var failOn: String?

    @Flag(
        name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks as separate frames.")
    var runtimeFrames = false

    @OptionGroup var symbols: SymbolOptions

    func run() throws {
        let limits = try DiffLimits(failOn)
        for path in [html, json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        let recordings = try [before, after].map { try RecordingReader.read(path: $0) }
        let symbolicators = recordings.map { Symbolicator(recording: $0, search: symbols.search) }
        var report = ComparisonReport(
            before: (recordings[0], symbolicators[0]), after: (recordings[1], symbolicators[1]),
            keepsRuntimeFrames: runtimeFrames)
        report.notes = zip([before, after], symbolicators).flatMap { path, names in
            names.problems.map { "\(path): \($0)" }
        }
        let reports = zip(recordings, symbolicators).map { recording, symbolicator in
            Report(ReportBuilder.build(recording: recording, symbolicator: symbolicator, options: ReportOptions()))
        }
        report.leaks = [ComparisonReport.FindingRow](before: reports[0], after: reports[1])
        for note in report.notes { StandardError.say(note) }
        guard !report.isEmpty else {
            throw ToolError(.wrongUsage, "\(before) and \(after) have no instrument in common.")
        }
        if let html { try AtomicFile.write(try ComparisonPage.render(report), to: html) }
        if let json { try AtomicFile.write(try JSONReport.encode(report), to: json) }
        if html != "-", json != "-" { try StandardOutput.write(ComparisonText.render(report) + "\n") }
        try limits.judge(report)
    }

    func validate() throws {
        if html == "-", json == "-" { throw ValidationError("Only one report can go to standard output.") }
    }
}
