/// A comparison as text for a terminal.
public enum ComparisonText {
    private static let rows = 12
    private static let nameWidth = 44

    /// Ends without a newline.
    public static func render(_ report: ComparisonReport) -> String {
        var lines = ["Before: \(PlainText.clean(report.before))", "After:  \(PlainText.clean(report.after))"]
        if let time = report.time { lines += table(time, title: "CPU time", amount: seconds) }
        if let memory = report.memory { lines += table(memory, title: "Memory allocated", amount: Quantity.bytes) }
        if !report.types.isEmpty { lines += types(report.types) }
        return lines.joined(separator: "\n")
    }

    static func seconds(_ nanoseconds: UInt64) -> String { Quantity.seconds(Double(nanoseconds) / 1e9) }

    private static func table(
        _ weights: ComparisonReport.Weights, title: String, amount: (UInt64) -> String
    ) -> [String] {
        let total = weights.total
        var lines = ["", "\(title): \(amount(total.before)) → \(amount(total.after)) (\(percent(total)))"]
        lines.append(row("self", "before", "after", "change", "total change"))
        for function in weights.functions.prefix(rows) where function.own.difference != 0 {
            lines.append(
                row(
                    PlainText.clean(function.name), amount(function.own.before), amount(function.own.after),
                    signed(function.own.difference, amount), signed(function.total.difference, amount)))
        }
        if let stack = weights.stacks.first {
            lines.append("")
            lines.append("Stack that changed most, by \(signed(stack.weight.difference, amount)):")
            lines += stack.functions.prefix(rows).map { "    \(PlainText.clean($0))" }
            if stack.functions.count > rows { lines.append("    … \(stack.functions.count - rows) more") }
        }
        return lines
    }

    private static func types(_ rows: [TypeComparison.Row]) -> [String] {
        var lines = ["", row("type", "before", "after", "change", "allocations")]
        for entry in rows.prefix(Self.rows) {
            lines.append(
                row(
                    PlainText.clean(entry.type), Quantity.bytes(entry.before.bytes), Quantity.bytes(entry.after.bytes),
                    signed(entry.bytes, Quantity.bytes), signed(entry.allocations, Quantity.count)))
        }
        return lines
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        let padded = columns.map { TextTable.right($0, 13) }.joined()
        return "  " + TextTable.left(name, nameWidth) + padded
    }

    static func signed(_ value: Int64, _ amount: (UInt64) -> String) -> String {
        value == 0 ? "–" : (value < 0 ? "−" : "+") + amount(value.magnitude)
    }

    static func percent(_ change: ProfileComparison.Change) -> String {
        guard change.before > 0 else { return "new" }
        let ratio = Double(change.difference) / Double(change.before) * 100
        return (ratio < 0 ? "−" : "+") + Quantity.fixed(ratio.magnitude, 1) + " %"
    }
}
