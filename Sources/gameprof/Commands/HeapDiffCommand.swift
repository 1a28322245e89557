import ArgumentParser

struct HeapDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two heaps by type and by holder.",
        usage: """
            gameprof heap diff A.gptrace B.gptrace [--html F] [--json F]
            gameprof heap diff F.gptrace [--snapshot 1,2,3] [--html F] [--json F]
            """,
        discussion: """
            Compares the last heaps of two traces or core files, or snapshots of one trace. Of three snapshots it also shows what was made \
            after the first and lives at the second and the third.
            """)

    @OptionGroup(title: HelpTitle.target) var compared: ComparedTraces
    @OptionGroup(title: HelpTitle.analysis) var snapshot: SnapshotNumberOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var files: ComparisonFileOptions

    func run() throws {
        let traces = compared.traces
        let other =
            traces.first { !CheckRun.isTrace($0) && !HeapImageSource.isCore($0) }.map { ", and \($0) is none" } ?? ""
        guard other.isEmpty, !traces.isEmpty else {
            throw ToolError(.wrongUsage, "heap diff compares traces\(other).")
        }
        guard traces.count <= 2 else {
            throw ToolError(.wrongUsage, "heap diff compares two traces, or one with itself.")
        }
        let numbers = try snapshot.numbers()
        guard numbers.map({ traces.count == 2 ? $0.count == 2 : (2...3).contains($0.count) }) ?? true else {
            throw ToolError(.wrongUsage, "--snapshot takes two numbers of snapshots, or three of one trace: 1,2,3.")
        }
        try HeapDiff(
            traces: traces, snapshots: numbers, json: files.json, html: files.html, printsText: files.printsText,
            search: symbols.search
        ).run()
    }
}

/// One or two traces.
struct ComparedTraces: ParsableArguments {
    @Argument(help: ArgumentHelp("Two traces, or one of several snapshots.", valueName: "file.gptrace"))
    var traces: [String] = []
}
