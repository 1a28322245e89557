import GameprofAnalysis
import GameprofBasics

/// Why objects live, in a text report.
struct TextLiving {
    let living: LiveObjects
    let names: ShortNames
    let style: TextStyle

    /// References drawn of a long way: the first ones and the last ones.
    private static let referenceLimit = 12

    var lines: [String] {
        guard let type = living.type else { return wrapped(living.message) }
        let title = "? Why \(PlainText.clean(names[type])) is live"
        let figures = "\(NumberFormat.count(living.instances, "object")) · \(NumberFormat.bytes(living.bytes))"
        var lines = [style.paint(TextTable.spread(title, figures, width: style.width), .bold)]
        if living.ways.isEmpty { lines += wrapped("    \(living.message)") }
        for (number, way) in living.ways.enumerated() {
            if number > 0 { lines.append("") }
            if living.instances > 1 { lines.append(style.paint("    \(share(of: way))", .faint)) }
            lines += references(way)
        }
        let listed = living.ways.map(\.instances).clampedSum
        if listed < living.instances, !living.ways.isEmpty {
            lines.append("    … \(NumberFormat.count(living.instances - listed, "more object")) held by other paths")
        }
        return lines
    }

    private func share(of way: HeldBy) -> String {
        way.instances == living.instances
            ? "all are held like this:" : "\(NumberFormat.count(way.instances)) held like this:"
    }

    private func references(_ way: HeldBy) -> [String] { Self.lines(of: way, names: names, style: style) }

    /// The references of a way, a line each.
    static func lines(of way: HeldBy, names: ShortNames, style: TextStyle) -> [String] {
        let shown = PathEnds(way.references, limit: referenceLimit)
        let head = shown.head.flatMap { ReferenceLines.rows($0, names: names) }
        let tail = shown.tail.flatMap { ReferenceLines.rows($0, names: names) }
        let widest = min(max(20, style.width - 40), (head + tail).map(\.from.count).max() ?? 0)
        var lines = head.map { line($0, widest) }
        if shown.omitted > 0 { lines.append("    … \(NumberFormat.count(shown.omitted, "reference")) …") }
        lines += tail.map { line($0, widest) }
        if let omitted = way.omitted {
            lines.append("    (\(NumberFormat.count(omitted, "reference")) in the middle left out)")
        }
        return lines
    }

    private static func line(_ row: ReferenceLines.Row, _ widest: Int) -> String {
        let line = "    \(TextTable.left(row.from, widest))  \(row.ownership) →  \(TextTable.cut(row.to, 160))"
        return row.repeats > 1 ? line + "  × \(NumberFormat.count(row.repeats))" : line
    }

    private func wrapped(_ text: String) -> [String] {
        TextTable.wrap(PlainText.clean(text), first: "", rest: "  ", width: style.width)
    }
}
