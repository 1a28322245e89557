import ArgumentParser
import Foundation
import Profiler

extension SourceSuspect.Confidence: ExpressibleByArgument {}

/// What `gameprof analyze` looks at, and where its results go.
struct SuspectOptions: ParsableArguments {
    @Argument(help: "Swift files and folders.")
    var paths: [String]

    @Option(
        name: .long, help: ArgumentHelp("Say what this recording confirms and clears.", valueName: "file.gptrace"))
    var trace: String?

    @Option(name: .long, help: ArgumentHelp("Show suspects from this confidence on: low, medium, high."))
    var confidence: SourceSuspect.Confidence = .medium

    @Option(
        name: .long,
        help: ArgumentHelp("Write the recording's page, with suspects beside its findings.", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Option(name: .long, help: ArgumentHelp("Write SARIF 2.1.0 (- is standard output).", valueName: "file"))
    var sarif: String?

    @Flag(name: .long, help: "Print annotations for GitHub to standard output.")
    var github = false

    @Option(
        name: .long, help: ArgumentHelp("Leave out the suspects that this YAML file names.", valueName: "file.yml"))
    var suppressions: String?

    @Flag(name: .long, help: "Show the edits that are safe, then apply them.")
    var fix = false

    @Flag(name: .customLong("dry-run"), help: "With --fix: show the edits only.")
    var dryRun = false

    @Flag(name: .customLong("no-cache"), help: "Read files again though nothing has changed.")
    var noCache = false

    @Option(
        name: .customLong("index-store"),
        help: ArgumentHelp(
            "Look up other modules' declarations in this build's index, not in .build/debug/index/store.",
            valueName: "folder"))
    var indexStore: String?

    @Flag(name: .customLong("no-index"), help: "Do without a build's index.")
    var noIndex = false

    @Option(name: .long, help: ArgumentHelp("Threads.", valueName: "n"))
    var jobs: Int?

    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @Flag(name: .long, help: "Print nothing but errors and what is asked for.")
    var quiet = false

    mutating func validate() throws {
        if [json == "-", sarif == "-", github].filter({ $0 }).count > 1 {
            throw ValidationError("Only one report can go to standard output.")
        }
        if html != nil, trace == nil { throw ValidationError("--html needs --trace: the page is that of a recording.") }
        if noIndex, indexStore != nil { throw ValidationError("--no-index and --index-store exclude each other.") }
        if dryRun, !fix { throw ValidationError("--dry-run needs --fix.") }
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs needs a number from 1 to 256.") }
    }

    /// Words for the analyzer.
    var analyzerArguments: [String] {
        var words = ["--format", "json"]
        if noCache { words.append("--no-cache") }
        if noIndex { words.append("--no-index") }
        if let indexStore { words += ["--index-store", indexStore] }
        if let jobs { words += ["--jobs", "\(jobs)"] }
        return words + ["--"] + paths
    }
}
