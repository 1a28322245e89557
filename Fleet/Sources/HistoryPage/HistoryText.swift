import Foundation
import GameprofBasics
import HistoryModel

/// A history for a terminal.
public enum HistoryText {
    /// Ends with a newline.
    public static func render(_ histories: [ScenarioHistory]) -> String {
        histories.isEmpty ? "The history is empty.\n" : histories.map(section).joined(separator: "\n")
    }

    private static func section(_ history: ScenarioHistory) -> String {
        let commits = history.timeline.commits
        var lines = [
            "\(PlainText.clean(history.scenario)) · \(PlainText.clean(history.branch)) · "
                + "\(NumberFormat.count(commits.count, "commit")), \(NumberFormat.count(history.timeline.runCount, "run"))"
                + (commits.last.map { " · last \($0.name.shortCommit), \(PageDate.day($0.committed))" } ?? ""), "",
        ]
        for life in history.findings.prefix(40) {
            let mark = life.state == .fixed ? "✓" : life.state == .flaky ? "~" : "✗"
            let count = life.isOpen ? " ×\(NumberFormat.count(UInt64(clamping: life.finding.count)))" : ""
            lines.append("\(mark) \(PlainText.clean(life.finding.title))\(count)")
            lines.append("    \(life.evidence) [\(PlainText.clean(String(life.finding.signature.prefix(8))))]")
        }
        if history.findings.count > 40 { lines.append("  … and \(history.findings.count - 40) more") }
        if !history.findings.isEmpty { lines.append("") }
        let widest = history.trends.map(\.name.count).max() ?? 0
        for trend in history.trends {
            guard let last = trend.last else { continue }
            let name = PlainText.clean(trend.name)
            let padding = String(repeating: " ", count: max(0, min(widest, 40) - name.count))
            lines.append("  \(name)\(padding)  \(trend.unit.text(last))\(change(trend))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// ", +8.1 % since a1b2c3d"
    static func change(_ trend: FigureTrend) -> String {
        guard let change = trend.latestChange else { return "" }
        let share = percent(change.before, change.after) ?? "from \(trend.unit.text(change.before))"
        return ", \(share) since \(change.commit.shortCommit)"
    }

    static func percent(_ old: Double, _ new: Double) -> String? {
        guard old > 0 else { return nil }
        let change = (new / old - 1) * 100
        return "\(change < 0 ? "−" : "+")\(NumberFormat.fixed(abs(change), abs(change) < 0.0995 ? 3 : 1)) %"
    }
}

/// Dates as the ISO has them, in UTC.
enum PageDate {
    static func day(_ seconds: Int64) -> String {
        // Proleptic Gregorian calendar from the days since 1970 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return "?" }
        let days = Int((Double(seconds) / 86_400).rounded(.down)) + 719_468
        let era = days / 146_097
        let ofEra = days - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(String(repeating: "0", count: max(0, 4 - "\(year)".count)))\(year)-\(two(calendarMonth))-\(two(day))"
    }
}
