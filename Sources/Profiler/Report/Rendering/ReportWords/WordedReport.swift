import GameprofAnalysis
import GameprofBasics

extension Report {
    /// The report with its words. There is no other way from an analysis to a report.
    package init(_ analyzed: AnalyzedReport) {
        self = analyzed.facts
        findings = Self.sorted(analyzed.findings.map { Finding($0) })
        nameExplanation("gameprof zombies --explain -- " + ShellWords.joined([target.executable] + target.arguments))
        why = analyzed.living?.map { LiveObjects($0) }
        footprint = footprint?.worded(typeNames)
        capture.problems += analyzed.problems.map(ProblemText.text)
        capture.notes += analyzed.notes.map(NoteText.text)
    }

    /// Gives this command to each zombie of a class whose retains and releases are not known.
    package mutating func nameExplanation(_ command: String) {
        for index in findings.indices where findings[index].kind == .zombie && findings[index].history == nil {
            guard ObjectNoun(rawValue: findings[index].type) == nil else { continue }
            findings[index].explain = command
        }
    }

    /// Worst first, then the most bytes; zombies last, in the order of their first use.
    private static func sorted(_ findings: [Finding]) -> [Finding] {
        findings.filter { $0.kind != .zombie }.sorted { left, right in
            (left.severity, right.bytes, left.title, left.signature)
                < (right.severity, left.bytes, right.title, right.signature)
        } + findings.filter { $0.kind == .zombie }
    }
}
