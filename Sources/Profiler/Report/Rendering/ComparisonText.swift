import GameprofAnalysis
import GameprofBasics

/// A comparison as text for a terminal.
public enum ComparisonText {
    private static let rows = 12
    private static let nameWidth = 44

    /// Ends without a newline.
    public static func render(_ report: ComparisonReport) -> String {
        var lines = ["Before: \(PlainText.clean(report.before))", "After:  \(PlainText.clean(report.after))"]
        if let leaks = report.leaks {
            lines += findings(leaks.filter { $0.severity == .error }, title: "Leaks and zombies")
            let warnings = leaks.filter { $0.severity != .error }
            if !warnings.isEmpty { lines += findings(warnings, title: "Warnings") }
        }
        lines += durations(report.frames ?? [], title: "loop")
        lines += figures(report.figures)
        lines += durations(report.probes ?? [], title: "interval")
        if let time = report.time { lines += table(time, title: "CPU time", verdict: singleRun, amount: seconds) }
        if let memory = report.memory { lines += table(memory, title: "Memory allocated", amount: NumberFormat.bytes) }
        if !report.types.isEmpty { lines += types(report.types) }
        return lines.joined(separator: "\n")
    }

    private static func findings(_ rows: [ComparisonReport.FindingRow], title: String) -> [String] {
        let new = rows.count { $0.count.before == 0 }
        let gone = rows.count { $0.count.after == 0 }
        let same = rows.count - new - gone
        var lines = ["", "\(title): \(new) new, \(gone) gone, \(same) in both"]
        for row in rows where row.count.difference != 0 || row.bytes.difference != 0 {
            let mark = row.count.before == 0 ? "✗" : row.count.after == 0 ? "✓" : "·"
            let change = "\(NumberFormat.count(row.count.before)) → \(NumberFormat.count(row.count.after))"
            let bytes = signed(row.bytes.difference, NumberFormat.bytes)
            lines.append(
                "  \(mark) \(PlainText.clean(row.title)) [\(PlainText.clean(String(row.signature.prefix(8))))]  "
                    + "\(change), \(bytes)")
        }
        return lines
    }

    private static func durations(_ all: [ComparisonReport.DurationRow], title: String) -> [String] {
        guard !all.isEmpty else { return [] }
        func pair(_ change: ComparisonReport.Change, _ amount: (UInt64) -> String = NumberFormat.nanoseconds) -> String
        {
            "\(amount(change.before)) → \(amount(change.after))"
        }
        var lines = [""]
        for entry in all.prefix(rows) {
            let over = entry.overBudget.map { over in
                "; \(pair(over, NumberFormat.count)) over \(NumberFormat.nanoseconds(entry.budgetNanoseconds ?? 0))"
            }
            let figures = [("p50", entry.p50), ("p95", entry.p95), ("p99", entry.p99), ("most", entry.max)]
            lines.append(
                "\(title) \(PlainText.clean(entry.name)): \(pair(entry.count, NumberFormat.count)), "
                    + figures.map { "\($0) \(pair($1))" }.joined(separator: ", ") + (over ?? "")
                    + (entry.isNoise ? " (within noise)" : ""))
        }
        if all.count > rows { lines.append("  … \(all.count - rows) more") }
        return lines
    }

    /// What did not change is left out.
    private static func figures(_ figures: [ComparisonReport.Figure]) -> [String] {
        let changed = figures.filter { $0.change.difference != 0 }
        guard !figures.isEmpty else { return [] }
        guard !changed.isEmpty else { return ["", "All figures are the same."] }
        return ["", row("", "before", "after", "change", "")]
            + changed.map { figure in
                func amount(_ value: UInt64) -> String { figure.unit.text(Double(value)) }
                return row(
                    name(figure.name), amount(figure.change.before), amount(figure.change.after),
                    signed(figure.change.difference, amount),
                    figure.isSingleRun == true ? "not compared" : figure.isNoise ? "noise" : percent(figure.change))
            }
    }

    /// Said of a figure that only repeated runs can compare.
    package static let singleRun = "one run each: not compared"

    /// A figure in words.
    public static func name(_ figure: ComparisonReport.Figure.Name) -> String {
        switch figure {
        case .time: "CPU time"
        case .live: "live memory at the end"
        case .peak: "peak memory"
        case .allocations: "allocations"
        case .bytes: "memory allocated"
        case .temporary: "temporary allocations"
        }
    }

    package static func seconds(_ nanoseconds: UInt64) -> String { NumberFormat.seconds(Double(nanoseconds) / 1e9) }

    private static func table(
        _ weights: ComparisonReport.Weights, title: String, verdict: String? = nil, amount: (UInt64) -> String
    ) -> [String] {
        let total = weights.total
        var lines = [
            "", "\(title): \(amount(total.before)) → \(amount(total.after)) (\(verdict ?? percent(total)))",
        ]
        lines.append(row("self", "before", "after", "change", "total change"))
        for function in weights.functions.prefix(rows) where function.own.difference != 0 {
            lines.append(
                row(
                    PlainText.clean(function.name), amount(function.own.before), amount(function.own.after),
                    signed(function.own.difference, amount) + (function.isNoise ? " ~" : ""),
                    signed(function.total.difference, amount)))
        }
        if weights.functions.prefix(rows).contains(where: { $0.isNoise && $0.own.difference != 0 }) {
            lines.append("  ~ within noise: the difference of the samples can be chance.")
        }
        if let stack = weights.stacks.first {
            lines.append("")
            lines.append("Stack that changed most, by \(signed(stack.weight.difference, amount)):")
            lines += stack.functions.prefix(rows).map { "    \(PlainText.clean($0))" }
            if stack.functions.count > rows { lines.append("    … \(stack.functions.count - rows) more") }
        }
        return lines
    }

    private static func types(_ rows: [ComparisonReport.TypeRow]) -> [String] {
        let names = ShortNames(Set(rows.map(\.type)))
        var lines = ["", row("type", "before", "after", "change", "allocations")]
        for entry in rows.filter({ $0.bytes != 0 || $0.allocations != 0 }).prefix(Self.rows) {
            lines.append(
                row(
                    PlainText.clean(names[entry.type]), NumberFormat.bytes(entry.before.bytes),
                    NumberFormat.bytes(entry.after.bytes),
                    signed(entry.bytes, NumberFormat.bytes), signed(entry.allocations, NumberFormat.count)))
        }
        return lines
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        let padded = columns.map { TextTable.right($0, 13) }.joined()
        return "  " + TextTable.left(name, nameWidth) + padded
    }

    package static func signed(_ value: Int64, _ amount: (UInt64) -> String) -> String {
        value == 0 ? "–" : (value < 0 ? "−" : "+") + amount(value.magnitude)
    }

    package static func percent(_ change: ComparisonReport.Change) -> String {
        guard change.before > 0 else { return "new" }
        let ratio = Double(change.difference) / Double(change.before) * 100
        return (ratio < 0 ? "−" : "+") + NumberFormat.fixed(ratio.magnitude, 1) + " %"
    }
}
