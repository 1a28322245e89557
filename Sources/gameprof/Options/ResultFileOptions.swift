import ArgumentParser
import Foundation
import GameprofCheck
import GameprofHTMLRendering
import GameprofRendering
import GameprofReportModel
import GameprofResults

/// Which results of a check to write, and where.
struct ResultFileOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write JUnit XML (- is standard output).", valueName: "file.xml"))
    var junit: String?

    @Option(name: .long, help: ArgumentHelp("Write SARIF 2.1.0 (- is standard output).", valueName: "file.sarif"))
    var sarif: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Write a Markdown summary of the job (- is standard output).", valueName: "file.md"))
    var markdown: String?

    @Option(name: .long, help: ArgumentHelp("Write the result as JSON (- is standard output).", valueName: "file"))
    var json: String?

    @Flag(name: .long, help: "Print GitHub workflow commands that annotate source lines to standard output.")
    var github = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write these workflow commands to a file, apart from what the programs print.", valueName: "file"))
    var annotations: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write index.html and the full report of each scenario to this folder, as HTML and JSON.",
            valueName: "folder"))
    var reports: String?

    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @Flag(name: .long, help: "Print errors only.")
    var quiet = false

    mutating func validate() throws {
        let onOutput = [junit == "-", sarif == "-", markdown == "-", json == "-", annotations == "-", github].filter {
            $0
        }.count
        if onOutput > 1 { throw ValidationError("Only one result can go to standard output.") }
    }

    /// Throws when a result could not be written where it should go: before any program is run.
    func check() throws {
        for path in [junit, sarif, markdown, json, annotations].compactMap({ $0 }) where path != "-" {
            try AtomicFile.check(path)
        }
        if let reports { try AtomicFile.check("\(reports)/report.json", createsFolder: true) }
    }

    /// What is written to the folder of reports.
    struct Pages {
        var used: Set<String> = ["index"]
        /// By scenario.
        var links: [String: [String]] = [:]
    }

    /// Writes the whole report of a scenario, and adds its page to `pages`. `word`: tells the scenario's reports apart.
    func write(_ report: Report, scenario: String, word: String, pages: inout Pages) throws {
        guard let reports else { return }
        let plain = String(
            (scenario + word).prefix(60).map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
        var (name, number) = (plain, 2)
        while !pages.used.insert(name).inserted { (name, number) = ("\(plain)-\(number)", number + 1) }
        try AtomicFile.write(try JSONReport.render(report), to: "\(reports)/\(name).json")
        try AtomicFile.write(
            try HTMLReport.render(report, options: PageOptions(index: "index.html")), to: "\(reports)/\(name).html")
        pages.links[scenario, default: []].append("\(name).html")
    }

    /// Writes what was asked for, and the text to standard error.
    func write(_ result: CheckResult, pages: Pages = Pages()) throws {
        if let reports {
            try AtomicFile.write(try CheckPage.render(result, pages: pages.links), to: "\(reports)/index.html")
        }
        if let junit {
            try AtomicFile.write(
                JUnitReport.render(result, timestamp: Self.now, host: ProcessInfo.processInfo.hostName), to: junit)
        }
        let root = SourceRoot.find()
        if let sarif {
            let text = try SARIFReport.render(
                result.diagnoses.map { $0.relative(to: root) }, rules: CheckResult.rules, root: root,
                version: GameProf.toolVersion)
            try AtomicFile.write(text, to: sarif)
        }
        if let markdown { try AtomicFile.write(MarkdownSummary.render(result), to: markdown) }
        if let json { try AtomicFile.write(try CheckJSON.render(result), to: json) }
        for file in [annotations, github ? "-" : nil].compactMap({ $0 }) {
            let results = result.diagnoses.map { $0.relative(to: root) }
            try AtomicFile.write(GitHubAnnotations.render(results), to: file)
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
