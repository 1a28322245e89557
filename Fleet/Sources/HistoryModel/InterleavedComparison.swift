import GameprofBasics
import SeriesStatistics

/// Two builds, measured in turn: A B A B …
public struct InterleavedComparison: Sendable {
    public struct Row: Codable, Hashable, Sendable {
        public var scenario: String
        public var figure: String
        public var unit: MeasureUnit
        /// Number of values.
        public var runs: [Int]
        public var medianBefore: Double
        public var medianAfter: Double
        /// Of the test of Mann and Whitney, two-sided. Absent where all runs of a build gave one value: then values are compared.
        public var p: Double?
        public var verdict: Verdict
    }

    public enum Verdict: String, Codable, Sendable {
        case equal, worse, better
        /// The difference is within what the runs scatter.
        case noise
        /// Even the clearest difference of so few runs would not be significant.
        case tooFewRuns = "too few runs"
    }

    public var rows: [Row]

    /// `p`: significance, shared among the figures that scatter (Holm). `change`: a relative difference of less is noise.
    public init(
        before: [ResultFile.Scenario], after: [ResultFile.Scenario], p limit: Double = 0.01, change: Double = 0.01
    ) {
        let (old, new) = (Self.values(before), Self.values(after))
        rows = old.keys.filter { new[$0] != nil }.sorted { ($0.scenario, $0.figure) < ($1.scenario, $1.figure) }
            .compactMap { key in
                guard let a = old[key], let b = new[key], let medianA = median(a), let medianB = median(b) else {
                    return nil
                }
                var row = Row(
                    scenario: key.scenario, figure: key.figure, unit: key.unit, runs: [a.count, b.count],
                    medianBefore: medianA, medianAfter: medianB, verdict: .equal)
                let isExact = key.unit != .nanoseconds && Set(a).count == 1 && Set(b).count == 1
                if isExact {
                    row.verdict = medianA == medianB ? .equal : medianB > medianA ? .worse : .better
                } else {
                    row.p = MannWhitney(a, b)?.twoSided
                }
                return row
            }
        decide(limit: limit, change: change)
    }

    /// Holm: the smallest of k probabilities is held against limit/k, the next against limit/(k − 1), until one is not less.
    private mutating func decide(limit: Double, change: Double) {
        let tested = rows.indices.filter { rows[$0].p != nil }.sorted { (rows[$0].p ?? 1, $0) < (rows[$1].p ?? 1, $1) }
        var holds = true
        for (place, index) in tested.enumerated() {
            let row = rows[index]
            holds = holds && (row.p ?? 1) <= limit / Double(tested.count - place)
            let (old, new) = (row.medianBefore, row.medianAfter)
            let least = MannWhitney(
                [Double](repeating: 0, count: row.runs[0]), [Double](repeating: 1, count: row.runs[1]))
            if (least?.twoSided ?? 1) > limit / Double(tested.count) {
                rows[index].verdict = .tooFewRuns
            } else if holds, abs(new - old) > change * old {
                rows[index].verdict = new > old ? .worse : .better
            } else {
                rows[index].verdict = .noise
            }
        }
    }

    private struct Key: Hashable {
        var scenario: String
        var figure: String
        var unit: MeasureUnit
    }

    private static func values(_ scenarios: [ResultFile.Scenario]) -> [Key: [Double]] {
        var values: [Key: [Double]] = [:]
        for scenario in scenarios {
            for figure in scenario.figures {
                values[Key(scenario: scenario.name, figure: figure.name, unit: figure.unit), default: []] +=
                    figure.values
            }
        }
        return values
    }
}
