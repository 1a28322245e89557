import GameprofAnalysis
import GameprofBasics

/// One finding of a text report.
package struct TextFinding {
    package let finding: Finding
    package let names: ShortNames
    package let style: TextStyle

    package init(finding: Finding, names: ShortNames, style: TextStyle) {
        self.finding = finding
        self.names = names
        self.style = style
    }

    /// References drawn of a long path: the first ones and the last ones.
    private static let headLimit = 6
    private static let tailLimit = 3
    private static let frameLimit = 5
    /// Longer names are cut: a generic type can fill a screen.
    private static let nameLimit = 160
    /// A type in a reference that is longer leaves out what encloses it and its arguments.
    private static let typeLimit = 48

    package var lines: [String] {
        var lines = [title]
        lines += references(finding.references)
        if let knot = finding.knot { lines += ["    \(KnotWords.heading(finding, names: names))"] + references(knot) }
        // The title of a warning is that of an error; only the sentence says what is not certain.
        if finding.severity == .warning { lines += wrapped("why", PlainText.clean(finding.message)) }
        if let held = finding.heldBy, !held.isEmpty {
            lines += wrapped("held by", held.map(PlainText.clean).joined(separator: " → "))
        }
        if finding.kind == .zombie {
            lines += stack("used", finding.usedBy, remark: [thread(finding.usedBy)])
            let earlier = finding.secondsDead.map { "\(NumberFormat.seconds($0)) earlier" }
            lines += stack("freed", finding.deallocatedBy, remark: [earlier, thread(finding.deallocatedBy)])
            lines += stack("made", finding.allocatedBy)
        } else {
            lines += stack(finding.kind.origin ?? "made in", finding.allocatedBy)
        }
        lines += history
        lines += wrapped("kept", keeps)
        if finding.kind != .zombie, let seconds = finding.firstSeenSeconds {
            lines += wrapped("seen", "first at \(NumberFormat.seconds(seconds))")
        }
        if let seen = SeenText.sentence(finding) { lines += wrapped("seen in", seen) }
        lines += fix
        lines.append(style.paint(labelled("id", PlainText.clean(finding.shortSignature)), .faint))
        return lines
    }

    private var fix: [String] {
        let fix = FindingFix.lines(of: finding)
        let changes = fix.changes.enumerated().flatMap { index, change in
            wrapped(index == 0 ? "fix" : "", TextTable.cut(PlainText.clean(change), 400))
        }
        return changes + wrapped("", fix.remark ?? "")
    }

    private var title: String {
        let mark = finding.severity == .error ? "✗" : finding.severity == .warning ? "!" : "·"
        let colour: TextStyle.Colour = finding.severity == .error ? .error : .warning
        let line = TextTable.spread(
            "\(mark) \(TextTable.cut(PlainText.clean(finding.title), Self.nameLimit))", FindingFigures.line(finding),
            width: style.width)
        return style.paint(line, colour)
    }

    private func references(_ references: [Reference]) -> [String] {
        let omitted = Set(references.indices.filter { isOmitted($0, of: references.count) })
        let rows = references.enumerated().flatMap { index, reference in
            omitted.contains(index) ? [] : ReferenceLines.rows(reference, names: names, limit: Self.typeLimit)
        }
        let widest = min(max(20, style.width - 40), rows.map(\.from.count).max() ?? 0)
        var lines: [String] = []
        for row in rows {
            let from = TextTable.left(row.from, widest)
            let mark = row.isSuspect ? "  ▸ " : "    "
            var line = "\(mark)\(from)  \(row.ownership) →  \(TextTable.cut(row.to, Self.nameLimit))"
            if row.repeats > 1 { line += "  × \(NumberFormat.count(row.repeats))" }
            if row.isSuspect { line += "    ← suspect" }
            lines.append(row.isSuspect ? style.paint(line, .bold) : line)
        }
        if !omitted.isEmpty {
            lines.insert(
                "    … \(NumberFormat.count(omitted.count, "reference")) …", at: min(lines.count, Self.headLimit))
        }
        return lines
    }

    private func isOmitted(_ index: Int, of count: Int) -> Bool {
        count > Self.headLimit + Self.tailLimit && index >= Self.headLimit && index < count - Self.tailLimit
    }

    /// What hangs off, by type; empty when there is nothing beside the path.
    private var keeps: String {
        let references = finding.references + (finding.knot ?? [])
        let own = Set(references.flatMap { [$0.from, $0.to] + $0.via } + [finding.type])
        let others = finding.objects.filter { !own.contains($0.key) }
            .map { (objects: $0, rank: rank($0)) }.sorted { $0.rank < $1.rank }.map(\.objects)
        guard !others.isEmpty else { return "" }
        let shown = others.prefix(4).map {
            ObjectNoun(rawValue: $0.key)?.counted($0.value)
                ?? "\(NumberFormat.count($0.value)) \(TextTable.cut(PlainText.clean(names[$0.key]), 60))"
        }
        return shown.joined(separator: ", ")
            + (others.count > 4 ? " and \(NumberFormat.count(others.count - 4, "more type"))" : "")
    }

    /// The program's own types first, then what there is most of.
    private func rank(_ objects: (key: String, value: Int)) -> (Int, Int, String) {
        (TypeName.isUsers(objects.key) ? 0 : 1, -objects.value, objects.key)
    }

    private func thread(_ stack: CallStack?) -> String? { stack?.thread.map(ThreadNames.phrase) }

    /// `remark`: what is said behind the first frame.
    private func stack(_ label: String, _ stack: CallStack?, remark: [String?] = []) -> [String] {
        guard let stack, !stack.frames.isEmpty else { return [] }
        let frames = stack.telling
        let remarks = remark.compactMap { $0.map(PlainText.clean) }.joined(separator: ", ")
        let rows = frames.prefix(Self.frameLimit).map { frame in
            (
                TextTable.cut(PlainText.clean(FunctionName.display(frame.function)), Self.nameLimit),
                PlainText.clean(SourceLocation.short(file: frame.file, line: frame.line) ?? frame.module)
            )
        }.reduce(into: [(String, String)]()) { rows, row in
            // A closure and the thunk that adapts it to C stand at the same place.
            if rows.last.map({ $0 == row }) != true { rows.append(row) }
        }
        let widestPlace = rows.map(\.1.count).max() ?? 0
        let widestName = rows.map(\.0.count).max() ?? 0
        let column = max(24, min(widestName, style.width - 15 - widestPlace))
        var lines = rows.enumerated().map { index, row in
            labelled(index == 0 ? label : "", "\(TextTable.left(row.0, column))  \(row.1)")
        }
        if !remarks.isEmpty {
            let place = max(widestPlace, rows[0].1.count) - rows[0].1.count + 2
            let behind = lines[0] + String(repeating: " ", count: place) + remarks
            if behind.count <= style.width {
                lines[0] = behind
            } else {
                lines.insert(labelled("", remarks), at: 1)
            }
        }
        if frames.count > Self.frameLimit {
            lines.append(
                style.paint(
                    labelled("", "… \(NumberFormat.count(frames.count - Self.frameLimit, "more frame"))"), .faint))
        }
        return lines
    }

    private var history: [String] {
        guard let history = finding.history else {
            return finding.explain.map { [labelled("history", PlainText.clean($0))] } ?? []
        }
        let rows = HistoryRows.rows(history)
        let widest = min(max(0, style.width - 60), rows.map(\.function.count).max() ?? 0)
        let widestCount = max(3, rows.map(\.strong.count).max() ?? 0)
        var lines = rows.enumerated().map { index, row in
            let text =
                TextTable.left(row.what, 12) + TextTable.right(row.strong, widestCount) + "  "
                + TextTable.left(PlainText.clean(row.function), max(24, widest)) + "  " + PlainText.clean(row.place)
            guard row.isSuspect else { return labelled(index == 0 ? "history" : "", text) }
            let label = TextTable.left(index == 0 ? "history" : "", 8)
            return style.paint("  ▸ \(label) \(text)    ← \(HistoryRows.mark(row))", .bold)
        }
        if let omitted = HistoryRows.omitted(history) {
            lines.append(style.paint(labelled("", "… \(omitted) left out"), .faint))
        }
        if history.secondRun == true { lines.append(style.paint(labelled("", HistoryRows.secondRun), .faint)) }
        return lines
    }

    private func labelled(_ label: String, _ text: String) -> String { "    \(TextTable.left(label, 8)) \(text)" }

    private func wrapped(_ label: String, _ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return TextTable.wrap(text, first: labelled(label, ""), rest: labelled("", ""), width: style.width)
    }
}
