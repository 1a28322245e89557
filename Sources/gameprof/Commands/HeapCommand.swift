import ArgumentParser
import GameprofSymbolication

struct HeapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heap",
        abstract: "Show what lives at the end or at the peak, what holds it and what would be freed.",
        usage: """
            gameprof heap [options] [--] PROGRAM [ARGS…] | F.gptrace
            gameprof heap diff A.gptrace B.gptrace [--html F] [--json F]
            gameprof heap diff F.gptrace [--snapshots 1,2,3] [--html F] [--json F]
            """,
        discussion: """
            Retained is what would be freed with an object. With --type only these types are shown: how they are held, \
            what refers to them, what they refer to and who allocated what they retain.

            diff compares the last heaps of two traces, or snapshots of one, by type and by holder. Of three snapshots \
            it also shows what was made after the first and lives at the second and the third.
            """)

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "Show how objects of this type are held and what they retain. May be repeated.",
            discussion: "Board, Game.Board, Box<Card>, *Controller: with or without module; * and ? are wildcards.",
            valueName: "type"))
    var types: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Show the heap of this snapshot of a trace, from 1 (default: the one near the peak, else the last).",
            valueName: "number"))
    var snapshot: Int?

    @Option(
        name: .customLong("snapshots"),
        help: ArgumentHelp("The snapshots that diff compares, by their numbers.", valueName: "1,2,3"))
    var compared: String?

    @OptionGroup var snapshots: SnapshotOptions
    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func run() throws {
        let program = program.value()
        let traces = program.words.dropFirst()
        if program.words[0] == "diff", !traces.isEmpty, traces.allSatisfy(Self.isTrace) {
            return try diff(Array(traces), search: program.search)
        }
        guard program.words.count == 1, Self.isTrace(program.words[0]) else {
            var run = InstrumentRun(instrument: .heap, program: program, report: report.value())
            run.snapshots = snapshots.request
            run.heapTypes = types
            run.heapSnapshot = snapshot
            return try run.run()
        }
        try show(program.words[0], search: program.search)
    }

    private static func isTrace(_ word: String) -> Bool { word.hasSuffix(".gptrace") }

    private func diff(_ traces: [String], search: SymbolSearch) throws {
        guard traces.count <= 2 else {
            throw ToolError(.wrongUsage, "heap diff compares two traces, or one with itself.")
        }
        let numbers = compared.map { $0.split(separator: ",").map { Int($0) ?? 0 } }
        let fits = numbers.map { traces.count == 2 ? $0.count == 2 : (2...3).contains($0.count) } ?? true
        guard fits, numbers?.allSatisfy({ $0 > 0 }) ?? true else {
            throw ToolError(.wrongUsage, "--snapshots takes two numbers of snapshots, or three of one trace: 1,2,3.")
        }
        let files = report.value()
        try HeapDiff(traces: traces, snapshots: numbers, json: files.json, html: files.html, search: search).run()
    }

    private func show(_ trace: String, search: SymbolSearch) throws {
        var files = report.value()
        if files.html == nil, files.json == nil { files.text = true }
        var output = ReportOutput(instrument: .heap, files: files)
        output.search = search
        output.heapTypes = types
        output.heapSnapshot = snapshot
        try output.check()
        var hasGraph = false
        let report = try output.build(from: trace) { hasGraph = $0.heapSnapshots.contains { $0.graph != nil } }
        guard report.liveHeap != nil else {
            guard let snapshot, hasGraph else {
                throw ToolError.noGraph(in: trace, instruments: Set(report.capture.instruments))
            }
            throw ToolError(.wrongUsage, "\(trace) holds no graph of snapshot \(snapshot).")
        }
        try output.write(report)
        if report.exitStatus != .nothingFound { throw report.exitStatus }
    }
}
