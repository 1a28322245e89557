import Foundation
import GameprofAnalysis
import GameprofCheck
import GameprofReport

/// Writes the results of a check that were asked for.
struct ResultOutput {
    let files: ResultFiles
    /// Names in the folder of reports.
    private var usedNames: Set<String> = ["index"]
    /// The pages in the folder of reports, by scenario.
    private var pages: [String: [String]] = [:]

    init(_ files: ResultFiles) { self.files = files }

    /// Throws when a result could not be written where it should go: before any program is run.
    func check() throws {
        for path in files.singleFiles where path != "-" { try AtomicFile.check(path) }
        if let reports = files.reports {
            try AtomicFile.check("\(reports)/report.json", createsFolder: true, needsFile: true)
        }
    }

    /// Writes the whole report of a scenario, and keeps its page for the index. `word`: tells the scenario's reports apart.
    mutating func write(_ report: Report, scenario: String, word: String) throws {
        guard let reports = files.reports else { return }
        let plain = String(
            (scenario + word).prefix(60).map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
        var (name, number) = (plain, 2)
        while !usedNames.insert(name).inserted { (name, number) = ("\(plain)-\(number)", number + 1) }
        try AtomicFile.write(try ReportJSON.render(report), to: "\(reports)/\(name).json", needsFile: true)
        try AtomicFile.write(
            try HTMLReport.render(
                report, options: PageOptions(index: "index.html", showsSources: files.showsSources)),
            to: "\(reports)/\(name).html", needsFile: true)
        pages[scenario, default: []].append("\(name).html")
    }

    /// Writes what was asked for, and the text to standard error.
    func write(_ result: CheckResult) throws {
        if let reports = files.reports {
            try AtomicFile.write(
                try CheckPage.render(result, pages: pages), to: "\(reports)/index.html", needsFile: true)
        }
        if let junit = files.junit {
            try AtomicFile.write(
                JUnitReport.render(result, timestamp: Self.now, host: ProcessInfo.processInfo.hostName), to: junit,
                isForOthers: true)
        }
        let root = SourceRoot.find()
        if let sarif = files.sarif {
            let text = try SARIFReport.render(
                result.diagnoses.map { $0.relative(to: root) }, rules: CheckResult.rules, root: root,
                version: GameProf.toolVersion)
            try AtomicFile.write(text, to: sarif, isForOthers: true)
        }
        if let markdown = files.markdown {
            try AtomicFile.write(MarkdownSummary.render(result), to: markdown, isForOthers: true)
        }
        if let json = files.json { try AtomicFile.write(try CheckJSON.render(result), to: json) }
        for file in files.annotations {
            let results = result.diagnoses.map { $0.relative(to: root) }
            try AtomicFile.write(GitHubAnnotations.render(results), to: file, isForOthers: true)
        }
        if !files.isQuiet {
            let style = TextStyle.forOutput(descriptor: STDERR_FILENO, allowColour: files.allowsColour)
            StandardError.write(CheckText.render(result, style: style))
        }
    }

    /// Without a zone, as the JUnit schema wants it; in UTC.
    private static var now: String {
        String(Date().formatted(.iso8601).prefix(19))
    }
}
