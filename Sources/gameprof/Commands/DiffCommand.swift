import ArgumentParser
import Foundation
import Profiler

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two traces: time and allocations by function, stack and type.",
        usage: "gameprof diff BEFORE.gptrace AFTER.gptrace [--html F] [--json F]",
        discussion: """
            Functions are compared by name, inlined ones like others, so that two builds can be compared. Time is \
            compared when both traces have samples, memory when both have allocations. The page draws the stacks of \
            both over each other: red is more than before, blue is less.
            """)

    @Argument(help: ArgumentHelp("The trace to compare with.", valueName: "before.gptrace"))
    var before: String

    @Argument(help: ArgumentHelp("The trace that is compared.", valueName: "after.gptrace"))
    var after: String

    @Option(
        name: .long, help: ArgumentHelp("Write the comparison as one HTML page with a flame graph.", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write the comparison as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Flag(name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks by themselves.")
    var runtimeFrames = false

    func run() throws {
        for path in [html, json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        let recordings = try [before, after].map { try RecordingReader.read(path: $0) }
        let symbolicators = recordings.map { Symbolicator(recording: $0) }
        let report = ComparisonReport(
            before: (recordings[0], symbolicators[0]), after: (recordings[1], symbolicators[1]),
            keepsRuntimeFrames: runtimeFrames)
        guard !report.isEmpty else {
            throw ToolError(.wrongUsage, "\(before) and \(after) have nothing in common to compare.")
        }
        if let html { try AtomicFile.write(try ComparisonPage.render(report), to: html) }
        if let json { try AtomicFile.write(try JSONReport.encode(report), to: json) }
        if html != "-", json != "-" { try StandardOutput.write(ComparisonText.render(report) + "\n") }
    }

    func validate() throws {
        if html == "-", json == "-" { throw ValidationError("Only one of both can go to standard output.") }
    }
}
