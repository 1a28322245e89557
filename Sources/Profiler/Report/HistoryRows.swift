/// The rows in which every report shows a history.
enum HistoryRows {
    struct Row {
        /// `retain`, `release`, `allocated`, …
        var what: String
        /// Strong count after it.
        var strong: String
        var function: String
        var place: String
        var isSuspect: Bool
    }

    static func rows(_ history: CountHistory) -> [Row] {
        history.changes.map { change in
            let frames = change.by?.telling ?? []
            let frame = frames.first { !$0.function.contains("outlined") } ?? frames.first
            return Row(
                what: change.kind == .unseen ? "not seen" : change.kind.rawValue, strong: "\(change.strong)",
                function: (change.kind == .unseen
                    ? "inside the runtime" : frame.map { FunctionName.display($0.function) } ?? "")
                    + (change.times.map { " × \(Quantity.count($0))" } ?? ""),
                place: frame.flatMap { SourcePlace.short(file: $0.file, line: $0.line) ?? $0.module } ?? "",
                isSuspect: change.suspect)
        }
    }

    /// Why a row is marked.
    static func mark(_ row: Row) -> String { row.what == "release" ? "no retain of its own" : "never released" }

    static func omitted(_ history: CountHistory) -> String? {
        history.omitted > 0 ? "\(Quantity.count(history.omitted, "change")) that balance each other" : nil
    }
}
