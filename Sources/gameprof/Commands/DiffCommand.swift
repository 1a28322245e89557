import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofHeap
import GameprofReport
import GameprofTrace

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two traces: leaks, memory, and time and allocations by function, stack and type.",
        usage: """
            gameprof diff BEFORE.gptrace AFTER.gptrace [--html F] [--json F] [--fail-on leaks,live,peak]
            gameprof diff FOLDER_A FOLDER_B [--html F] [--json F]
            gameprof diff --repeat N [--html F] [--json F] -- PROGRAM_A … -- PROGRAM_B …
            """,
        discussion: """
            Functions, including inlined ones, are compared by name, so that two builds can be compared. Time is \
            compared if both traces have samples, memory if both have allocations. The page shows the timelines \
            of both one above the other, and their stacks in one flame graph: red is more than before, blue is less. Leaks are compared if both traces were searched.

            A difference is within noise up to twice the standard deviation of the samples; for memory and counts, up \
            to 1 % (or 4 KB, 16 blocks). The total CPU time of one run each is not compared, because the same program \
            takes a quarter more or less. --repeat 5 runs two programs in turn and compares CPU time, peak resident \
            memory, and of each game loop the frame times and the frames over the budget, by the test of Mann and \
            Whitney: a verdict needs p < 0.05 and more than 3 %. The exit code is 1 if CPU time, memory or the 95th \
            percentile of a loop is worse. Two folders with four traces or more of each side are compared in the same \
            way; the page then shows the timelines and stacks of the runs in the middle. With --fail-on the exit code \
            is 1 if there are new or more leaks, or if a figure grew beyond noise. It is 4 if a named figure was not recorded in both.
            """)

    @Argument(
        help: ArgumentHelp(
            "The earlier trace and the later one, folders of traces, or two programs.", valueName: "trace"))
    var inputs: [String]

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Run two programs alternately, this many times each.", valueName: "n"))
    var runs: Int?

    @Option(
        name: .customLong("fail-on"),
        help: ArgumentHelp("Exit with 1 if these grew: \(DiffLimits.names).", valueName: "a,b"))
    var failOn: String?

    @OptionGroup(title: HelpTitle.analysis) var profile: ProfileOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var files: ComparisonFileOptions

    func run() throws {
        let limits = try DiffLimits(failOn)
        let (html, json) = (files.html, files.json)
        if let runs {
            try refuseLimits()
            return try RepeatedDiff(inputs, runs: runs).compare(files)
        }
        guard inputs.count == 2 else {
            throw ToolError(.wrongUsage, "Name two traces: gameprof diff BEFORE.gptrace AFTER.gptrace.")
        }
        for path in [html, json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        if let folders = try FolderDiff(inputs) {
            try refuseLimits()
            return try folders.compare(files, symbols.search, compare: compare)
        }
        let (report, recordings) = try compare(inputs[0], inputs[1])
        guard !report.isEmpty else {
            throw ToolError(.wrongUsage, "\(inputs[0]) and \(inputs[1]) were not recorded with a common instrument.")
        }
        if let html { try AtomicFile.write(try ComparisonPage.render(report, of: recordings), to: html) }
        if let json { try AtomicFile.write(try JSONReport.encode(report), to: json) }
        if files.printsText { try StandardOutput.write(ComparisonText.render(report) + "\n") }
        try limits.judge(report)
    }

    private func refuseLimits() throws {
        guard failOn == nil else {
            throw ToolError(
                .wrongUsage,
                "--fail-on is for two traces: of several runs, CPU time, memory and the 95th percentile decide.")
        }
    }

    private func compare(_ before: String, _ after: String) throws -> ComparedPair {
        let recordings = try [before, after].map { try Recording.read(trace: $0, files: symbols.search.folders) }
        let symbolicators = recordings.map { Symbolicator(recording: $0, search: symbols.search) }
        var report = ComparisonReport(
            before: (recordings[0], symbolicators[0]), after: (recordings[1], symbolicators[1]),
            keepsRuntimeFrames: profile.runtimeFrames)
        report.notes = zip([before, after], symbolicators).flatMap { path, names in
            names.problems.map { "\(path): \($0)" }
        }
        let reports = zip(recordings, symbolicators).map { recording, symbolicator in
            Report(ReportBuilder.build(recording: recording, symbolicator: symbolicator, options: ReportOptions()))
        }
        report.leaks = [ComparisonReport.FindingRow](before: reports[0], after: reports[1])
        for note in report.notes { StandardError.say(note) }
        return (report, (reports[0], reports[1]))
    }
}

/// Two traces compared, and their reports.
typealias ComparedPair = (report: ComparisonReport, recordings: (before: Report, after: Report))
