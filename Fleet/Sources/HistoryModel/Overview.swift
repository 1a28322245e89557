import GameprofBasics

/// A scenario of a branch: its defects and figures over the commits.
public struct ScenarioHistory: Sendable {
    public var branch: String
    public var scenario: String
    public var timeline: Timeline
    public var findings: [FindingLife]
    /// Of the machine and toolchain with the latest run; figures of others are not comparable.
    public var trends: [FigureTrend]
    /// Machine and toolchain of `trends`.
    public var origin: Run.Origin?

    public init(branch: String, scenario: String, timeline: Timeline) {
        self.branch = branch
        self.scenario = scenario
        self.timeline = timeline
        findings = timeline.findings
        let latest = timeline.commits.last?.runs.last?.origin
        origin = latest
        let alike = timeline.filter { $0.origin.machine == latest?.machine && $0.origin.toolchain == latest?.toolchain }
        trends = alike.figures.map { FigureTrend(name: $0.name, unit: $0.unit, points: alike.points(of: $0.name)) }
            .filter { !$0.points.isEmpty }
    }

    public var open: [FindingLife] { findings.filter(\.isOpen) }

    /// Figures whose last change, within the last 20 commits, was for the worse.
    public var worse: [FigureTrend] { trends.filter { $0.latestChange.map { $0.after > $0.before } ?? false } }
}

extension FigureTrend {
    /// The last change within the last 20 commits; nil: there was none.
    public var latestChange: (commit: String, before: Double, after: Double)? {
        guard let index = changedAt.last, points.count - index <= 20 else { return nil }
        if isExact { return (points[index].commit, points[index - 1].values[0], points[index].values[0]) }
        return changes.last.map { (points[index].commit, $0.before, $0.after) }
    }
}
