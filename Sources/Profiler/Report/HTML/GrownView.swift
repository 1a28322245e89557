import GameprofAnalysis
import GameprofBasics

/// What the template of what grew through the run is filled with.
struct GrownView {
    private let rows: [Report.Grown]
    private let more: String?
    private let names: ShortNames
    private let limits: PageLimits

    /// Nil: nothing grew.
    init?(_ report: Report, names: ShortNames, limits: PageLimits) {
        guard let rows = report.grew, !rows.isEmpty else { return nil }
        self.rows = rows
        more = TextGrown.more(report)
        self.names = names
        self.limits = limits
    }

    var values: [String: Any] {
        ["heading": TextGrown.heading, "rows": rows.map(row), "more": optional(more.map { "\($0)." })]
    }

    private func row(_ row: Report.Grown) -> [String: Any] {
        let title = PageText.clean(TextGrown.title(row, names: names), limit: limits.textLength)
        let frames = row.allocatedBy?.telling.prefix(min(6, limits.frames)) ?? []
        let functions = frames.map(\.function).joined(separator: " ")
        return [
            "title": title, "filter": PageText.clean("\(title) \(functions)", limit: 2 * limits.textLength),
            "amount": TextGrown.amount(row), "curve": curve(row.curve),
            "peak": NumberFormat.bytes(row.curve.max() ?? 0),
            "counts": TextGrown.counts(row),
            "hasFrames": !frames.isEmpty,
            "frames": frames.map { StackView.frame($0, limits: limits, source: nil) },
        ]
    }

    /// In a drawing of 100 by 20.
    private func curve(_ levels: [UInt64]) -> String {
        let most = Double(max(1, levels.max() ?? 1))
        let width = 100 / Double(max(1, levels.count - 1))
        let points = levels.enumerated().map { index, level in
            NumberFormat.fixed(Double(index) * width, 1) + " "
                + NumberFormat.fixed(19 - 18 * Double(level) / most, 1)
        }
        return "M" + points.joined(separator: "L")
    }
}
