import Foundation
import GameprofBasics
import HistoryModel
import SeriesStatistics

/// A history as JSON with sorted keys (`Documentation/History.md`).
public enum HistoryJSON {
    private struct File: Encodable {
        let schema = "gameprof-history"
        let version = 1
        let scenarios: [Scenario]
    }
    private struct Scenario: Encodable {
        let branch, scenario: String
        let findings: [Finding]
        let figures: [Figure]
    }
    private struct Finding: Encodable {
        struct Period: Encodable {
            let first, last: String
            let runs: Int
            let resolved: String?
        }
        let signature, kind, severity, title, evidence: String
        let state: FindingLife.State
        let count, bytes: Int64
        let periods: [Period]
    }
    private struct Figure: Encodable {
        struct Point: Encodable {
            let commit: String
            let committed: Int64
            let values: [Double]
        }
        struct Change: Encodable {
            let commit: String
            let before, after: Double
            /// Absent of exact figures.
            let p: Double?
        }
        let name: String
        let unit: MeasureUnit
        let isExact: Bool
        let points: [Point]
        let changes: [Change]
    }

    /// Ends with a newline.
    public static func render(_ histories: [ScenarioHistory]) throws -> String {
        try encode(File(scenarios: histories.map(scenario)))
    }

    /// Any value. Ends with a newline.
    public static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    private static func scenario(_ history: ScenarioHistory) -> Scenario {
        Scenario(
            branch: history.branch, scenario: history.scenario,
            findings: history.findings.map { life in
                Finding(
                    signature: life.finding.signature, kind: life.finding.kind, severity: life.finding.severity,
                    title: life.finding.title, evidence: life.evidence, state: life.state, count: life.finding.count,
                    bytes: life.finding.bytes,
                    periods: life.periods.map {
                        .init(first: $0.first, last: $0.last, runs: $0.runs, resolved: $0.resolved)
                    })
            },
            figures: history.trends.map { trend in
                Figure(
                    name: trend.name, unit: trend.unit, isExact: trend.isExact,
                    points: trend.points.map { .init(commit: $0.commit, committed: $0.committed, values: $0.values) },
                    changes: changes(trend))
            })
    }

    private static func changes(_ trend: FigureTrend) -> [Figure.Change] {
        guard trend.isExact else {
            return trend.changes.map {
                .init(commit: trend.points[$0.index].commit, before: $0.before, after: $0.after, p: $0.p)
            }
        }
        return trend.changedAt.map {
            .init(
                commit: trend.points[$0].commit, before: trend.points[$0 - 1].values[0],
                after: trend.points[$0].values[0], p: nil)
        }
    }
}
