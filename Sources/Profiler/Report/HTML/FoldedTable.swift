import GameprofBasics

/// A table of which the first rows are shown, the others on request.
enum FoldedTable {
    static let shown = 12

    /// What the templates of such tables need beside their rows. `id`: unique on the page.
    static func values(id: String, rows: [[String: Any]], noun: String, more: String? = nil) -> [String: Any] {
        let isLong = rows.count > shown + 2
        return [
            "tableID": id, "fold": isLong ? "\(shown)" : "", "isLong": isLong,
            "rows": rows.enumerated().map { index, row in
                row.merging(["extra": isLong && index >= shown]) { $1 }
            },
            "showAll": optional(isLong ? "Show all \(NumberFormat.count(rows.count)) \(noun)" : nil),
            "more": optional(more),
        ]
    }
}
