import GameprofAnalysis
import GameprofBasics

/// What lives and what holds it, for a terminal.
struct TextLiveHeap {
    let heap: Report.LiveHeap
    let names: ShortNames
    let style: TextStyle

    private static let typeLimit = 15
    private static let rowLimit = 40
    private static let depthLimit = 4
    private static let nameLimit = 60

    var lines: [String] {
        var lines = [
            style.paint(
                "Live heap: \(NumberFormat.bytes(heap.bytes)) in \(NumberFormat.count(heap.objects, "object"))", .bold)
        ]
        for sentence in [LiveHeapWords.moment(heap), LiveHeapWords.unheld(heap)].compactMap({ $0 }) {
            lines += TextTable.wrap("\(sentence).", first: "", rest: "  ", width: style.width)
        }
        lines.append("")
        for detail in heap.details ?? [] {
            lines += TextHeapDetail(detail: detail, names: names, style: style).lines + [""]
        }
        if heap.details == nil { lines += types + [""] + holders }
        return lines
    }

    private var types: [String] {
        var lines = [line("retained", "shallow", "count", "type")]
        for row in heap.types.prefix(Self.typeLimit) {
            lines.append(
                line(
                    NumberFormat.bytes(row.retainedBytes), NumberFormat.bytes(row.shallowBytes),
                    NumberFormat.count(row.count),
                    TextTable.cut(PlainText.clean(names[row.type]), Self.nameLimit) + place(row)))
        }
        let omitted = heap.types.count + heap.typesOmitted - min(heap.types.count, Self.typeLimit)
        if omitted > 0 { lines.append("  … \(NumberFormat.count(omitted, "more type"))") }
        return lines
    }

    private var holders: [String] {
        var lines = [line("retained", "own", "count", "held by")]
        func add(_ rows: [Report.LiveHeap.Holder], omitted: Int, depth: Int) {
            for row in rows where lines.count < Self.rowLimit {
                let field = row.field.map { "\(PlainText.clean($0)): " } ?? ""
                let root = row.root.map { " · \(PlainText.clean($0))" } ?? ""
                let name = TextTable.cut(field + PlainText.clean(names[row.type]) + root, Self.nameLimit)
                lines.append(
                    line(
                        NumberFormat.bytes(row.retainedBytes), NumberFormat.bytes(row.ownBytes),
                        NumberFormat.count(row.count), String(repeating: "  ", count: depth) + name))
                // What is less than a hundredth of the heap says little.
                let large = row.children.filter { $0.retainedBytes >= heap.bytes / 100 }
                if depth + 1 < Self.depthLimit {
                    add(large, omitted: row.omitted + row.children.count - large.count, depth: depth + 1)
                }
            }
            if omitted > 0, lines.count < Self.rowLimit {
                lines.append(
                    line("", "", "", String(repeating: "  ", count: depth) + "… \(NumberFormat.count(omitted)) more"))
            }
        }
        add(heap.holders, omitted: 0, depth: 0)
        return lines
    }

    /// Where the most of them were made.
    private func place(_ row: Report.LiveHeap.TypeRow) -> String {
        guard let frame = row.allocatedBy?.telling.first,
            let place = SourceLocation.short(file: frame.file, line: frame.line)
        else { return "" }
        return "  \(PlainText.clean(place))"
    }

    private func line(_ retained: String, _ own: String, _ count: String, _ name: String) -> String {
        "  " + TextTable.right(retained, 10) + TextTable.right(own, 12) + TextTable.right(count, 12) + "  " + name
    }
}
