import ArgumentParser
import GameprofHTMLRendering

/// Which reports to write, and where.
struct ReportFileOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Write the report as one HTML page (- is standard output).", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write the report as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Option(
        name: .long, help: "Make the page's source lines links that open this editor (default: no links).")
    var editor: Editor?

    @Flag(name: .long, help: "Print the report as text to standard output.")
    var text = false

    @Option(
        name: .long,
        help: ArgumentHelp("Omit the findings that this YAML file suppresses.", valueName: "file.yml"))
    var suppressions: String?

    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @Flag(name: .long, help: "Print errors only.")
    var quiet = false

    mutating func validate() throws {
        let onOutput = [html == "-", json == "-", text].filter { $0 }.count
        if onOutput > 1 { throw ValidationError("Only one report can go to standard output.") }
    }

    func value() -> ReportFiles {
        ReportFiles(
            html: html, json: json, editor: editor, text: text, suppressions: suppressions, allowsColour: !noColor,
            isQuiet: quiet)
    }
}

extension Editor: ExpressibleByArgument {}
