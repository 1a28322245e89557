import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport
import GameprofTrace

/// The reports upon a program and those that it started: a tree of the processes as text and as a page, the text and the page
/// of each, and one JSON report of all.
struct ProcessReports {
    var output: ReportOutput

    /// So many of the processes that are alike have a page: those that ran longest.
    private static let pagesOfAlike = 8

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
            try write(joined, members, of: outcome)
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
        var output = output
        if !outcome.others.isEmpty { output.symbols = SymbolCache() }
        return try ([outcome.main] + outcome.others).map { process in
            var program: ProgramRecord?
            var start: UInt64 = 0
            var facts: [String: String] = [:]
            let report = try output.build(from: process.trace, reportOptions: reportOptions) { recording in
                (program, start) = (recording.program, recording.startUnixNanoseconds)
                facts = recording.environment
                inspect(recording)
            }
            let parent = program.flatMap { $0.parent == 0 ? nil : Int($0.parent) }
            var member = JoinedReport.Member(
                process: Int(process.process), report: report, parent: parent, start: start)
            member.facts = facts
            return member
        }
    }

    private func join(_ members: [JoinedReport.Member], _ outcome: SessionOutcome) throws -> Report {
        guard var joined = JoinedReport(members).report else {
            throw ToolError(.toolFailed, "Nothing was recorded.")
        }
        outcome.amend(&joined)
        return joined
    }

    private func write(
        _ joined: Report, _ members: [JoinedReport.Member], of outcome: SessionOutcome
    ) throws {
        let tree = ProcessTree(joined.processes ?? [])
        var joined = joined
        let page = output.placeOfDefaultPage()
        let html = output.files.html ?? page
        if let html {
            try writePages(members, tree, index: html, needsFile: output.files.html == nil, naming: &joined)
        }
        if let json = output.files.json { try AtomicFile.write(try ReportJSON.render(joined), to: json) }
        let traces = outcome.folder == nil ? outcome.main.trace : nil
        let places = [
            html.map { "The page of a process is \(Self.page(of: "PID", beside: $0))." },
            traces.map { "The trace of another process is \(SessionFinisher.path(of: "PID", beside: $0))." },
        ]
        try printText(joined, members, tree, places: places.compactMap { $0 })
        output.announce(page)
    }

    /// The tree of processes, then the text of each, those with the most findings last. A row for several processes, in which
    /// nothing was found, says all of them.
    private func printText(
        _ joined: Report, _ members: [JoinedReport.Member], _ tree: ProcessTree, places: [String]
    ) throws {
        let table = ProcessTable(tree, of: joined.processes ?? [])
        try show(TextProcesses.lines(table, style: style).joined(separator: "\n") + "\n")
        for sentence in [table.sharing].compactMap({ $0 }) + places { try show("\(PlainText.clean(sentence))\n") }
        try show("\n")
        let printed = tree.rows.filter { $0.members.count == 1 }.map { members[$0.members[0]] }
        for member in printed.sorted(by: { $0.report.findings.count < $1.report.findings.count }) {
            let text = output.text(member.report, style: style)
            try show("Process \(member.process)\n\(text)\n")
        }
        for problem in joined.capture.problems { try show("! \(PlainText.clean(problem))\n") }
        let errors = joined.findings.count { $0.severity == .error }
        let found = errors == 1 ? "1 finding" : "\(errors) findings"
        try show("\(members.count) processes recorded, \(found) of severity error in all.\n")
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

    /// `game.html`, `game.1234.html`.
    private static func page(of process: String, beside index: String) -> String {
        "\((index as NSString).deletingPathExtension).\(process).html"
    }

    /// The page of each process stands beside the index.
    private func writePages(
        _ members: [JoinedReport.Member], _ tree: ProcessTree, index: String, needsFile: Bool,
        naming joined: inout Report
    ) throws {
        let options = output.pageOptions(index: (index as NSString).lastPathComponent)
        for number in tree.rows.flatMap({ $0.members.prefix(Self.pagesOfAlike) }) {
            let page = Self.page(of: "\(members[number].process)", beside: index)
            let text = try HTMLReport.render(members[number].report, options: options)
            try AtomicFile.write(text, to: page, needsFile: true)
            joined.processes?[number].page = (page as NSString).lastPathComponent
        }
        let processes = joined.processes ?? []
        let entries = tree.rows.map { entry(members[$0.members[0]], page: processes[$0.members[0]].page ?? "") }
        let command = "gameprof \(output.instrument?.rawValue ?? "report")"
        let text = try IndexPage.render(
            title: "Recorded processes", command: command, entries: entries,
            processes: ProcessTable(tree, of: processes))
        try AtomicFile.write(text, to: index, needsFile: needsFile)
    }

    private func entry(_ member: JoinedReport.Member, page: String) -> IndexPage.Entry {
        let target = member.report.target
        let command = [(target.executable as NSString).lastPathComponent] + target.arguments
        return IndexPage.Entry(
            title: command.joined(separator: " "),
            summary: "Process \(member.process), \(String(format: "%.2f", target.wallSeconds)) s.",
            page: page, report: member.report)
    }
}
