import GameprofAnalysis
import GameprofBasics

/// The objects of one type for a terminal: how they are held, who refers to them, what they retain.
struct TextHeapDetail {
    let detail: Report.LiveHeap.Detail
    let names: ShortNames
    let style: TextStyle

    private static let rowLimit = 12
    private static let nameLimit = 80

    var lines: [String] {
        let figures =
            "\(NumberFormat.count(detail.count, "object")) · \(NumberFormat.bytes(detail.shallowBytes)) · retained "
            + NumberFormat.bytes(detail.retainedBytes)
        let title = TextTable.spread("? \(PlainText.clean(names[detail.type]))", figures, width: style.width)
        var lines = [style.paint(title, .bold)]
        for way in detail.ways {
            lines.append(style.paint("    \(share(of: way)):", .faint))
            lines += TextLiving.lines(of: way, names: names, style: style)
        }
        let shown = detail.ways.map(\.instances).clampedSum
        if shown < detail.count, !detail.ways.isEmpty {
            lines.append("    … \(NumberFormat.count(detail.count - shown, "more object")) held by other paths")
        }
        lines += references("referred to by", detail.incoming, omitted: detail.incomingOmitted, isIncoming: true)
        lines += references("refer to", detail.outgoing, omitted: detail.outgoingOmitted, isIncoming: false)
        return lines + retained
    }

    private func share(of way: HeldBy) -> String {
        way.instances == detail.count
            ? "all are held like this"
            : "\(NumberFormat.count(way.instances)) of \(NumberFormat.count(detail.count)) held like this"
    }

    private func references(
        _ title: String, _ rows: [Report.LiveHeap.ReferenceRow], omitted: Int, isIncoming: Bool
    ) -> [String] {
        guard !rows.isEmpty else { return [] }
        var lines = ["", line("references", "objects", title)]
        for row in rows.prefix(Self.rowLimit) {
            let type = PlainText.clean(names[row.type])
            let field = row.field.map(PlainText.clean)
            let text = isIncoming ? Self.member(field, of: type) : "\(field.map { "\($0): " } ?? "")\(type)"
            let kind =
                row.ownership == "strong" ? "" : row.ownership == "conservative" ? " (possible)" : " (\(row.ownership))"
            lines.append(
                line(
                    NumberFormat.count(row.count), NumberFormat.count(row.objects),
                    TextTable.cut(text, Self.nameLimit) + PlainText.clean(kind)))
        }
        let more = rows.count - min(rows.count, Self.rowLimit) + omitted
        if more > 0 { lines.append(line("", "", "… \(NumberFormat.count(more)) more")) }
        return lines
    }

    private static func member(_ field: String?, of type: String) -> String {
        FieldName.joined(type, field ?? "")
    }

    private var retained: [String] {
        guard detail.retained.contains(where: { $0.allocatedBy?.maker != nil }) else { return [] }
        var lines = ["", line("retained", "blocks", "allocated by")]
        for row in detail.retained.prefix(Self.rowLimit) {
            let maker = row.allocatedBy?.maker ?? "?"
            lines.append(
                line(
                    NumberFormat.bytes(row.bytes), NumberFormat.count(row.count),
                    TextTable.cut("\(maker)  (\(PlainText.clean(names[row.type])))", Self.nameLimit)))
        }
        let more = detail.retained.count - min(detail.retained.count, Self.rowLimit) + detail.retainedOmitted
        if more > 0 { lines.append(line("", "", "… \(NumberFormat.count(more)) more")) }
        return lines
    }

    private func line(_ first: String, _ second: String, _ name: String) -> String {
        "  " + TextTable.right(first, 12) + TextTable.right(second, 12) + "  " + name
    }
}
