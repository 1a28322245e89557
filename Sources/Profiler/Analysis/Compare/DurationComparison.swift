import GameprofBasics
import GameprofTrace

extension ComparisonReport {
    /// A difference of a percentile that is a smaller share says nothing, nor does one of fewer nanoseconds.
    private static let leastShare = 0.1
    private static let leastNanoseconds: UInt64 = 2_000
    private static let limit = 200

    /// The loops that both have.
    static func frames(before: ProbeSummary, after: ProbeSummary) -> [DurationRow]? {
        rows(before.frames, after.frames, name: \.name) { first, second in
            var row = row(first.name, first.compared, second.compared)
            let budget = FrameBudget.nanoseconds(first.all.map(\.length))
            let over = Change(before: first.overBudget(budget), after: second.overBudget(budget))
            row.budgetNanoseconds = budget
            row.overBudget = over
            row.allocations = Change(before: first.usualAllocations, after: second.usualAllocations)
            // Twice the standard deviation of a count of events that do not depend on each other.
            let chance = 2 * (Double(over.before) + Double(over.after)).squareRoot()
            row.isNoise = row.isNoise && Double(over.difference.magnitude) <= chance
            return row
        }
    }

    /// The intervals that both have, those whose total changed most first.
    static func probes(before: ProbeSummary, after: ProbeSummary) -> [DurationRow]? {
        rows(before.intervals, after.intervals, name: \.name) { row($0.name, $0.durations, $1.durations) }?
            .sorted { ($0.total.difference.magnitude, $1.name) > ($1.total.difference.magnitude, $0.name) }
    }

    private static func rows<Series>(
        _ before: [Series], _ after: [Series], name: KeyPath<Series, String>,
        _ row: (Series, Series) -> DurationRow
    ) -> [DurationRow]? {
        let known = Dictionary(after.map { ($0[keyPath: name], $0) }) { first, _ in first }
        let rows = before.prefix(limit).compactMap { first in known[first[keyPath: name]].map { row(first, $0) } }
        return rows.isEmpty ? nil : rows
    }

    private static func row(_ name: String, _ before: Durations, _ after: Durations) -> DurationRow {
        func change(_ figure: KeyPath<Durations, UInt64>) -> Change {
            Change(before: before[keyPath: figure], after: after[keyPath: figure])
        }
        let median = change(\.p50)
        let least = max(UInt64(Double(max(median.before, median.after)) * leastShare), leastNanoseconds)
        return DurationRow(
            name: String(name.prefix(200)), count: change(\.count), total: change(\.total), p50: median,
            p95: change(\.p95), p99: change(\.p99), max: change(\.max),
            isNoise: median.difference.magnitude <= least)
    }
}

extension ProbeSummary.Frames {
    /// What runs are compared by.
    package var compared: Durations { work ?? durations }

    /// Frames that took longer, waiting for a processor included.
    package func overBudget(_ nanoseconds: UInt64) -> UInt64 {
        UInt64(all.count { $0.work &+ $0.processor > nanoseconds })
    }
}
