import GameprofReportModel

extension Report {
    /// The report with its words. There is no other way from an analysis to a report.
    package init(_ analyzed: AnalyzedReport) {
        self = analyzed.facts
        findings = Self.sorted(analyzed.findings.map { Finding($0) })
        why = analyzed.living?.map { LiveObjects($0) }
        capture.problems += analyzed.problems.map(ProblemText.text)
        capture.notes += analyzed.notes.map(NoteText.text)
    }

    /// Worst first, then the most bytes; zombies last, in the order of their first use.
    private static func sorted(_ findings: [Finding]) -> [Finding] {
        findings.filter { $0.kind != .zombie }.sorted { left, right in
            (left.severity, right.bytes, left.title, left.signature)
                < (right.severity, left.bytes, right.title, right.signature)
        } + findings.filter { $0.kind == .zombie }
    }
}
