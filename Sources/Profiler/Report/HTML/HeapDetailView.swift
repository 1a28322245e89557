import GameprofAnalysis
import GameprofBasics

/// What the template of all about the objects of a type is filled with.
struct HeapDetailView {
    let detail: Report.LiveHeap.Detail
    let names: ShortNames
    let limits: PageLimits

    private static let ways = 4
    private static let steps = 12
    private static let rows = 8

    var values: [String: Any] {
        [
            "ways": detail.ways.prefix(Self.ways).map(way), "moreWays": optional(moreWays),
            "lists": [
                list(
                    "Referred to by", detail.incoming.map { reference($0, isIncoming: true) },
                    omitted: detail.incomingOmitted),
                list(
                    "Refer to", detail.outgoing.map { reference($0, isIncoming: false) },
                    omitted: detail.outgoingOmitted),
                list(
                    "Retain \(NumberFormat.bytes(detail.retainedBytes)), allocated by", detail.retained.map(retained),
                    omitted: detail.retainedOmitted),
            ].compactMap { $0 },
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private func way(_ way: HeldBy) -> [String: Any] {
        let shown = PathEnds(way, limit: min(Self.steps, limits.references))
        let looked = detail.wayObjects ?? detail.count
        let caption =
            way.instances == detail.count
            ? "All are held like this"
            : "\(NumberFormat.count(way.instances)) of \(NumberFormat.count(looked)) held like this"
        return [
            "caption": caption,
            "steps": (shown.head + shown.tail).flatMap { ReferenceLines.rows($0, names: names) }.map { row in
                [
                    "from": clean(row.from), "to": clean(row.to), "ownership": clean(row.ownership),
                    "repeats": optional(row.repeats > 1 ? "× \(NumberFormat.count(row.repeats))" : nil),
                ]
            },
            "omitted": optional(
                shown.omitted > 0
                    ? "\(NumberFormat.count(shown.omitted, "reference")) in the middle \(shown.omitted == 1 ? "is" : "are") left out."
                    : nil),
        ]
    }

    private var moreWays: String? {
        let looked = detail.wayObjects ?? detail.count
        let shown = detail.ways.prefix(Self.ways).map(\.instances).clampedSum
        let rest = detail.ways.isEmpty ? 0 : looked - shown
        var sentences: [String] = []
        if rest > 0 { sentences.append("\(NumberFormat.count(rest, "more object")) held by other paths.") }
        if looked < detail.count {
            sentences.append(
                "The paths of \(NumberFormat.count(looked)) of \(NumberFormat.count(detail.count)) objects were "
                    + "examined."
            )
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private func list(_ title: String, _ rows: [[String: Any]], omitted: Int) -> [String: Any]? {
        guard !rows.isEmpty else { return nil }
        let more = omitted + max(0, rows.count - Self.rows)
        return [
            "title": title, "rows": Array(rows.prefix(Self.rows)),
            "more": optional(more > 0 ? "\(NumberFormat.count(more)) more" : nil),
        ]
    }

    private func reference(_ row: Report.LiveHeap.ReferenceRow, isIncoming: Bool) -> [String: Any] {
        let type = names[row.type]
        let incoming = FieldName.joined(type, row.field ?? "")
        let text = isIncoming ? incoming : row.field.map { "\($0): \(type)" } ?? type
        let kind = row.ownership == "conservative" ? "possible" : row.ownership
        let objects =
            row.objects == row.count || (!isIncoming && row.objects == detail.count)
            ? "" : NumberFormat.count(row.objects, "object")
        let remarks = [kind == "strong" ? "" : kind, objects].filter { !$0.isEmpty }
        return [
            "number": NumberFormat.count(row.count), "text": clean(text),
            "remark": optional(remarks.isEmpty ? nil : clean(remarks.joined(separator: ", "))),
        ]
    }

    private func retained(_ row: Report.LiveHeap.RetainedRow) -> [String: Any] {
        return [
            "number": NumberFormat.bytes(row.bytes), "text": clean(row.allocatedBy?.maker ?? "?"),
            "remark": clean("\(NumberFormat.count(row.count)) × \(names[row.type])"),
        ]
    }
}
