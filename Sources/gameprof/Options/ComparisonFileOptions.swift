import ArgumentParser

/// Where a comparison is written beside standard output.
struct ComparisonFileOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Write the comparison as one HTML page.", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write the comparison as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Flag(name: .long, help: "Print the comparison as text (default, unless another report goes to standard output).")
    var text = false

    @OptionGroup var printing: PrintingOptions

    /// The comparison is printed; it has no colour.
    var printsText: Bool { text || !printing.quiet && html != "-" && json != "-" }

    func validate() throws {
        let onOutput = [html == "-", json == "-", text].count { $0 }
        if onOutput > 1 { throw ValidationError("Only one report can go to standard output.") }
    }
}
