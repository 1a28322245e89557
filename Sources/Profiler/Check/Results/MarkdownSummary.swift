import GameprofAnalysis
import GameprofBasics
import GameprofReport

/// A diagnostic pass as Markdown, for the page of a job or a comment.
public enum MarkdownSummary {
    /// Findings of a scenario beyond this many are counted only.
    private static let findingLimit = 30

    /// Ends with a newline.
    public static func render(_ result: CheckResult) -> String {
        let word =
            switch result.outcome {
            case .passed: "✅ passed"
            case .failed: "❌ failed"
            case .incomplete: "⚠️ incomplete"
            }
        var lines = ["## gameprof: \(word)", ""]
        if result.subject == .tests { lines += tests(result.scenarios) }
        for scenario in result.scenarios where result.subject == .scenarios || scenario.outcome != .passed {
            lines += section(scenario, result.subject)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func tests(_ tests: [CheckResult.Scenario]) -> [String] {
        let failed = tests.count { $0.outcome != .passed }
        return ["\(NumberFormat.count(tests.count, "test")), \(failed) failed.", ""]
    }

    private static func section(_ scenario: CheckResult.Scenario, _ subject: CheckResult.Subject) -> [String] {
        let mark = scenario.outcome == .passed ? "✅" : scenario.outcome == .failed ? "❌" : "⚠️"
        var lines = ["### \(mark) \(text(scenario.name))", ""]
        let command = ([scenario.target.executable] + scenario.target.arguments).joined(separator: " ")
        if subject == .scenarios {
            lines += ["\(code(command)), \(NumberFormat.seconds(scenario.target.wallSeconds))", ""]
        }
        for problem in scenario.problems { lines += ["> \(text(problem))", ""] }
        if !scenario.limits.isEmpty {
            lines +=
                scenario.hasBaseline
                ? ["| | measure | measured | limit | baseline |", "|---|---|--:|--:|--:|"]
                : ["| | measure | measured | limit |", "|---|---|--:|--:|"]
            lines += scenario.limits.map { row($0, scenario.hasBaseline) } + [""]
        }
        for judged in scenario.findings.prefix(findingLimit) { lines += finding(judged, in: scenario) }
        let omitted = scenario.findings.count - findingLimit
        if omitted > 0 { lines += ["… and \(NumberFormat.count(omitted, "more finding")).", ""] }
        if !scenario.resolved.isEmpty {
            lines += ["Resolved; remove from the baseline with `--update-baseline`:", ""]
            lines += scenario.resolved.map { "- \(text($0.title)) \(code(String($0.signature.prefix(8))))" } + [""]
        }
        return lines
    }

    private static func row(_ limit: CheckResult.EvaluatedLimit, _ hasBaseline: Bool) -> String {
        let mark =
            switch limit.status {
            case .passed: "✅"
            case .failed: "❌"
            case .accepted: "☑️"
            case .unmeasured: "⚠️"
            }
        let measured = limit.status == .unmeasured ? "not measured" : limit.unit.text(limit.measured)
        let most = limit.limit.map { limit.unit.text($0) } ?? "–"
        let accepted = hasBaseline ? " \(limit.baseline.map { limit.unit.text($0) } ?? "–") |" : ""
        return "| \(mark) | \(text(limit.measure)) | \(measured) | \(most) |\(accepted)"
    }

    private static func finding(
        _ judged: CheckResult.EvaluatedFinding, in scenario: CheckResult.Scenario
    ) -> [String] {
        let finding = judged.finding
        let mark = judged.fails ? "❌" : finding.severity == .note ? "▫️" : "☑️"
        let often = FindingText.frequency(judged, in: scenario).map { " · \($0)" } ?? ""
        let title =
            "\(mark) **\(text(finding.title))** · \(FindingFigures.line(finding)) · \(judged.status.rawValue)\(often)"
        guard judged.fails else { return ["- \(title)", ""] }
        var lines = [
            "<details open><summary>\(mark) <b>\(html(finding.title))</b> · \(FindingFigures.line(finding))</summary>",
            "",
        ]
        lines += fenced(FindingText.plain(judged, in: scenario).dropFirst())
        return lines + ["", "</details>", ""]
    }

    /// A fence longer than any run of backticks inside.
    private static func fenced(_ lines: some Sequence<String>) -> [String] {
        let lines = Array(lines)
        let longest = lines.map(longestRun).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return [fence + "text"] + lines + [fence]
    }

    private static func longestRun(_ text: String) -> Int {
        text.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    }

    private static func code(_ content: String) -> String {
        let clean = PlainText.clean(content).replacing("|", with: "¦")
        let fence = String(repeating: "`", count: longestRun(clean) + 1)
        let pad = clean.hasPrefix("`") || clean.hasSuffix("`") ? " " : ""
        return fence + pad + clean + pad + fence
    }

    private static func html(_ content: String) -> String { XMLText.escape(content) }

    private static func text(_ content: String) -> String {
        var result = ""
        for character in PlainText.clean(content) {
            if "\\`*_{}[]<>()#+!|~&@:".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
