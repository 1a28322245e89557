import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport
import GameprofTrace

/// The reports upon a program and those that it started: a page for each process and one that lists them, the text of
/// each, and one JSON report of all.
struct ProcessReports {
    var output: ReportOutput

    /// Throws when the reports could not be written where they should go: before any program is run.
    func check() throws {
        if output.files.html == "-" {
            throw ToolError(.wrongUsage, "With --follow there is a page for each process, so --html needs a file name.")
        }
    }

    /// Writes the reports and returns them joined.
    func write(_ members: [JoinedReport.Member], of outcome: SessionOutcome) throws -> Report {
        let joined = try join(members, outcome)
        if members.count == 1 {
            try output.write(joined)
        } else {
            try write(joined, members)
        }
        return joined
    }

    /// Reads the traces and returns the one report, or several joined.
    func build(
        from outcome: SessionOutcome, reportOptions: ReportOptions, inspect: (Recording) -> Void = { _ in }
    ) throws -> Report {
        let members = try members(of: outcome, reportOptions: reportOptions, inspect: inspect)
        guard outcome.others.isEmpty else { return try join(members, outcome) }
        var report = members[0].report
        outcome.amend(&report)
        return report
    }

    /// Reads the traces: the report of each process, the one that was asked for first.
    func members(
        of outcome: SessionOutcome, reportOptions: ReportOptions = ReportOptions(),
        inspect: (Recording) -> Void = { _ in }
    ) throws -> [JoinedReport.Member] {
        try ([outcome.main] + outcome.others).map { process in
            let report = try output.build(from: process.trace, reportOptions: reportOptions, inspect: inspect)
            return JoinedReport.Member(process: Int(process.process), report: report)
        }
    }

    private func join(_ members: [JoinedReport.Member], _ outcome: SessionOutcome) throws -> Report {
        guard var joined = JoinedReport(members).report else {
            throw ToolError(.toolFailed, "Nothing was recorded.")
        }
        outcome.amend(&joined)
        return joined
    }

    private func write(_ joined: Report, _ members: [JoinedReport.Member]) throws {
        if let json = output.files.json { try AtomicFile.write(try ReportJSON.render(joined), to: json) }
        let page = output.placeOfDefaultPage()
        if let html = output.files.html ?? page {
            try writePages(members, index: html, needsFile: output.files.html == nil)
        }
        let printed = members.sorted { $0.report.findings.count < $1.report.findings.count }
        for member in printed {
            let text = output.text(member.report, style: style)
            try show("Process \(member.process)\n\(text)\n")
        }
        for problem in joined.capture.problems { try show("! \(PlainText.clean(problem))\n") }
        let errors = joined.findings.count { $0.severity == .error }
        let found = errors == 1 ? "1 finding" : "\(errors) findings"
        try show("\(members.count) processes recorded, \(found) of severity error in all.\n")
        output.announce(page)
    }

    private var style: TextStyle {
        TextStyle.forOutput(
            descriptor: output.files.text ? STDOUT_FILENO : STDERR_FILENO, allowColour: output.files.allowsColour)
    }

    private func show(_ text: String) throws {
        if output.files.text {
            try StandardOutput.write(text)
        } else if !output.files.isQuiet {
            StandardError.write(text)
        }
    }

    /// The page of each process stands beside the index: `game.html`, `game.1234.html`.
    private func writePages(_ members: [JoinedReport.Member], index: String, needsFile: Bool) throws {
        let stem = (index as NSString).deletingPathExtension
        var entries: [IndexPage.Entry] = []
        for member in members {
            let page = "\(stem).\(member.process).html"
            let options = output.pageOptions(index: (index as NSString).lastPathComponent)
            try AtomicFile.write(try HTMLReport.render(member.report, options: options), to: page, needsFile: true)
            let target = member.report.target
            let command = [(target.executable as NSString).lastPathComponent] + target.arguments
            entries.append(
                IndexPage.Entry(
                    title: command.joined(separator: " "),
                    summary: "Process \(member.process), \(String(format: "%.2f", target.wallSeconds)) s.",
                    page: (page as NSString).lastPathComponent, report: member.report))
        }
        let command = "gameprof \(output.instrument?.rawValue ?? "report")"
        try AtomicFile.write(
            try IndexPage.render(title: "Recorded processes", command: command, entries: entries), to: index,
            needsFile: needsFile)
    }
}
