import GameprofAnalysis
import GameprofBasics

/// Static findings for a terminal: the source line, why, what to change, what a recording says.
public enum StaticFindingText {
    /// Ends with a newline.
    public static func render(
        _ analysis: Analysis, confidence: StaticFinding.Confidence = .medium, style: TextStyle = TextStyle()
    ) -> String {
        let shown = analysis.shown(from: confidence).sorted { left, right in
            (left.severity, left.suspect.file, left.suspect.line) < (
                right.severity, right.suspect.file, right.suspect.line
            )
        }
        var lines = [headline(analysis, shown, style), ""]
        for entry in shown.prefix(style.findingLimit) { lines += self.lines(entry, style) + [""] }
        if shown.count > style.findingLimit {
            lines += [
                "  … and \(NumberFormat.count(shown.count - style.findingLimit, "more suspect")): see the JSON", "",
            ]
        }
        lines += closing(analysis, shown, confidence, style)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func headline(_ analysis: Analysis, _ shown: [Analysis.Entry], _ style: TextStyle) -> String {
        var parts = [
            "gameprof analyze", NumberFormat.count(analysis.files, "file"), NumberFormat.count(analysis.lines, "line"),
        ]
        if let program = analysis.program { parts.append("with \(TextTable.cut(PlainText.clean(program), 40))") }
        parts.append(shown.isEmpty ? "nothing suspicious" : NumberFormat.count(shown.count, "suspect"))
        return style.paint(parts.joined(separator: " · "), .bold)
    }

    private static func lines(_ entry: Analysis.Entry, _ style: TextStyle) -> [String] {
        let suspect = entry.suspect
        let mark = entry.severity == .error ? "✗" : entry.severity == .warning ? "!" : "·"
        let place = "\(suspect.file):\(suspect.line):\(suspect.column)"
        let title = TextTable.spread(
            "\(mark) \(PlainText.clean(place))", "\(suspect.rule), \(suspect.confidence.rawValue)", width: style.width)
        var lines = [style.paint(title, entry.severity == .error ? .error : .warning)]
        lines.append("    " + style.paint(TextTable.cut(PlainText.clean(suspect.source), style.width - 4), .bold))
        lines += row("why", suspect.message, style)
        lines += row("fix", suspect.fix, style)
        for sentence in suspect.unknowns.prefix(3) { lines += row("unknown", sentence, style) }
        if let verdict = entry.verdict {
            lines += row(verdict.status.rawValue, verdict.explanation, style).map {
                style.paint($0, verdict.status == .confirmed ? .error : .faint)
            }
        }
        return lines
    }

    private static func row(_ label: String, _ text: String, _ style: TextStyle) -> [String] {
        TextTable.wrap(
            PlainText.clean(text), first: "    \(TextTable.left(label, 9)) ",
            rest: String(repeating: " ", count: 14), width: style.width)
    }

    private static func lines(_ index: IndexUse, _ style: TextStyle) -> [String] {
        var sentences: [String] = []
        if index.files > 0 {
            sentences.append(
                "The build's index knows \(NumberFormat.count(index.files, "file")); "
                    + "\(NumberFormat.count(index.declaring.count, "file")) of other modules "
                    + "\(index.declaring.count == 1 ? "was" : "were") read for declarations."
            )
        }
        if let first = index.stale.first {
            let more = index.stale.count - 1
            let names = more == 0 ? first : "\(first) and \(NumberFormat.count(more, "other file"))"
            sentences.append("It is older than \(names), so its data about them is ignored. Build again to update it.")
        }
        guard !sentences.isEmpty else { return [] }
        return TextTable.wrap(
            PlainText.clean(sentences.joined(separator: " ")), first: "", rest: "  ", width: style.width)
    }

    private static func closing(
        _ analysis: Analysis, _ shown: [Analysis.Entry], _ confidence: StaticFinding.Confidence, _ style: TextStyle
    ) -> [String] {
        var lines = analysis.problems.prefix(10).flatMap {
            TextTable.wrap(PlainText.clean($0), first: "! ", rest: "  ", width: style.width)
        }
        if let index = analysis.index { lines += self.lines(index, style) }
        let silenced = analysis.entries.count { $0.silencedBy != nil }
        let hidden = analysis.entries.count - silenced - shown.count
        var parts: [String] = []
        if analysis.program != nil {
            for status in [Analysis.Verdict.Status.confirmed, .cleared, .unseen] {
                let count = analysis.entries.count { $0.silencedBy == nil && $0.verdict?.status == status }
                parts.append("\(NumberFormat.count(count)) \(status.rawValue)")
            }
        }
        if hidden > 0 { parts.append("\(NumberFormat.count(hidden)) below confidence \(confidence.rawValue)") }
        if silenced > 0 { parts.append("\(NumberFormat.count(silenced)) silenced") }
        let edits = shown.count { $0.suspect.edit != nil }
        if edits > 0 { parts.append("--fix can correct \(NumberFormat.count(edits))") }
        if !parts.isEmpty { lines.append(parts.joined(separator: ", ") + ".") }
        if !analysis.unusedSuppressions.isEmpty {
            let names = analysis.unusedSuppressions.map(PlainText.clean).joined(separator: ", ")
            lines += TextTable.wrap(
                "These suppressions matched nothing: \(names).", first: "", rest: "  ", width: style.width)
        }
        return lines
    }
}
