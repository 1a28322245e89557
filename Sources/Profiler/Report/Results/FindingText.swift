/// A finding as a few lines of plain text.
enum FindingText {
    static func plain(_ finding: Finding, status: CheckResult.JudgedFinding.Status) -> [String] {
        let names = ShortNames(
            Set(finding.references.flatMap { [$0.from, $0.to] + $0.via } + finding.objects.keys + [finding.type]))
        var lines = TextFinding(finding: finding, names: names, style: TextStyle()).lines
        let word =
            switch status {
            case .new: "not in the baseline"
            case .increased: "more than in the baseline"
            case .accepted: "in the baseline"
            case .known: "known"
            }
        if !lines.isEmpty { lines[lines.count - 1] += " · \(word)" }
        return lines
    }
}
