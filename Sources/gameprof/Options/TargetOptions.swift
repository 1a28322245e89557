import ArgumentParser

/// The program to record.
struct TargetOptions: ParsableArguments {
    @Argument(help: "The program to record, and its arguments.")
    var program: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Record its children as well, each into a separate trace: all (also --follow alone; the programs that it \
            starts, and what it makes by fork), launched (yours that a shell, make, timeout or another system program \
            starts) or none.
            """,
            valueName: "which"))
    var follow = Following.launched

    @Flag(name: .long, help: "Exit with the program's status instead of the result of the findings.")
    var propagateExit = false

    /// - Throws: no program is named.
    func check() throws {
        guard let name = program.first, !name.isEmpty else {
            throw ValidationError("Name the program to record.")
        }
    }
}

extension Following: ExpressibleByArgument {
    static var allValueStrings: [String] { [] }
}

/// The trace that a command reads.
struct TraceArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var path: String
}

/// The files to join.
struct MergeTargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Traces, reports, or results of gameprof check --json.", valueName: "file"))
    var inputs: [String]
}

/// Where the joined file goes.
struct MergedFileOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Write the joined result as JSON (as --json).", valueName: "file"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the report of joined traces as one HTML page (- is standard output).", valueName: "file"))
    var html: String?
}

/// The groups of options in the help of a command, in their order there.
enum HelpTitle {
    static let target = "Target"
    static let recorded = "What is recorded"
    static let limits = "Limits"
    static let analysis = "Analysis"
    static let output = "Output"
    static let integration = "Continuous integration"
}
