import ArgumentParser
import Foundation
import GameprofReport

/// Which reports to write, and where.
struct ReportFileOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the report as one HTML page (- is standard output); source lines are links with GAMEPROF_EDITOR (\(Self.editors)).",
            valueName: "file"))
    var html: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the report as JSON (- is standard output; the program's goes to standard error then), with \(ReportJSON.variable)=1 as before version 2.",
            valueName: "file"))
    var json: String?

    @Flag(name: .long, help: "Print the report as text to standard output.")
    var text = false

    @OptionGroup var suppressions: SuppressionOptions
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
            throw ValidationError("GAMEPROF_EDITOR is \(name): known are \(Self.editors).")
        }
        return editor
    }

    func value() -> ReportFiles {
        ReportFiles(
            html: html, json: json, editor: (try? Self.editorOfUser()) ?? nil, text: text,
            suppressions: suppressions.path,
            allowsColour: !printing.noColor, isQuiet: printing.quiet)
    }
}
