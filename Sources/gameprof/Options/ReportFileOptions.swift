import ArgumentParser
import Foundation
import Profiler

/// Which reports to write, and where.
struct ReportFileOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Write the report as one HTML page (- is standard output).", valueName: "file"))
    var html: String?

    @Option(name: .long, help: ArgumentHelp("Write the report as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Flag(name: .long, help: "Print the report as text to standard output.")
    var text = false

    @Option(
        name: .long,
        help: ArgumentHelp("Leave out the findings that this YAML file names.", valueName: "file.yml"))
    var suppressions: String?

    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @Flag(name: .long, help: "Print nothing but errors.")
    var quiet = false

    mutating func validate() throws {
        let onOutput = [html == "-", json == "-", text].filter { $0 }.count
        if onOutput > 1 { throw ValidationError("Only one report can go to standard output.") }
    }

    /// The suppressions of the file that the options name.
    func readSuppressions() throws -> [Suppression] {
        guard let suppressions else { return [] }
        guard access(suppressions, R_OK) == 0 else {
            throw ToolError(
                .wrongUsage, "\(suppressions) cannot be read: \(String(cString: strerror(errno)).lowercased()).")
        }
        do {
            return try Suppression.read(path: suppressions)
        } catch {
            throw ToolError(.wrongUsage, "\(error)")
        }
    }
}
