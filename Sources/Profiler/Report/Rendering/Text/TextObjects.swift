import GameprofAnalysis
import GameprofBasics

/// The list of objects in a text report: its first rows.
enum TextObjects {
    private static let limit = 20

    static func lines(_ objects: Report.ObjectRows, names: ShortNames, style: TextStyle) -> [String] {
        let head = TextTable.left("address", 16) + columns("made", "freed", "lived", "bytes") + "  made in"
        var lines = [style.paint(PlainText.clean(ObjectWords.heading(objects, names: names)), .bold), head]
        lines += objects.rows.prefix(limit).map { row in
            let figures = columns(
                NumberFormat.seconds(row.bornSeconds), row.diedSeconds.map(NumberFormat.seconds) ?? "live",
                ObjectWords.lifetime(row).map(NumberFormat.seconds) ?? "", NumberFormat.bytes(row.bytes))
            let maker = PlainText.clean(ObjectWords.maker(row))
            return TextTable.left(PlainText.clean(row.address), 16) + figures + "  "
                + TextTable.cut(maker, max(20, style.width - 62))
        }
        if objects.rows.count > limit {
            lines.append(
                "… \(NumberFormat.count(objects.rows.count - limit, "more object")) on the page and in the JSON")
        }
        if let omitted = ObjectWords.omitted(objects) { lines.append(omitted) }
        return lines
    }

    private static func columns(_ texts: String...) -> String { texts.map { TextTable.right($0, 11) }.joined() }
}
