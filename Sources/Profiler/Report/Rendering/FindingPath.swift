import GameprofAnalysis
import GameprofBasics

/// The references of a finding in a line, for formats that have no room for a drawing.
package enum FindingPath {
    /// More references than this are counted only.
    private static let limit = 12

    /// `Path: Puzzle.undoManager → UndoManager.undoStack → closure captures self → Puzzle.`; empty without references.
    package static func sentence(_ finding: Finding) -> String {
        let steps = self.steps(finding)
        return steps.isEmpty ? "" : "Path: " + steps.joined(separator: " → ") + "."
    }

    /// A step for each reference and the type that the last one leads to.
    static func steps(_ finding: Finding) -> [String] {
        guard let last = finding.references.last else { return finding.heldBy?.map(PlainText.clean) ?? [] }
        let names = ShortNames(Set(finding.references.flatMap { [$0.from, $0.to] + $0.via }))
        var steps = finding.references.prefix(limit).flatMap { reference in
            ReferenceLines.rows(reference, names: names).map { row in
                let strength = row.ownership == "strong" ? "" : " (\(row.ownership))"
                return row.from + strength + (row.isSuspect ? " ← suspect" : "")
            }
        }
        let omitted = finding.references.count - limit
        if omitted > 0 { steps.append("… \(NumberFormat.count(omitted, "more reference"))") }
        return steps + [PlainText.clean(names[last.to])]
    }
}
