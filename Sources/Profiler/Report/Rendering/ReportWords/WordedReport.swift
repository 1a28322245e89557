import GameprofAnalysis
import GameprofBasics

extension Report {
    /// The report with its words. There is no other way from an analysis to a report.
    package init(_ analyzed: AnalyzedReport) {
        self = analyzed.facts
        findings = Self.sorted(analyzed.findings.map { Finding($0) })
        let program = ShellWords.joined([target.executable] + target.arguments)
        nameExplanation("gameprof zombies --explain -- " + program, of: [.zombie])
        nameExplanation("gameprof leaks --explain -- " + program, of: [.leak, .overRetain])
        why = analyzed.living?.map { LiveObjects($0) }
        footprint = footprint?.worded(typeNames)
        capture.problems += analyzed.problems.map(ProblemText.text)
        capture.notes += analyzed.notes.map(NoteText.text)
    }

    /// Gives this command to each finding of which retains and releases would say more and are not known: a zombie, or a lost object to
    /// which nothing refers.
    package mutating func nameExplanation(
        _ command: String, of kinds: Set<Finding.Kind> = [.zombie, .leak, .overRetain]
    ) {
        for index in findings.indices where kinds.contains(findings[index].kind) && findings[index].history == nil {
            let finding = findings[index]
            // Only the compiler retains a string.
            guard ObjectNoun(rawValue: finding.type) == nil, finding.type != "Swift.__StringStorage",
                finding.known == nil
            else {
                continue
            }
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
