import ArgumentParser

/// The findings to leave out.
struct SuppressionOptions: ParsableArguments {
    @Option(
        name: .customLong("suppressions"),
        help: ArgumentHelp("Omit the findings that this YAML file suppresses.", valueName: "file.yml"))
    var path: String?
}
