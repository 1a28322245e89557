import GameprofAnalysis
import GameprofBasics

/// What the template that says why objects live is filled with.
struct LivingView {
    let living: LiveObjects
    let names: ShortNames
    let limits: PageLimits

    var values: [String: Any] {
        let told = living.ways.map(\.instances).clampedSum
        let more = living.type == nil || living.ways.isEmpty ? 0 : living.instances - told
        return [
            "title": clean(living.type.map { "Why \(names[$0]) is live" } ?? living.asked),
            "numbers": living.type == nil
                ? "" : "\(NumberFormat.count(living.instances, "object")) · \(NumberFormat.bytes(living.bytes))",
            "message": clean(living.message), "filter": clean("\(living.asked) \(living.type ?? "")"),
            "ways": living.ways.map(values),
            "more": optional(more > 0 ? "\(NumberFormat.count(more, "more object")) held by other paths." : nil),
        ]
    }

    private func values(_ way: HeldBy) -> [String: Any] {
        let shown = PathEnds(way, limit: limits.references)
        let rows = (shown.head + shown.tail).flatMap { ReferenceLines.rows($0, names: names) }
        let place = SourceLocation.short(file: way.root.file, line: way.root.line)
        return [
            "caption": way.instances == living.instances
                ? "All are held like this" : "\(NumberFormat.count(way.instances)) held like this",
            "references": rows.map { row in
                [
                    "from": clean(row.from), "to": clean(row.to), "ownership": clean(row.ownership),
                    "repeats": optional(row.repeats > 1 ? "× \(NumberFormat.count(row.repeats))" : nil),
                    "via": clean(row.via.joined(separator: ", ")),
                ]
            },
            "omitted": optional(
                shown.omitted > 0
                    ? "\(NumberFormat.count(shown.omitted, "reference")) in the middle \(shown.omitted == 1 ? "is" : "are") left out."
                    : nil),
            "place": optional(place.map { clean("The variable is at \($0).") }),
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }
}
