import ArgumentParser
import Foundation
import GameprofReport
import GameprofTrace

/// Which reports to write, and where.
struct ReportFileOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the report as one HTML page (- is standard output), without source with \(SourceOptions.name); source lines are links with GAMEPROF_EDITOR (\(Self.editors)).",
            valueName: "file"))
    var html: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the report as JSON (- is standard output; the program's output then goes to standard error), in "
                + "version 1 with \(ReportJSON.variable)=1.",
            valueName: "file"))
    var json: String?

    @Flag(name: .long, help: "Print the report as text to standard output.")
    var text = false

    @OptionGroup var suppressions: SuppressionOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var printing: PrintingOptions

    private static let editors = Editor.allCases.map(\.rawValue).joined(separator: ", ")

    mutating func validate() throws {
        let onOutput = [html == "-", json == "-", text].filter { $0 }.count
        if onOutput > 1 { throw ValidationError("Only one report can go to standard output.") }
        _ = try Self.editorOfUser()
        guard ReportJSON.version() != nil else {
            throw ValidationError("\(ReportJSON.variable) is neither 1 nor 2.")
        }
    }

    /// The editor that source lines of a page open.
    private static func editorOfUser() throws -> Editor? {
        guard let name = ProcessInfo.processInfo.environment["GAMEPROF_EDITOR"], !name.isEmpty else { return nil }
        guard let editor = Editor(rawValue: name) else {
            throw ValidationError("GAMEPROF_EDITOR is \(name), which is not known; known are \(Self.editors).")
        }
        return editor
    }

    func value() -> ReportFiles {
        ReportFiles(
            html: html, json: json, editor: (try? Self.editorOfUser()) ?? nil, showsSources: sources.areShown,
            text: text,
            suppressions: suppressions.path,
            allowsColour: !printing.noColor, isQuiet: printing.quiet)
    }
}

/// Which results of a check to write, and where.
struct ResultFileOptions: ParsableArguments {
    @OptionGroup(title: HelpTitle.output) var json: ResultJSONOptions
    @OptionGroup(title: HelpTitle.output) var printing: PrintingOptions
    @OptionGroup(title: HelpTitle.integration) var integration: IntegrationFileOptions

    mutating func validate() throws {
        let onOutput = value().singleFiles.count { $0 == "-" }
        if onOutput > 1 { throw ValidationError("Only one result can go to standard output.") }
    }

    func value() -> ResultFiles {
        ResultFiles(
            junit: integration.junit, sarif: integration.sarif, markdown: integration.markdown, json: json.json,
            annotations: integration.annotations, reports: integration.reports,
            showsSources: integration.sources.areShown, allowsColour: !printing.noColor, isQuiet: printing.quiet)
    }
}

/// The result for programs.
struct ResultJSONOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the result as JSON (- is standard output; the output of programs then goes to standard error).",
            valueName: "file"))
    var json: String?
}

/// The result as the services that run builds read it.
struct IntegrationFileOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write JUnit XML (- is standard output).", valueName: "file.xml"))
    var junit: String?

    @OptionGroup var sarifFile: SARIFOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Write a Markdown summary of the job (- is standard output).", valueName: "file.md"))
    var markdown: String?

    @OptionGroup var annotationFile: AnnotationOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write index.html and the full report of each scenario to this folder, as HTML (without source with \(SourceOptions.name)) and JSON.",
            valueName: "folder"))
    var reports: String?

    @OptionGroup var sources: SourceOptions

    var sarif: String? { sarifFile.sarif }
    var annotations: [String] { annotationFile.annotations }
}

/// SARIF, of a check or of static findings.
struct SARIFOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write SARIF 2.1.0 (- is standard output).", valueName: "file.sarif"))
    var sarif: String?
}

/// Annotations of source lines, of a check or of static findings.
struct AnnotationOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Write GitHub workflow commands that annotate source lines (- is standard output).", valueName: "file"))
    var annotations: [String] = []
}

/// The trace that a recording keeps.
struct TraceFileOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Keep the trace in this file.", valueName: "file.gptrace"))
    var output: String?

    @Option(
        name: .customLong("max-trace-size"),
        help: ArgumentHelp(
            """
            Maximum size of a process's trace, beyond which events are dropped: 500M, 2G, 0 for no limit \
            (default 16G).
            """,
            valueName: "size", visibility: .hidden))
    var maxTraceSize: String?

    mutating func validate() throws {
        guard let maxTraceSize else { return }
        let digits =
            maxTraceSize.last.map { "KMG".contains($0) } ?? false ? maxTraceSize.dropLast() : maxTraceSize[...]
        guard UInt64(digits).map({ $0 < 1 << 30 || digits.count == maxTraceSize.count }) ?? false else {
            throw ValidationError("--max-trace-size takes a number of bytes, optionally with K, M or G.")
        }
    }
}

extension ProgramToRun {
    init(_ target: TargetOptions, trace: TraceFileOptions, symbols: SymbolOptions) throws {
        try target.check()
        self.init(
            words: target.program, propagatesExit: target.propagateExit, following: target.follow,
            output: trace.output, mostBytes: trace.maxTraceSize, search: symbols.search)
    }
}

/// Whether pages contain lines of source. Such pages may be passed on to those who have no sources.
struct SourceOptions: ParsableArguments {
    static let name = "--no-sources"

    @Flag(name: .customLong("no-sources"), help: ArgumentHelp("Leave source out of pages.", visibility: .hidden))
    var areHidden = false

    var areShown: Bool { !areHidden }
}

/// How much is printed beside the files that are asked for.
struct PrintingOptions: ParsableArguments {
    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @OptionGroup var quietness: QuietOptions

    var quiet: Bool { quietness.quiet }
}

/// Whether more than errors is printed.
struct QuietOptions: ParsableArguments {
    @Flag(name: .long, help: "Print errors only.")
    var quiet = false
}

/// The findings to leave out.
struct SuppressionOptions: ParsableArguments {
    @Option(
        name: .customLong("suppressions"),
        help: ArgumentHelp("Omit the findings that this YAML file suppresses.", valueName: "file.yml"))
    var path: String?
}

/// Where the symbols of stripped, moved and rebuilt programs are.
struct SymbolOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Look for symbols in this folder (unstripped programs, .debug files, .build-id/ab/cdef….debug), or ask the \
            servers of DEBUGINFOD_URLS (debuginfod), which learn the build ids of the images. May be repeated.
            """,
            valueName: "folder|debuginfod"))
    var symbols: [String] = []

    private static let servers = "debuginfod"

    private var folders: [String] { symbols.filter { $0 != Self.servers } }

    private var asksServers: Bool { symbols.contains(Self.servers) }

    func validate() throws {
        for folder in folders {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("--symbols takes a folder, but \(folder) is not one.")
            }
        }
        guard asksServers else { return }
        let environment = ProcessInfo.processInfo.environment
        guard !(environment["DEBUGINFOD_URLS"] ?? "").isEmpty else {
            throw ValidationError("--symbols debuginfod needs the addresses of servers in DEBUGINFOD_URLS.")
        }
        guard SymbolSearch.serverClient(environment: environment) != nil else {
            throw ValidationError("--symbols debuginfod needs debuginfod-find on the search path (package debuginfod).")
        }
    }

    var search: SymbolSearch { SymbolSearch(folders: folders, asksServers: asksServers) }
}
