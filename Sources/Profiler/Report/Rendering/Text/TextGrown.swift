import GameprofAnalysis
import GameprofBasics

/// What grew through the run, for a terminal.
package enum TextGrown {
    package static let heading = "Grew through the run"

    static func lines(_ report: Report, names: ShortNames, style: TextStyle) -> [String] {
        guard let rows = report.grew, !rows.isEmpty else { return [] }
        var lines = [style.paint(heading, .bold)]
        for row in rows {
            let left = "  " + TextTable.cut(title(row, names: names), max(20, style.width - 34))
            lines.append(TextTable.spread(left, amount(row), width: style.width))
            lines.append("    \(sparkline(row.curve))  \(counts(row))")
            if let maker = added(row) {
                lines.append(style.paint("    made by \(TextTable.cut(maker, max(20, style.width - 12)))", .faint))
            }
        }
        if let more = more(report) { lines.append("  … \(more)") }
        return lines + [""]
    }

    /// `ThumbnailCache.entries: Thumbnail`
    package static func title(_ row: Report.Grown, names: ShortNames) -> String {
        // A list may be held by its first element.
        let holder = (row.holder == row.type && row.field == nil ? nil : row.holder)
            .map { TypeName.isOne($0) ? names[$0] : $0 }
            .map { ([$0] + [row.field].compactMap { $0 }).joined(separator: ".") }
        return PlainText.clean([holder, names[row.type]].compactMap { $0 }.joined(separator: ": "))
    }

    /// `19 MB, 97 % of the heap`
    package static func amount(_ row: Report.Grown) -> String {
        "\(NumberFormat.bytes(row.bytes)), \(NumberFormat.fixed(100 * row.share, row.share < 0.1 ? 1 : 0)) % of the heap"
    }

    /// `4,515 added, 0 removed, the last at 0.45 s`
    package static func counts(_ row: Report.Grown) -> String {
        "\(NumberFormat.count(row.added)) added, \(NumberFormat.count(row.removed)) removed, "
            + "the last added at \(NumberFormat.seconds(row.lastAddedSeconds))"
    }

    /// The holder's function that added it, `Log.append(_:), Log.swift:8`; else the function that made it, no initialiser of its own.
    private static func added(_ row: Report.Grown) -> String? {
        func isOf(_ type: String, _ frame: CallStack.Frame) -> Bool {
            FunctionName.enclosingType(frame.function) == TypeName.bare(type)
        }
        guard var stack = row.allocatedBy else { return nil }
        let makers = stack.telling.filter { !FunctionName.isInitializer($0.function) || !isOf(row.type, $0) }
        let frame = row.holder.flatMap { holder in makers.first { isOf(holder, $0) } } ?? makers.first
        if let frame { stack.frames = [frame] }
        return stack.maker
    }

    /// `3 more that grew less`; nil: the list has all.
    package static func more(_ report: Report) -> String? {
        report.grewOmitted.map { "\(NumberFormat.count($0)) more that grew less" }
    }

    private static let bars = Array("▁▂▃▄▅▆▇█")

    /// Every other level.
    private static func sparkline(_ curve: [UInt64]) -> String {
        let most = Double(max(1, curve.max() ?? 1))
        return String(
            curve.indices.filter { !$0.isMultiple(of: 2) }.map { index in
                bars[min(bars.count - 1, Int(Double(curve[index]) / most * Double(bars.count)))]
            })
    }
}
