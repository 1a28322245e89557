import GameprofAnalysis
import GameprofBasics

/// What lived before and after each memory warning, and what stayed, in a text report.
enum TextMemoryWarnings {
    private static let warningLimit = 10
    private static let rowLimit = 5

    static func lines(_ warnings: [Report.MemoryWarning], names: ShortNames, style: TextStyle) -> [String] {
        guard !warnings.isEmpty else { return [] }
        var lines = [style.paint("Memory warnings", .bold)]
        for warning in warnings.prefix(warningLimit) {
            let figures =
                "\(NumberFormat.bytes(warning.liveBytesBefore)) before · "
                + "\(NumberFormat.bytes(warning.liveBytesAfter)) after · \(MemoryWarningText.share(warning.liveBytesAfter, of: warning)) stayed"
            lines.append(TextTable.spread("  at \(NumberFormat.seconds(warning.seconds))", figures, width: style.width))
            for row in warning.byStack.prefix(rowLimit) {
                let place = MemoryWarningText.maker(row).map { " ← \(PlainText.clean($0))" } ?? ""
                lines.append(
                    TextTable.right(NumberFormat.count(row.liveCount), 11)
                        + TextTable.right(NumberFormat.bytes(row.liveBytes), 10) + "  "
                        + TextTable.cut(PlainText.clean(names[row.type]) + place, max(20, style.width - 23)))
            }
        }
        if warnings.count > warningLimit {
            lines.append("  … \(NumberFormat.count(warnings.count - warningLimit, "more warning"))")
        }
        return lines + [""]
    }
}
