import GameprofAnalysis
import GameprofBasics

/// What changed from one heap to another, for a terminal.
public enum HeapComparisonText {
    private static let rowLimit = 20
    private static let nameLimit = 70

    /// Ends without a newline.
    public static func render(_ comparison: HeapComparison) -> String {
        let names = ShortNames(
            Set(
                comparison.types.map(\.type) + comparison.holders.flatMap { [$0.holder ?? "", $0.type] }
                    + (comparison.survivors ?? []).map(\.type)))
        var lines = sides(comparison)
        if comparison.types.isEmpty { return (lines + ["", "  No type changed."]).joined(separator: "\n") }
        lines += ["", line("retained", "live", "added", "removed", "type")]
        for row in comparison.types.prefix(rowLimit) {
            lines.append(
                line(
                    signed(row.change.retainedDifference), NumberFormat.count(row.change.countAfter),
                    "+\(NumberFormat.count(row.added))", "-\(NumberFormat.count(row.removed))", shown(names[row.type])))
        }
        lines += more(comparison.types.count, comparison.typesOmitted, "type")
        lines += ["", line("retained", "before", "after", "", "held by")]
        for row in comparison.holders.prefix(rowLimit) {
            let path = [row.holder.map { names[$0] }, row.field].compactMap { $0 }.joined(separator: ".")
            lines.append(
                line(
                    signed(row.change.retainedDifference), NumberFormat.count(row.change.countBefore),
                    NumberFormat.count(row.change.countAfter), "",
                    shown(path.isEmpty ? names[row.type] : "\(path): \(names[row.type])")))
        }
        lines += more(comparison.holders.count, comparison.holdersOmitted, "row")
        return (lines + survivors(comparison, names)).joined(separator: "\n")
    }

    private static func sides(_ comparison: HeapComparison) -> [String] {
        [("before", comparison.before), ("after", comparison.after)].map { word, side in
            let name = side.name.isEmpty ? "" : " (\(PlainText.clean(side.name)))"
            return TextTable.left(word, 8)
                + "\(PlainText.clean(side.program)), snapshot \(side.snapshot)\(name) at "
                + "\(NumberFormat.seconds(side.seconds)): \(NumberFormat.bytes(side.bytes)) in "
                + NumberFormat.count(side.objects, "object")
        }
    }

    private static func survivors(_ comparison: HeapComparison, _ names: ShortNames) -> [String] {
        guard let rows = comparison.survivors else { return [] }
        var lines = [
            "", line("bytes", "objects", "", "", "made after the first snapshot and live at the second and third"),
        ]
        if rows.isEmpty { lines.append("  none") }
        for row in rows.prefix(rowLimit) {
            let maker = row.allocatedBy?.maker.map { "  \($0)" } ?? ""
            lines.append(
                line(
                    NumberFormat.bytes(row.bytes), NumberFormat.count(row.count), "", "",
                    shown(names[row.type]) + TextTable.cut(maker, nameLimit)))
        }
        return lines + more(rows.count, 0, "row")
    }

    private static func more(_ count: Int, _ omitted: Int, _ noun: String) -> [String] {
        let rest = count - min(count, rowLimit) + omitted
        return rest > 0 ? ["  … \(NumberFormat.count(rest, "more \(noun)"))"] : []
    }

    private static func signed(_ bytes: Int64) -> String {
        (bytes < 0 ? "-" : "+") + NumberFormat.bytes(bytes.magnitude)
    }

    private static func shown(_ name: String) -> String { TextTable.cut(PlainText.clean(name), nameLimit) }

    private static func line(_ a: String, _ b: String, _ c: String, _ d: String, _ name: String) -> String {
        "  " + [a, b, c, d].map { TextTable.right($0, 10) }.joined() + "  " + name
    }
}
