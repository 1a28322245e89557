import GameprofAnalysis
import GameprofBasics

/// What the template of the list of objects is filled with. The first rows are markup, the others data from which the page's
/// script makes the same: ten thousand rows of markup would fill the page.
struct ObjectsView {
    let objects: Report.ObjectRows
    let names: ShortNames
    let limits: PageLimits

    /// Rows that are seen at first.
    private static let first = FoldedTable.shown

    var values: [String: Any] {
        let shown = objects.rows.prefix(limits.objects)
        let rows = shown.map { row in
            Row(
                object: row, type: PageText.clean(names[row.type], limit: limits.textLength),
                maker: PageText.clean(ObjectWords.maker(row), limit: limits.textLength))
        }
        let types = Places(rows.map(\.type))
        let makers = Places(rows.map(\.maker))
        let isLong = rows.count > Self.first
        let omitted = objects.total - rows.count
        return [
            "hasTypes": types.count > 1, "heading": PageText.clean(ObjectWords.heading(objects, names: names)),
            "isLong": isLong,
            "fold": isLong ? "\(Self.first)" : "",
            "rows": rows.prefix(Self.first).map { $0.values(types, makers) },
            "data": json(rows.dropFirst(Self.first), types, makers),
            "tableID": "objects",
            "showAll": optional(isLong ? "Show all \(NumberFormat.count(rows.count, "object"))" : nil),
            "more": optional(
                omitted > 0
                    ? "\(NumberFormat.count(omitted)) more are not listed. The list has the "
                        + "\(NumberFormat.count(rows.count)) that lived longest." : nil),
        ]
    }

    private func json(_ rows: ArraySlice<Row>, _ types: Places, _ makers: Places) -> String {
        let list = rows.map { "[\(FlameData.quoted($0.address)),\($0.numbers(types, makers))]" }
        return "{\"types\":\(types.json),\"makers\":\(makers.json),\"rows\":[\(list.joined(separator: ","))]}"
    }

    /// Texts by their place in alphabetical order.
    private struct Places {
        private let texts: [String]
        private let places: [String: Int]

        init(_ all: [String]) {
            texts = Set(all).sorted()
            places = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0) })
        }

        var count: Int { texts.count }

        subscript(_ text: String) -> Int { places[text] ?? 0 }

        var json: String { "[\(texts.map(FlameData.quoted).joined(separator: ","))]" }
    }

    private struct Row {
        let object: Report.ObjectRow
        let type: String
        let maker: String

        var address: String { PageText.clean(object.address) }
        private var born: Int { microseconds(object.bornSeconds) }
        /// −1: it lives.
        private var died: Int { object.diedSeconds.map(microseconds) ?? -1 }

        private func microseconds(_ seconds: Double) -> Int { Int(min(max(0, seconds), 1e9) * 1e6) }

        func numbers(_ types: Places, _ makers: Places) -> String {
            "\(born),\(died),\(object.bytes),\(types[type]),\(makers[maker])"
        }

        func values(_ types: Places, _ makers: Places) -> [String: Any] {
            let lifetime = ObjectWords.lifetime(object)
            return [
                "address": address, "hasTypes": types.count > 1, "type": type, "typePlace": types[type], "maker": maker,
                "makerPlace": makers[maker],
                "from": "\(Double(born) / 1e6)", "to": died < 0 ? "Infinity" : "\(Double(died) / 1e6)",
                "bornPlace": born, "born": NumberFormat.seconds(object.bornSeconds),
                // As in the script: those that live after all others, the oldest last.
                "diedPlace": died < 0 ? "1e15" : "\(died)",
                "livedPlace": "\((died < 0 ? 1_000_000_000_000_000 : died) - born)",
                "died": object.diedSeconds.map(NumberFormat.seconds) ?? "live",
                "lived": lifetime.map(NumberFormat.seconds) ?? "live",
                "bytes": NumberFormat.bytes(object.bytes), "bytesPlace": "\(object.bytes)",
            ]
        }
    }
}
