/// The allocations part of a text report.
enum TextAllocations {
    private static let typeLimit = 15
    private static let stackLimit = 10

    static func lines(_ allocations: Report.Allocations, names: ShortNames, style: TextStyle) -> [String] {
        let totals = allocations.totals
        var lines = [
            "\(Quantity.count(totals.allocations)) allocations · \(Quantity.bytes(totals.bytes)) in all · "
                + "peak \(Quantity.bytes(totals.peakBytes)) at \(Quantity.seconds(allocations.peakSeconds)) · "
                + "\(Quantity.count(totals.temporary)) temporary · \(Quantity.bytes(totals.liveBytes)) live at the end",
            "",
        ]
        lines.append(style.paint(header("by type"), .bold))
        lines += allocations.byType.prefix(typeLimit).map { row in
            figures(row.counts) + "  " + TextTable.cut(PlainText.clean(names[row.type]), max(20, style.width - 49))
        }
        lines += more(allocations.byType.count - typeLimit + allocations.omittedTypes, "type")
        lines += ["", style.paint(header("by stack"), .bold)]
        for row in allocations.byStack.prefix(stackLimit) { lines += stack(row, names: names, style: style) }
        lines += more(allocations.byStack.count - stackLimit + allocations.omittedStacks, "stack")
        return lines
    }

    private static func header(_ title: String) -> String {
        column("bytes") + TextTable.right("count", 11) + column("peak") + TextTable.right("temporary", 12)
            + "  \(title)"
    }

    private static func figures(_ counts: Report.Counts) -> String {
        column(Quantity.bytes(counts.bytes)) + TextTable.right(Quantity.count(counts.allocations), 11)
            + column(Quantity.bytes(counts.peakBytes)) + TextTable.right(Quantity.count(counts.temporary), 12)
    }

    private static func column(_ text: String) -> String { TextTable.right(text, 10) }

    private static func stack(_ row: Report.StackRow, names: ShortNames, style: TextStyle) -> [String] {
        let frames = row.allocatedBy.telling
        let room = max(20, style.width - 49)
        let first = frames.first.map(place) ?? "no stack"
        var lines = [figures(row.counts) + "  " + TextTable.cut(first, room)]
        let indent = String(repeating: " ", count: 45)
        lines += frames.dropFirst().prefix(2).map {
            style.paint(indent + "← " + TextTable.cut(place($0), room), .faint)
        }
        return lines
    }

    private static func place(_ frame: CallStack.Frame) -> String {
        let place = SourcePlace.short(file: frame.file, line: frame.line)
        return PlainText.clean(FunctionName.display(frame.function) + (place.map { "  \($0)" } ?? ""))
    }

    private static func more(_ count: Int, _ noun: String) -> [String] {
        count > 0 ? [TextTable.right("", 45) + "… \(Quantity.count(count, "more \(noun)"))"] : []
    }
}
