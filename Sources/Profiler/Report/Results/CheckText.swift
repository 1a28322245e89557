/// A diagnostic pass for a terminal.
public enum CheckText {
    /// Ends with a newline.
    public static func render(_ result: CheckResult, style: TextStyle = TextStyle()) -> String {
        result.scenarios.map { section($0, style) }.joined(separator: "\n")
    }

    private static func section(_ scenario: CheckResult.Scenario, _ style: TextStyle) -> String {
        let program =
            ([String(scenario.target.executable.split(separator: "/").last ?? "?")] + scenario.target.arguments)
            .map(PlainText.clean).joined(separator: " ")
        let parts = [
            "gameprof check", PlainText.clean(scenario.name), TextTable.cut(program, max(20, style.width - 48)),
            Quantity.seconds(scenario.target.wallSeconds), scenario.outcome.rawValue,
        ]
        var lines = [style.paint(parts.joined(separator: " · "), .bold), ""]
        for problem in scenario.problems {
            lines +=
                TextTable.wrap(PlainText.clean(problem), first: "! ", rest: "  ", width: style.width)
                .map { style.paint($0, .warning) } + [""]
        }
        lines += findings(scenario, style)
        lines += limits(scenario, style)
        lines += scenario.mended.map { entry in
            style.paint(
                "✓ Mended: \(PlainText.clean(entry.title)) [\(PlainText.clean(String(entry.signature.prefix(8))))]",
                .good)
        }
        if !scenario.mended.isEmpty { lines.append("  --update-baseline takes what is mended out of the baseline.") }
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
            let note = judged.status == .increased ? "\(judged.accepted ?? 0) in the baseline" : "not in the baseline"
            text.append(style.paint("             \(note)", .faint))
            lines += text + [""]
        }
        if failing.count > style.findingLimit {
            lines += ["  … and \(Quantity.count(failing.count - style.findingLimit, "more finding"))", ""]
        }
        let others = scenario.findings.filter { !$0.fails }
        lines += others.prefix(style.findingLimit).map { judged in
            let mark = judged.finding.severity == .warning && judged.status == .new ? "!" : "·"
            let right = "\(judged.status.rawValue) · \(Quantity.bytes(judged.finding.bytes))"
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
            if let place = limit.place, limit.status != .passed { line += "  \(PlainText.clean(place))" }
            return limit.status == .failed ? style.paint(line, .error) : line
        }
    }
}
