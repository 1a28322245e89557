import GameprofAnalysis
import GameprofBasics

/// The rows in which every report shows a history.
package enum HistoryRows {
    package struct Row {
        /// `retain`, `release`, `allocated`, …
        package var what: String
        /// Strong count after it.
        package var strong: String
        package var function: String
        package var place: String
        package var isSuspect: Bool
    }

    package static func rows(_ history: CountHistory) -> [Row] {
        history.changes.map { change in
            let frames = change.by?.telling ?? []
            let frame = frames.first { !FunctionName.isOutlined($0.function) } ?? frames.first
            return Row(
                what: change.kind == .unseen ? "not seen" : change.kind.rawValue, strong: "\(change.strong)",
                function: (change.kind == .unseen
                    ? "inside the runtime" : frame.map { FunctionName.display($0.function) } ?? "")
                    + (change.times.map { " × \(NumberFormat.count($0))" } ?? ""),
                place: frame.flatMap { SourceLocation.short(file: $0.file, line: $0.line) ?? $0.module } ?? "",
                isSuspect: change.suspect)
        }
    }

    package static let secondRun = "recorded by a second run, which found the same"

    /// Why a row is marked.
    package static func mark(_ row: Row) -> String { row.what == "release" ? "no retain of its own" : "never released" }

    package static func omitted(_ history: CountHistory) -> String? {
        history.omitted > 0 ? "\(NumberFormat.count(history.omitted, "change")) that balance each other" : nil
    }
}
