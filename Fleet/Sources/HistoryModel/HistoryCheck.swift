import GameprofBasics
import SeriesStatistics

/// Compares a new run with a history: what is new or worse, each with its evidence.
public struct HistoryCheck: Sendable {
    /// Permitted increase of figures that are exact; a share.
    public var tolerance: Double

    public init(tolerance: Double = 0) { self.tolerance = tolerance }

    /// What the history says of one scenario.
    public struct Verdict: Codable, Hashable, Sendable {
        public var scenario: String
        /// Sentences: what is new or worse.
        public var failures: [String]
        /// Sentences: what could not be compared, and what is better.
        public var notes: [String]
        /// Of each finding of the run, by signature: "since a1b2c3d, 12 runs".
        public var findings: [String: String]

        public init(scenario: String) {
            (self.scenario, failures, notes, findings) = (scenario, [], [], [:])
        }
    }

    /// A worse stretch counts from so many commits on: a single slow commit is no regression.
    public static let leastCommits = 4
    /// So many repetitions in one check can show a regression at once.
    public static let leastRepetitions = 3
    /// An exact figure is known to be exact when so many runs agreed.
    public static let leastEqualRuns = 3
    static let rankP = 0.001
    static let rankChange = 0.25

    /// `past`: the runs of the scenario on the branch that it is compared with.
    public func compare(_ run: Run, with past: Timeline) -> Verdict {
        var verdict = Verdict(scenario: run.scenario)
        let past = past.filter { $0.origin.commit != run.origin.commit }
        let name = PlainText.clean(run.scenario)
        guard !past.commits.isEmpty else {
            verdict.notes.append("The history has no run of \(name) to compare with.")
            return verdict
        }
        compareFindings(run, past, &verdict)
        guard run.isComplete else {
            verdict.notes.append("Figures of \(name) were not compared: the recording is incomplete.")
            return verdict
        }
        let alike = past.filter { $0.origin.toolchain == run.origin.toolchain }
        for figure in run.figures where !figure.values.isEmpty {
            let points = alike.points(of: figure.name)
            let new = FigurePoint(commit: run.origin.commit, committed: run.origin.committed, values: figure.values)
            if FigureTrend.isExact(unit: figure.unit, points + [new]) {
                compareExact(figure, new.values[0], points, &verdict)
            } else {
                let same = alike.filter { $0.origin.machine == run.origin.machine }.points(of: figure.name)
                compareScattering(figure, same, new, &verdict)
            }
        }
        if alike.commits.isEmpty {
            verdict.notes.append(
                "Figures of \(name) were not compared: the history has no run with this toolchain "
                    + "(\(PlainText.clean(run.origin.toolchain))).")
        }
        return verdict
    }

    // MARK: - Findings

    private func compareFindings(_ run: Run, _ past: Timeline, _ verdict: inout Verdict) {
        let lives = Dictionary(
            past.findings.map { ($0.finding.signature, $0) }, uniquingKeysWith: { first, _ in first })
        for finding in run.findings {
            let searched = past.filter { $0.isComplete && $0.instruments.contains(finding.instrument) }
            let title = PlainText.clean(finding.title)
            guard let life = lives[finding.signature] else {
                guard let first = searched.commits.first else {
                    verdict.findings[finding.signature] = "not looked for before"
                    continue
                }
                let evidence = "new: not in \(Self.runs(searched.runCount)) since \(first.name.shortCommit)"
                verdict.findings[finding.signature] = evidence
                verdict.failures.append("\(title) is \(evidence).")
                continue
            }
            verdict.findings[finding.signature] = life.evidence
            if life.state == .flaky {
                verdict.notes.append("\(title) is \(life.evidence).")
            } else if !life.isOpen {
                let evidence =
                    "returned: \(life.evidence), last seen at \(life.lastSeen.shortCommit)"
                verdict.findings[finding.signature] = evidence
                verdict.failures.append("\(title) has \(evidence).")
            } else if finding.count > life.current.most {
                verdict.failures.append(
                    "\(title) has increased: \(finding.count) instances, at most \(life.current.most) in "
                        + "\(Self.runs(life.current.runs)) since \(life.current.first.shortCommit).")
            }
        }
        let found = Set(run.findings.map(\.signature))
        for life in lives.values.sorted(by: { $0.finding.signature < $1.finding.signature })
        where run.isComplete && life.isOpen && !found.contains(life.finding.signature)
            && run.instruments.contains(life.finding.instrument)
        {
            verdict.notes.append("\(PlainText.clean(life.finding.title)) is resolved: it was there \(life.evidence).")
        }
    }

    // MARK: - Figures

    /// The value of the last commit counts, and for how long it has been so.
    private func compareExact(
        _ figure: Run.Figure, _ new: Double, _ points: [FigurePoint], _ verdict: inout Verdict
    ) {
        guard let old = points.last?.values[0], new != old else { return }
        let same = points.reversed().prefix { $0.values.allSatisfy { $0 == old } }
        let runs = same.reduce(0) { $0 + $1.values.count }
        let since = "the same in \(Self.runs(runs)) since \(same.last?.commit.shortCommit ?? "?")"
        let sentence =
            "\(PlainText.clean(figure.name)) is \(figure.unit.text(new)), before \(figure.unit.text(old))"
            + "\(Self.percent(old, new)), \(since)."
        if new > old * (1 + tolerance), runs >= Self.leastEqualRuns {
            verdict.failures.append(sentence)
        } else {
            verdict.notes.append(sentence)
        }
    }

    private func compareScattering(
        _ figure: Run.Figure, _ past: [FigurePoint], _ new: FigurePoint, _ verdict: inout Verdict
    ) {
        let known = FigureTrend.changePoints(past)
        let points = past + [new]
        let name = PlainText.clean(figure.name)
        func shift(_ change: ChangePoint) -> String {
            "\(figure.unit.text(change.after))\(Self.percent(change.before, change.after)), before "
                + figure.unit.text(change.before)
        }
        if let change = FigureTrend.changePoints(points).last,
            Self.isEvident(change, in: points),
            // What was evident before has failed a check before.
            !known.contains(where: { Self.isSame($0, change) && Self.isEvident($0, in: past) })
        {
            let runs = points[change.index...].reduce(0) { $0 + $1.values.count }
            let sentence =
                "\(name) is \(shift(change)), since \(points[change.index].commit.shortCommit), \(Self.runs(runs)) "
                + "(\(Self.probability(change.p)))."
            if change.after > change.before {
                verdict.failures.append(sentence)
            } else {
                verdict.notes.append(sentence)
            }
            return
        }
        // A large step need not wait for further commits when the check repeated its runs.
        let level = past[(known.last?.index ?? 0)...].suffix(20)
        let before = level.flatMap(\.values)
        guard new.values.count >= Self.leastRepetitions, let old = median(before), let now = median(new.values),
            let least = new.values.min(), least > old * (1 + Self.rankChange),
            let test = MannWhitney(before.suffix(55), new.values),
            test.greater < Self.rankP
        else { return }
        verdict.failures.append(
            "\(name) is \(figure.unit.text(now))\(Self.percent(old, now)) in \(Self.runs(new.values.count)), before "
                + "\(figure.unit.text(old)) in \(Self.runs(before.count)) since "
                + "\(level.first?.commit.shortCommit ?? "?") (\(Self.probability(test.greater))).")
    }

    /// The commits since the change differ without their most extreme one too: a slow minute of the machine is no change.
    private static func isEvident(_ change: ChangePoint, in points: [FigurePoint]) -> Bool {
        let since = points[change.index...].compactMap { median($0.values) }.sorted()
        guard since.count >= leastCommits else { return false }
        let rest = Array(change.after > change.before ? since.dropLast() : since.dropFirst())
        let before = points[..<change.index].suffix(50).compactMap { median($0.values) }
        guard let old = median(before), let new = median(rest), abs(new - old) > FigureTrend.leastChange * old else {
            return false
        }
        return (new > old) == (change.after > change.before) && StudentT.test(before, rest) < rankP
    }

    /// More values move a change point a little.
    private static func isSame(_ one: ChangePoint, _ other: ChangePoint) -> Bool {
        abs(one.index - other.index) <= 3 && (one.after > one.before) == (other.after > other.before)
    }

    // MARK: - Words

    static func runs(_ count: Int) -> String { count == 1 ? "1 run" : "\(NumberFormat.count(count)) runs" }

    /// " (+8.1 %)"
    static func percent(_ old: Double, _ new: Double) -> String {
        guard old > 0 else { return "" }
        let change = (new / old - 1) * 100
        let decimals = abs(change) < 0.0995 ? 3 : 1
        return " (\(change < 0 ? "−" : "+")\(NumberFormat.fixed(abs(change), decimals)) %)"
    }

    /// p = 0.0002, p < 0.0001
    static func probability(_ p: Double) -> String {
        p < 0.0001 ? "p < 0.0001" : "p = \(NumberFormat.fixed(p, 4))"
    }
}
