import GameprofAnalysis
import GameprofBasics
import GameprofReport

/// A diagnostic pass for a terminal.
public enum CheckText {
    /// Ends with a newline unless it is empty. Of tests only those that failed are shown.
    public static func render(_ result: CheckResult, style: TextStyle = TextStyle()) -> String {
        let shown = result.subject == .scenarios ? result.scenarios : result.scenarios.filter { $0.outcome != .passed }
        return shown.map { section($0, result.subject, style) }.joined(separator: "\n")
    }

    private static func section(
        _ scenario: CheckResult.Scenario, _ subject: CheckResult.Subject, _ style: TextStyle
    ) -> String {
        let program =
            ([String(scenario.target.executable.split(separator: "/").last ?? "?")] + scenario.target.arguments)
            .map(PlainText.clean).joined(separator: " ")
        let run =
            subject == .tests
            ? []
            : [
                TextTable.cut(program, max(20, style.width - 48)), NumberFormat.seconds(scenario.target.wallSeconds),
            ]
        let command = subject == .tests ? "gameprof test" : "gameprof check"
        let parts = [command, PlainText.clean(scenario.name)] + run + [scenario.outcome.rawValue]
        var lines = [style.paint(parts.joined(separator: " · "), .bold), ""]
        for problem in scenario.problems {
            lines +=
                TextTable.wrap(PlainText.clean(problem), first: "! ", rest: "  ", width: style.width)
                .map { style.paint($0, .warning) } + [""]
        }
        lines += findings(scenario, style)
        lines += limits(scenario, style)
        lines += (scenario.historyNotes ?? []).flatMap { note in
            TextTable.wrap("History: \(PlainText.clean(note))", first: "· ", rest: "  ", width: style.width)
                .map { style.paint($0, .faint) }
        }
        lines += scenario.resolved.map { entry in
            style.paint(
                "✓ Resolved: \(PlainText.clean(entry.title)) [\(PlainText.clean(String(entry.signature.prefix(8))))]",
                .good)
        }
        if !scenario.resolved.isEmpty {
            lines.append("  --update-baseline removes resolved findings from the baseline.")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func findings(_ scenario: CheckResult.Scenario, _ style: TextStyle) -> [String] {
        var names = Set<String>()
        for judged in scenario.findings {
            names.formUnion(judged.finding.references.flatMap { [$0.from, $0.to] + $0.via })
            names.formUnion(judged.finding.objects.keys)
            names.insert(judged.finding.type)
        }
        let short = ShortNames(names)
        var lines: [String] = []
        let failing = scenario.failingFindings
        for judged in failing.prefix(style.findingLimit) {
            var text = TextFinding(finding: judged.finding, names: short, style: style).lines
            if scenario.hasBaseline {
                let isMore = judged.status == .increased
                let note = isMore ? "\(judged.accepted ?? 0) in the baseline" : "not in the baseline"
                text.append(style.paint("             \(note)", .faint))
            }
            if let often = FindingText.frequency(judged, in: scenario) {
                text.append(style.paint("             \(often)", .warning))
            }
            if let history = judged.history {
                text.append(style.paint("    history  \(PlainText.clean(history))", .faint))
            }
            lines += text + [""]
        }
        if failing.count > style.findingLimit {
            lines += ["  … and \(NumberFormat.count(failing.count - style.findingLimit, "more finding"))", ""]
        }
        let others = scenario.findings.filter { !$0.fails }
        lines += others.prefix(style.findingLimit).map { judged in
            let mark = judged.finding.severity == .warning && judged.status == .new ? "!" : "·"
            let often = FindingText.frequency(judged, in: scenario).map { "\($0) · " } ?? ""
            let right = "\(often)\(judged.status.rawValue) · \(NumberFormat.bytes(judged.finding.bytes))"
            return style.paint(
                TextTable.spread("\(mark) \(PlainText.clean(judged.finding.title))", right, width: style.width), .faint)
        }
        return others.isEmpty ? lines : lines + [""]
    }

    private static func limits(_ scenario: CheckResult.Scenario, _ style: TextStyle) -> [String] {
        let widest = min(48, scenario.limits.map(\.measure.count).max() ?? 0)
        return scenario.limits.map { limit in
            let mark = limit.status == .passed ? "✓" : limit.status == .accepted ? "·" : "✗"
            let name = TextTable.left(PlainText.clean(limit.measure), widest)
            let measured = limit.status == .unmeasured ? "not measured" : limit.unit.text(limit.measured)
            var line = "\(mark) \(name)  \(TextTable.right(measured, 12))"
            if let most = limit.limit { line += "  limit \(limit.unit.text(most))" }
            if let accepted = limit.baseline { line += "  baseline \(limit.unit.text(accepted))" }
            if let each = limit.measuredEach, Set(each).count > 1 {
                line += "  runs \(each.map(limit.unit.text).joined(separator: ", "))"
            }
            if let place = limit.place, limit.status != .passed { line += "  \(PlainText.clean(place))" }
            if limit.status == .unmeasured { line += "\n  \(PlainText.clean(limit.message))" }
            return limit.status == .failed ? style.paint(line, .error) : line
        }
    }
}
