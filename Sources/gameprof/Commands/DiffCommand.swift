import ArgumentParser
import Foundation
import Profiler

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two traces: time and allocations by function, stack and type.",
        usage: "gameprof diff BEFORE.gptrace AFTER.gptrace [--json F]",
        discussion: """
            Functions are compared by name, inlined ones like others, so that two builds can be compared. Time is \
            compared when both traces have samples, memory when both have allocations.
            """)

    @Argument(help: ArgumentHelp("The trace to compare with.", valueName: "before.gptrace"))
    var before: String

    @Argument(help: ArgumentHelp("The trace that is compared.", valueName: "after.gptrace"))
    var after: String

    @Option(name: .long, help: ArgumentHelp("Write the comparison as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Flag(name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks by themselves.")
    var runtimeFrames = false

    func run() throws {
        if let json, json != "-" { try AtomicFile.check(json) }
        let recordings = try [before, after].map { try RecordingReader.read(path: $0) }
        let symbolicators = recordings.map { Symbolicator(recording: $0) }
        let report = ComparisonReport(
            before: (recordings[0], symbolicators[0]), after: (recordings[1], symbolicators[1]),
            keepsRuntimeFrames: runtimeFrames)
        guard !report.isEmpty else {
            throw ToolError(.wrongUsage, "\(before) and \(after) have nothing in common to compare.")
        }
        guard let json else {
            print(ComparisonText.render(report))
            return
        }
        let text = try JSONReport.encode(report)
        if json == "-" {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } else {
            try AtomicFile.write(text, to: json)
        }
    }
}
