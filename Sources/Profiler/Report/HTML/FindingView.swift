import Foundation
import GameprofAnalysis
import GameprofBasics

/// What the template of a finding is filled with.
struct FindingView {
    let finding: Finding
    /// Place on the page: makes the drawing's names unique.
    let number: Int
    let names: ShortNames
    let limits: PageLimits
    let sources: SourceLines
    /// Seconds of the whole run on the page's timeline; nil: the page has none.
    var timelineSeconds: Double?
    /// A finding above has the same signature: of another process.
    var isRepeated = false

    var values: [String: Any] {
        let fix = FindingFix.lines(of: finding)
        let shown = PathEnds(finding.references, limit: limits.references)
        let rows = (shown.head + shown.tail).flatMap { ReferenceLines.rows($0, names: names) }
        return [
            "anchor": anchor, "isOpen": number == 0 && finding.severity != .note, "severity": finding.severity.rawValue,
            "mark": mark, "title": clean(finding.title),
            "numbers": FindingFigures.line(finding), "summary": summary, "message": clean(finding.message),
            "filter": filter, "known": optional(finding.known.map(clean)), "id": clean(finding.shortSignature),
            "drawing": optional(CycleDrawing(finding: finding, number: number, names: names)?.values),
            "hasReferences": !rows.isEmpty, "references": rows.map { row in reference(row) },
            "knot": optional(knot),
            "omitted": optional(omitted(shown.omitted)),
            "reason": optional(
                finding.references.compactMap(\.suspect).first.map { clean("Suspect: \($0.explanation)") }),
            "heldBy": optional(finding.heldBy.map { clean($0.joined(separator: " → ")) }),
            "history": optional(history), "explain": optional(finding.explain.map(clean)), "hasFix": finding.fix != nil,
            "changes": fix.changes.map(clean), "remark": optional(fix.remark), "stacks": stacks,
            "firstSeen": optional(firstSeen), "seen": optional(SeenText.sentence(finding).map(clean)),
            "hasObjects": !finding.objects.isEmpty,
            "objects": objects, "hasSuspects": finding.suspects?.isEmpty == false, "suspects": suspects,
        ]
    }

    private var knot: [String: Any]? {
        finding.knot.map { knot in
            [
                "heading": clean(KnotWords.heading(finding, names: names)),
                "references": knot.flatMap { ReferenceLines.rows($0, names: names) }.map { reference($0) },
            ]
        }
    }

    /// The line to change, and the edit, where sources were looked at.
    private var suspects: [[String: Any]] {
        (finding.suspects ?? []).prefix(4).map { suspect in
            let diff = sources.areHidden ? nil : suspect.diff
            return [
                "place": clean("\(suspect.file):\(suspect.line)"),
                "link": optional(limits.editor?.link(file: suspect.file, line: suspect.line)),
                "source": sources.areHidden ? "" : clean(suspect.source),
                "message": clean(suspect.message), "fix": clean(suspect.fix),
                // The first two lines name the file.
                "diff": (diff ?? "").split(separator: "\n").prefix(40).enumerated().map { number, line in
                    [
                        "kind": number < 2 ? "" : line.hasPrefix("+") ? "added" : line.hasPrefix("-") ? "removed" : "",
                        "text": clean(String(line)),
                    ]
                },
                "hasDiff": diff != nil,
            ]
        }
    }

    /// The same in another report of the same defect. A signature is digits, of another tool's report it may be anything.
    private var anchor: String {
        let digits = finding.shortSignature.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "finding-\(digits)\(isRepeated ? "-\(number)" : "")"
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private var mark: String { finding.severity == .error ? "✗" : finding.severity == .warning ? "!" : "·" }

    /// The second line of a closed finding: where it was made, or what to change.
    private var summary: String {
        if finding.kind == .zombie { return deathSummary }
        guard let frame = finding.allocatedBy?.telling.first else { return clean(finding.message) }
        let place = SourceLocation.short(file: frame.file, line: frame.line).map { ", \($0)" } ?? ""
        let verb = finding.kind.origin ?? "made"
        return clean("\(verb) in \(FunctionName.display(frame.function))\(place)")
    }

    private var deathSummary: String {
        let parts = [("used", finding.usedBy), ("deallocated", finding.deallocatedBy)].compactMap { verb, stack in
            stack?.telling.first.map { frame in
                let place = SourceLocation.short(file: frame.file, line: frame.line).map { ", \($0)" } ?? ""
                return "\(verb) in \(FunctionName.display(frame.function))\(place)"
            }
        }
        return parts.isEmpty ? clean(finding.message) : clean(parts.joined(separator: " · "))
    }

    private var filter: String {
        let parts =
            [finding.title, finding.kind.rawValue, finding.shortSignature, finding.type]
            + finding.references.prefix(8).flatMap { [$0.from, $0.field, $0.closure ?? ""] }
            + (finding.allocatedBy?.telling.prefix(4).map(\.function) ?? [])
        return PageText.clean(parts.joined(separator: " "), limit: 2 * limits.textLength)
    }

    private func reference(_ row: ReferenceLines.Row) -> [String: Any] {
        [
            "from": clean(row.from), "to": clean(row.to), "ownership": clean(row.ownership), "suspect": row.isSuspect,
            "repeats": optional(row.repeats > 1 ? "× \(NumberFormat.count(row.repeats))" : nil),
            "via": clean(row.via.joined(separator: ", ")),
        ]
    }

    private var history: [String: Any]? {
        finding.history.map { history in
            [
                "rows": HistoryRows.rows(history).map { row -> [String: Any] in
                    [
                        "what": row.what, "strong": row.strong, "function": clean(row.function),
                        "place": clean(row.place), "suspect": row.isSuspect, "mark": HistoryRows.mark(row),
                    ]
                },
                "omitted": optional(HistoryRows.omitted(history)),
                "secondRun": optional(history.secondRun == true ? HistoryRows.secondRun : nil),
                "conclusion": optional(history.conclusion == finding.fix ? nil : clean(history.conclusion)),
            ]
        }
    }

    private func omitted(_ count: Int) -> String? {
        count > 0
            ? "\(NumberFormat.count(count, "reference")) in the middle \(count == 1 ? "is" : "are") left out." : nil
    }

    /// When it was first seen, with the part of the timeline around that moment.
    private var firstSeen: [String: Any]? {
        finding.firstSeenSeconds.map { seconds in
            let part = (timelineSeconds ?? 0) / 40
            return [
                "time": NumberFormat.seconds(seconds), "isOnTimeline": part > 0,
                "from": "\(max(0, seconds - part))", "to": "\(seconds + part)",
            ]
        }
    }

    private var stacks: [[String: Any]] {
        let earlier = finding.secondsDead.map { " \(NumberFormat.seconds($0)) earlier" } ?? ""
        return [
            ("Used", finding.usedBy), ("Deallocated" + earlier, finding.deallocatedBy),
            (finding.kind.origin?.capitalized ?? "Allocated", finding.allocatedBy),
        ]
        .compactMap { label, stack in
            stack.map { StackView(label: label, stack: $0, limits: limits, sources: sources).values }
        }
    }

    private var objects: [[String: Any]] {
        let sorted = finding.objects.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var rows: [[String: Any]] = sorted.prefix(limits.objectTypes).map { type, count in
            ["count": NumberFormat.count(count), "type": clean(names[type])]
        }
        if sorted.count > limits.objectTypes {
            let rest = sorted.dropFirst(limits.objectTypes)
            let count = rest.map(\.value).clampedSum
            rows.append([
                "count": NumberFormat.count(count), "type": "of \(NumberFormat.count(rest.count, "more type"))",
            ])
        }
        return rows
    }
}
