import ArgumentParser
import Foundation
import GameprofAnalysis

extension StaticFinding.Confidence: ExpressibleByArgument {}

/// What `gameprof analyze` looks at, and where its results go.
struct StaticFindingOptions: ParsableArguments {
    @OptionGroup(title: HelpTitle.target) var sources: StaticFindingSources
    @OptionGroup(title: HelpTitle.analysis) var filter: StaticFindingFilter
    @OptionGroup(title: HelpTitle.analysis) var suppressions: SuppressionOptions
    @OptionGroup(title: HelpTitle.output) var files: StaticFindingFiles
    @OptionGroup(title: HelpTitle.output) var printing: PrintingOptions
    @OptionGroup(title: HelpTitle.integration) var sarifFile: SARIFOptions
    @OptionGroup(title: HelpTitle.integration) var annotationFile: AnnotationOptions

    var sarif: String? { sarifFile.sarif }
    var annotations: [String] { annotationFile.annotations }

    mutating func validate() throws {
        if ([files.json, sarif].compactMap { $0 } + annotations).count(where: { $0 == "-" }) > 1 {
            throw ValidationError("Only one report can go to standard output.")
        }
        if sources.paths.isEmpty { throw ValidationError("Name Swift files or folders.") }
        if sources.traces.count > 1 { throw ValidationError("The findings are compared with one recording.") }
        if files.html != nil, sources.traces.isEmpty {
            throw ValidationError("--html needs a trace, because the page shows a recording.")
        }
        _ = try threads()
    }

    private func threads() throws -> Int? {
        let variable = ProcessInfo.processInfo.environment["GAMEPROF_ANALYZE_JOBS"]
        guard let number = variable.map({ Int($0) ?? 0 }) else { return nil }
        guard (1...256).contains(number) else {
            throw ValidationError("GAMEPROF_ANALYZE_JOBS needs a number from 1 to 256.")
        }
        return number
    }

    /// Words for the analyzer.
    func analyzerArguments() throws -> [String] {
        var words = ["--format", "json"]
        if ProcessInfo.processInfo.environment["GAMEPROF_ANALYZE_CACHE"] == "none" {
            words.append("--no-cache")
        }
        switch filter.indexStore {
        case nil: break
        case "none": words.append("--no-index")
        case let folder?: words += ["--index-store", folder]
        }
        if let threads = try threads() { words += ["--jobs", "\(threads)"] }
        return words + ["--"] + sources.paths
    }
}

/// The sources, and the recording that their findings are compared with.
struct StaticFindingSources: ParsableArguments {
    @Argument(help: "Swift files and folders, and a trace that confirms or clears their findings.")
    var inputs: [String] = []

    var paths: [String] { inputs.filter { !CheckRun.isTrace($0) } }
    var traces: [String] { inputs.filter(CheckRun.isTrace) }
}

/// Which static findings there are.
struct StaticFindingFilter: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Show findings of at least this confidence: low, medium, high.", visibility: .hidden))
    var confidence: StaticFinding.Confidence = .medium

    /// Of a build, instead of .build/debug/index/store; none.
    @Option(name: .customLong("index-store"), help: .hidden)
    var indexStore: String?
}

/// The files of an analysis.
struct StaticFindingFiles: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the recording's page, with static findings beside its findings, without source with \(SourceOptions.name).",
            valueName: "file"))
    var html: String?

    @OptionGroup var sources: SourceOptions

    @Option(name: .long, help: ArgumentHelp("Write the findings as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Option(
        name: .customLong("fix"), parsing: .singleValue,
        help: ArgumentHelp(
            "Show the safe edits and apply them (also --fix alone), or only show them.", valueName: "apply|show"))
    var fixes: [Fix] = []

    enum Fix: String, ExpressibleByArgument { case apply, show }
}
