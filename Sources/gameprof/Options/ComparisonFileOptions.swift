import ArgumentParser

/// Where a comparison is written beside standard output.
struct ComparisonFileOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Write the comparison as one HTML page.", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write the comparison as JSON (- is standard output).", valueName: "file"))
    var json: String?

    func validate() throws {
        if html == "-", json == "-" { throw ValidationError("Only one report can go to standard output.") }
    }
}
