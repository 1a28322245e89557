import ArgumentParser
import Foundation
import StaticFindingModel

extension StaticFinding.Confidence: ExpressibleByArgument {}

/// What `gameprof analyze` looks at, and where its results go.
struct StaticFindingOptions: ParsableArguments {
    @Argument(help: "Swift files and folders.")
    var paths: [String]

    @Option(
        name: .long, help: ArgumentHelp("Compare the findings with this recording.", valueName: "file.gptrace"))
    var trace: String?

    @Option(name: .long, help: ArgumentHelp("Show findings of at least this confidence: low, medium, high."))
    var confidence: StaticFinding.Confidence = .medium

    @Option(
        name: .long,
        help: ArgumentHelp("Write the recording's page, with static findings beside its findings.", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Option(name: .long, help: ArgumentHelp("Write SARIF 2.1.0 (- is standard output).", valueName: "file"))
    var sarif: String?

    @Flag(name: .long, help: "Print annotations for GitHub to standard output.")
    var github = false

    @Option(
        name: .long, help: ArgumentHelp("Omit the findings that this YAML file suppresses.", valueName: "file.yml"))
    var suppressions: String?

    @Flag(name: .long, help: "Show the safe edits and apply them.")
    var fix = false

    @Flag(name: .customLong("dry-run"), help: "With --fix: show the edits only.")
    var dryRun = false

    @Flag(name: .customLong("no-cache"), help: "Ignore the cache and read all files.")
    var noCache = false

    @Option(
        name: .customLong("index-store"),
        help: ArgumentHelp(
            "Use this index of a build instead of .build/debug/index/store.",
            valueName: "folder"))
    var indexStore: String?

    @Flag(name: .customLong("no-index"), help: "Use no index of a build.")
    var noIndex = false

    @Option(name: .long, help: ArgumentHelp("Threads.", valueName: "n"))
    var jobs: Int?

    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @Flag(name: .long, help: "Print only errors and the requested output.")
    var quiet = false

    mutating func validate() throws {
        if [json == "-", sarif == "-", github].filter({ $0 }).count > 1 {
            throw ValidationError("Only one report can go to standard output.")
        }
        if html != nil, trace == nil {
            throw ValidationError("--html needs --trace, because the page shows a recording.")
        }
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
