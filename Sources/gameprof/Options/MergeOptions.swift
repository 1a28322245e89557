import ArgumentParser

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
