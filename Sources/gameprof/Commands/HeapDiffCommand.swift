import ArgumentParser

struct HeapDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two heaps by type and by holder.",
        usage: """
            gameprof heap diff A.gptrace B.gptrace [--html F] [--json F]
            gameprof heap diff F.gptrace [--snapshot 1,2,3] [--html F] [--json F]
            gameprof heap diff A.gptrace --pid PID [--html F] [--json F]
            """,
        discussion: """
            Compares the last heaps of two traces or core files, or snapshots of one trace. Of three snapshots it also shows what was made \
            after the first and lives at the second and the third. With --pid the later heap is that of a running process.
            """)

    @OptionGroup(title: HelpTitle.target) var compared: ComparedTraces
    @OptionGroup(title: HelpTitle.target) var image: ImageOptions
    @OptionGroup(title: HelpTitle.analysis) var snapshot: SnapshotNumberOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var files: ComparisonFileOptions

    func run() throws {
        let traces = compared.traces
        let other =
            traces.first { !CheckRun.isTrace($0) && !CoreOpening.isCore($0) }.map { ", and \($0) is none" } ?? ""
        guard other.isEmpty, !traces.isEmpty else {
            throw ToolError(.wrongUsage, "heap diff compares traces\(other).")
        }
        guard traces.count + (image.pid == nil ? 0 : 1) <= 2 else {
            throw ToolError(
                .wrongUsage,
                image.pid.map { "heap diff compares one trace or core file with process \($0)." }
                    ?? "heap diff compares two traces, or one with itself.")
        }
        let numbers = try snapshot.numbers()
        if image.pid != nil, numbers != nil {
            throw ToolError(
                .wrongUsage, "--snapshot chooses among snapshots of traces: it cannot be combined with --pid.")
        }
        guard numbers.map({ traces.count == 2 ? $0.count == 2 : (2...3).contains($0.count) }) ?? true else {
            throw ToolError(.wrongUsage, "--snapshot takes two numbers of snapshots, or three of one trace: 1,2,3.")
        }
        let hasCore = traces.contains(where: CoreOpening.isCore)
        let process = hasCore && image.pid == nil ? nil : try image.source([])
        try HeapDiff(
            traces: traces, process: process, program: image.executable, snapshots: numbers, json: files.json,
            html: files.html, printsText: files.printsText, search: symbols.search
        ).run()
    }
}

/// One or two traces.
struct ComparedTraces: ParsableArguments {
    @Argument(help: ArgumentHelp("Two traces, or one of several snapshots.", valueName: "file.gptrace"))
    var traces: [String] = []
}
