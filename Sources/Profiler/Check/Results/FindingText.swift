import GameprofAnalysis
import GameprofBasics
import GameprofReport

/// A finding as a few lines of plain text.
enum FindingText {
    /// How often it was seen where that was not in every run.
    static func frequency(_ judged: CheckResult.EvaluatedFinding, in scenario: CheckResult.Scenario) -> String? {
        judged.seenIn < scenario.runs ? "flaky: seen in \(judged.seenIn) of \(scenario.runs) runs" : nil
    }

    static func plain(_ judged: CheckResult.EvaluatedFinding, in scenario: CheckResult.Scenario) -> [String] {
        let (finding, status) = (judged.finding, judged.status)
        let names = ShortNames(
            Set(finding.references.flatMap { [$0.from, $0.to] + $0.via } + finding.objects.keys + [finding.type]))
        var lines = TextFinding(finding: finding, names: names, style: TextStyle()).lines
        let word: String? =
            switch status {
            case .new: scenario.hasBaseline ? "not in the baseline" : nil
            case .increased: "more than in the baseline"
            case .accepted: "in the baseline"
            case .known: "known"
            }
        for remark in [word, frequency(judged, in: scenario)].compactMap({ $0 }) where !lines.isEmpty {
            lines[lines.count - 1] += " · \(remark)"
        }
        return lines
    }
}
