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
        for scenario in result.scenarios { lines += section(scenario) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ scenario: CheckResult.Scenario) -> [String] {
        let mark = scenario.outcome == .passed ? "✅" : scenario.outcome == .failed ? "❌" : "⚠️"
        var lines = ["### \(mark) \(text(scenario.name))", ""]
        let command = ([scenario.target.executable] + scenario.target.arguments).joined(separator: " ")
        lines += ["\(code(command)), \(Quantity.seconds(scenario.target.wallSeconds))", ""]
        for problem in scenario.problems { lines += ["> \(text(problem))", ""] }
        if !scenario.limits.isEmpty {
            lines += ["| | measure | measured | limit | baseline |", "|---|---|--:|--:|--:|"]
            lines += scenario.limits.map(row) + [""]
        }
        for judged in scenario.findings.prefix(findingLimit) { lines += finding(judged) }
        let omitted = scenario.findings.count - findingLimit
        if omitted > 0 { lines += ["… and \(Quantity.count(omitted, "more finding")).", ""] }
        if !scenario.mended.isEmpty {
            lines += ["Mended, to be taken out of the baseline with `--update-baseline`:", ""]
            lines += scenario.mended.map { "- \(text($0.title)) \(code(String($0.signature.prefix(8))))" } + [""]
        }
        return lines
    }

    private static func row(_ limit: CheckResult.JudgedLimit) -> String {
        let mark =
            switch limit.status {
            case .passed: "✅"
            case .failed: "❌"
            case .accepted: "☑️"
            case .unmeasured: "⚠️"
            }
        let measured = limit.status == .unmeasured ? "not measured" : limit.unit.text(limit.measured)
        let most = limit.limit.map { limit.unit.text($0) } ?? "–"
        let accepted = limit.baseline.map { limit.unit.text($0) } ?? "–"
        return "| \(mark) | \(text(limit.measure)) | \(measured) | \(most) | \(accepted) |"
    }

    private static func finding(_ judged: CheckResult.JudgedFinding) -> [String] {
        let finding = judged.finding
        let mark = judged.fails ? "❌" : finding.severity == .note ? "▫️" : "☑️"
        let title = "\(mark) **\(text(finding.title))** · \(FindingFigures.line(finding)) · \(judged.status.rawValue)"
        guard judged.fails else { return ["- \(title)", ""] }
        var lines = [
            "<details open><summary>\(mark) <b>\(html(finding.title))</b> · \(FindingFigures.line(finding))</summary>",
            "",
        ]
        lines += fenced(FindingText.plain(finding, status: judged.status).dropFirst())
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
