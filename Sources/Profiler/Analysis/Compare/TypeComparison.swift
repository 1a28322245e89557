import GameprofBasics
import GameprofTrace

/// What changed between the allocations of two recordings, type by type.
package struct TypeComparison: Sendable {
    /// Those whose bytes changed most first; what did not change is left out.
    package var rows: [ComparisonReport.TypeRow]

    /// Whether the figures of two recordings, of which one at least is a sample, may be equal in truth: their difference is
    /// within 1.96 of its standard errors.
    static func isChance(_ figure: AllocationFigure, _ before: AllocationCounts, _ after: AllocationCounts) -> Bool {
        let variance = [before, after].reduce(0) { $0 + ($1.sampled?.figures[figure]?.variance ?? 0) }
        guard before.sampled != nil || after.sampled != nil else { return false }
        let difference = Double(before[figure]) - Double(after[figure])
        return difference * difference <= 1.96 * 1.96 * variance
    }

    package init(before: Recording, after: Recording) {
        var rows: [String: ComparisonReport.TypeRow] = [:]
        func add(_ recording: Recording, _ side: WritableKeyPath<ComparisonReport.TypeRow, AllocationCounts>) {
            for entry in recording.allocations.byType {
                let name = TypeNames.name(entry.type, in: recording.types)
                var row = rows[name] ?? ComparisonReport.TypeRow(type: name)
                row[keyPath: side].add(entry.counts)
                rows[name] = row
            }
        }
        add(before, \.before)
        add(after, \.after)
        self.rows = rows.values.filter { row in
            row.before != row.after && AllocationFigure.allCases.contains { !Self.isChance($0, row.before, row.after) }
        }.sorted {
            let (first, second) = ($0.bytes.magnitude, $1.bytes.magnitude)
            return first != second ? first > second : $0.type < $1.type
        }
    }
}
