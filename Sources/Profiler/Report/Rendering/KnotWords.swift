import GameprofAnalysis
import GameprofBasics

/// What holds the objects of a cycle together besides the references that are drawn.
package enum KnotWords {
    /// "In the same knot, with 160 StageContext:"
    package static func heading(_ finding: Finding, names: ShortNames) -> String {
        let others = others(finding) { PlainText.clean(names[$0]) }
        return "In the same knot\(others.isEmpty ? "" : ", with \(others)"):"
    }

    /// "160 StageContext and 2 Stage"; empty: all are on the cycle that is drawn.
    static func others(_ finding: Finding, named name: (String) -> String = TypeSugar.short) -> String {
        let drawn = Set(finding.references.flatMap { [$0.from, $0.to] })
        let types = Set((finding.knot ?? []).flatMap { [$0.from, $0.to] }).subtracting(drawn).sorted()
        let texts = types.map { "\(NumberFormat.count(finding.objects[$0] ?? 1)) \(name($0))" }
        return texts.count < 2
            ? texts.joined() : texts.dropLast().joined(separator: ", ") + " and " + texts[texts.count - 1]
    }
}
