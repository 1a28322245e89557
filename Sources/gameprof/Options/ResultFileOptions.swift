import ArgumentParser
import Foundation
import Profiler

/// Which results of a check to write, and where.
struct ResultFileOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write JUnit XML (- is standard output).", valueName: "file.xml"))
    var junit: String?

    @Option(name: .long, help: ArgumentHelp("Write SARIF 2.1.0 (- is standard output).", valueName: "file.sarif"))
    var sarif: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Write a summary for the page of a job (- is standard output).", valueName: "file.md"))
    var markdown: String?

    @Option(name: .long, help: ArgumentHelp("Write the result as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Flag(name: .long, help: "Print GitHub's workflow commands, which annotate lines, to standard output.")
    var github = false

    @Option(
        name: .long,
        help: ArgumentHelp("Write the whole report of each scenario there, HTML and JSON.", valueName: "folder"))
    var reports: String?

    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @Flag(name: .long, help: "Print nothing but errors.")
    var quiet = false

    mutating func validate() throws {
        let onOutput = [junit == "-", sarif == "-", markdown == "-", json == "-", github].filter { $0 }.count
        if onOutput > 1 { throw ValidationError("Only one result can go to standard output.") }
    }

    /// Throws when a result could not be written where it should go: before any program is run.
    func check() throws {
        for path in [junit, sarif, markdown, json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        if let reports { try AtomicFile.check("\(reports)/report.json", createsFolder: true) }
    }

    /// Writes the whole report of a scenario. `used`: names of reports that are there already, to which its own is added.
    func write(_ report: Report, scenario: String, used: inout Set<String>) throws {
        guard let reports else { return }
        let plain = String(scenario.prefix(60).map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
        var (name, number) = (plain, 2)
        while !used.insert(name).inserted { (name, number) = ("\(plain)-\(number)", number + 1) }
        try AtomicFile.write(try JSONReport.render(report), to: "\(reports)/\(name).json")
        try AtomicFile.write(try HTMLReport.render(report), to: "\(reports)/\(name).html")
    }

    /// Writes what was asked for, and the text to standard error.
    func write(_ result: CheckResult) throws {
        if let junit {
            try AtomicFile.write(
                JUnitReport.render(result, timestamp: Self.now, host: ProcessInfo.processInfo.hostName), to: junit)
        }
        let folder = FileManager.default.currentDirectoryPath
        if let sarif {
            let text = try SARIFReport.render(
                result.diagnoses, rules: CheckResult.rules, root: folder, version: GameProf.toolVersion)
            try AtomicFile.write(text, to: sarif)
        }
        if let markdown { try AtomicFile.write(MarkdownSummary.render(result), to: markdown) }
        if let json { try AtomicFile.write(try CheckJSON.render(result), to: json) }
        if github {
            let results = result.diagnoses.map { $0.relative(to: folder) }
            try AtomicFile.write(GitHubAnnotations.render(results), to: "-")
        }
        if !quiet {
            let style = TextStyle.forOutput(descriptor: STDERR_FILENO, allowColour: !noColor)
            StandardError.write(CheckText.render(result, style: style))
        }
    }

    /// Without a zone, as the JUnit schema wants it; in UTC.
    private static var now: String {
        String(Date().formatted(.iso8601).prefix(19))
    }
}

extension Diagnosis {
    /// With the path of its file told from `folder` on, where it is below.
    fileprivate func relative(to folder: String) -> Diagnosis {
        guard var place, place.file.hasPrefix(folder + "/") else { return self }
        place.file = String(place.file.dropFirst(folder.count + 1))
        var result = self
        result.place = place
        return result
    }
}
