import Foundation
import GameprofAnalysis

/// The second run of `gameprof zombies --explain` and `gameprof leaks --explain`, which records the retains and releases of the classes
/// whose zombies, or lost objects without a reference, the first one found. It changes nothing else in the report of the first.
struct SecondRun {
    /// That of the first run.
    private let session: RecordingSession
    private let output: ReportOutput
    private let input = InputOfRuns()

    /// To be made before the first run.
    init(session: RecordingSession, output: ReportOutput) {
        (self.session, self.output) = (session, output)
    }

    /// Runs the program again when a finding has no history, and adds what was recorded of the same finding.
    func add(to members: inout [JoinedReport.Member]) {
        let types = Set(members.flatMap(\.report.findings).filter(Self.isUnexplained).map(\.type))
        guard !types.isEmpty else { return }
        do {
            let second = try record(types.sorted())
            for index in members.indices { Self.join(second, to: &members[index].report) }
        } catch {
            for index in members.indices where members[index].report.findings.contains(where: Self.isUnexplained) {
                members[index].report.capture.notes.append("There is no history of retains and releases: \(error)")
            }
        }
    }

    private static func isUnexplained(_ finding: Finding) -> Bool {
        finding.explain != nil && finding.severity != .note
    }

    private func record(_ types: [String]) throws -> Report {
        guard !SignalForwarding.wasAskedToEnd else {
            throw ToolError(.toolFailed, "the program was asked to end, and was not run again.")
        }
        if !session.isQuiet {
            StandardError.say("The second run records the retains and releases of \(types.joined(separator: ", ")).")
        }
        input.restart()
        var session = session
        session.output = nil
        session.isQuiet = true
        let chosen = [session.environment[RetainOptions.variable]].compactMap { $0 } + types
        session.environment[RetainOptions.variable] = chosen.joined(separator: "|")
        let outcome = try session.run()
        defer { outcome.removeIfTemporary() }
        return try ProcessReports(output: output).build(from: outcome, reportOptions: ReportOptions())
    }

    /// What the recorder says when a history is missing or cut.
    private static func isOfHistory(_ note: String) -> Bool { note.contains("istory of reference counts") }

    private static func join(_ second: Report, to report: inout Report) {
        let found = Dictionary(second.findings.map { ($0.signature, $0) }) { $0.history == nil ? $1 : $0 }
        var notes: [String] = []
        for index in report.findings.indices where isUnexplained(report.findings[index]) {
            let finding = report.findings[index]
            guard let same = found[finding.signature] else {
                notes.append("The second run did not show this again, so there is no history of it: \(finding.title).")
                continue
            }
            guard var history = same.history else {
                notes.append("The second run recorded no retain or release of \(finding.type).")
                continue
            }
            history.secondRun = true
            report.findings[index].history = history
            report.findings[index].explain = nil
            (report.findings[index].fix, report.findings[index].fixes) = (same.fix, same.fixes)
        }
        report.capture.notes += notes + second.capture.notes.filter(isOfHistory)
    }
}
