import GameprofBasics
import HistoryModel

/// Two builds for a terminal.
public enum ComparisonText {
    /// Ends with a newline.
    public static func render(_ comparison: InterleavedComparison) -> String {
        let head = ["scenario", "figure", "before", "after", "change", "p", "runs", ""]
        let rows = comparison.rows.map { row in
            [
                PlainText.clean(row.scenario), PlainText.clean(row.figure), row.unit.text(row.medianBefore),
                row.unit.text(row.medianAfter),
                row.medianBefore == row.medianAfter
                    ? "–" : HistoryText.percent(row.medianBefore, row.medianAfter) ?? "–",
                row.p.map { $0 < 0.0001 ? "< 0.0001" : NumberFormat.fixed($0, 4) } ?? "exact",
                "\(row.runs[0])+\(row.runs[1])", row.verdict.rawValue,
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + rows).map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
                .replacing(#/ +$/#, with: "")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
