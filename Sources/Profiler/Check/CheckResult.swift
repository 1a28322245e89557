import GameprofAnalysis
import GameprofBasics

/// What a diagnostic pass says: the one value that text, JSON, JUnit, SARIF, Markdown and annotations render.
/// `Documentation/check.schema.json` declares its JSON.
public struct CheckResult: Codable, Hashable, Sendable {
    public var schema = "gameprof-check"
    public var version = 1
    public var outcome: Outcome
    /// What `scenarios` are.
    public var subject: Subject
    /// Which part of the scenarios this is; absent: all.
    public var shard: Shard?
    public var scenarios: [Scenario]

    /// A part of the scenarios, which several jobs share.
    public struct Shard: Codable, Hashable, Sendable {
        /// From 1 to `count`.
        public var index: Int
        public var count: Int

        public init?(index: Int, count: Int) {
            guard index >= 1, index <= count else { return nil }
            self.index = index
            self.count = count
        }

        /// `2/5`
        public init?(text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
            self.init(index: index, count: count)
        }

        /// Every so many-th, so that slow neighbours come to different jobs.
        public func part<Element>(of all: [Element]) -> [Element] {
            all.enumerated().filter { $0.offset % count == index - 1 }.map(\.element)
        }
    }

    /// What a scenario stands for.
    public enum Subject: String, Codable, Sendable {
        /// Programs that were run.
        case scenarios
        /// Tests of `gameprof test`.
        case tests
    }

    public init(scenarios: [Scenario], subject: Subject = .scenarios, shard: Shard? = nil) {
        self.shard = shard
        self.scenarios = scenarios
        self.subject = subject
        outcome = Outcome(of: scenarios.map(\.outcome))
    }

    public enum Outcome: String, Codable, Sendable {
        case passed, failed
        /// Nothing failed, but the recording does not hold all that was to be evaluated.
        case incomplete

        init(of parts: [Outcome]) {
            self = parts.contains(.failed) ? .failed : parts.contains(.incomplete) ? .incomplete : .passed
        }
    }

    /// One recorded run, evaluated.
    public struct Scenario: Codable, Hashable, Sendable {
        public var name: String
        public var outcome: Outcome
        /// Where the budget names it: `budget.yml:6:3`.
        public var place: String?
        public var target: Report.Target
        @KnownInstruments public var instruments: [Instrument]
        /// How often it was run.
        public var runs: Int
        /// A baseline was asked what is accepted.
        public var hasBaseline: Bool
        /// Those that fail first, then in the order of the report.
        public var findings: [EvaluatedFinding]
        /// In the order of the budget, then what only the baseline holds.
        public var limits: [EvaluatedLimit]
        /// Entries of the baseline that were not met again.
        public var resolved: [Baseline.Entry]
        /// Sentences: why it fails beside findings and limits, and what could not be evaluated.
        public var problems: [String]
        /// Numbers of the runs for a history; absent in results of earlier versions.
        public var figures: [Figure]?
        /// Sentences of the history about what does not fail; absent without `--history`.
        public var historyNotes: [String]?

        enum CodingKeys: String, CodingKey {
            case name, outcome, place, target, instruments, runs, hasBaseline, findings, limits
            case resolved = "mended"
            case problems, figures, historyNotes
        }

        public init(
            name: String, outcome: Outcome, place: String?, target: Report.Target, instruments: [Instrument],
            runs: Int = 1, hasBaseline: Bool, findings: [EvaluatedFinding], limits: [EvaluatedLimit],
            resolved: [Baseline.Entry],
            problems: [String]
        ) {
            self.name = name
            self.outcome = outcome
            self.place = place
            self.target = target
            self.instruments = instruments
            self.runs = runs
            self.hasBaseline = hasBaseline
            self.findings = findings
            self.limits = limits
            self.resolved = resolved
            self.problems = problems
        }
    }

    public struct EvaluatedFinding: Codable, Hashable, Sendable {
        public enum Status: String, Codable, Sendable {
            /// Not in the baseline.
            case new
            /// In the baseline, and now there are more of it.
            case increased
            /// In the baseline.
            case accepted
            /// On the list of known leaks, or suppressed.
            case known
        }

        public var status: Status
        public var fails: Bool
        /// How many the baseline holds.
        public var accepted: Int?
        /// In how many of the scenario's runs.
        public var seenIn: Int = 1
        public var finding: Finding
        /// What the history knows of it: "since a1b2c3d, 12 runs".
        public var history: String?

        public init(status: Status, fails: Bool, accepted: Int? = nil, seenIn: Int = 1, finding: Finding) {
            self.seenIn = seenIn
            self.status = status
            self.fails = fails
            self.accepted = accepted
            self.finding = finding
        }
    }

    public struct EvaluatedLimit: Codable, Hashable, Sendable {
        public enum Status: String, Codable, Sendable {
            case passed, failed
            /// Beyond the limit, but not beyond the baseline.
            case accepted
            /// The recording does not hold it.
            case unmeasured
        }

        /// `leaks`, `peak`, `types/Game.Card/live`.
        public var measure: String
        public var unit: MeasureUnit
        public var status: Status
        public var measured: Double
        /// Of each run, where there are several.
        public var measuredEach: [Double]?
        /// Absent where only the baseline speaks.
        public var limit: Double?
        public var baseline: Double?
        /// Where the budget says so: `budget.yml:7:5`.
        public var place: String?
        /// One sentence.
        public var message: String

        public init(
            measure: String, unit: MeasureUnit, status: Status, measured: Double, limit: Double? = nil,
            baseline: Double? = nil, place: String? = nil, message: String
        ) {
            self.measure = measure
            self.unit = unit
            self.status = status
            self.measured = measured
            self.limit = limit
            self.baseline = baseline
            self.place = place
            self.message = message
        }
    }
}

extension CheckResult.Scenario {
    /// A scenario of which there is no recording.
    public static func unrecorded(
        _ name: String, outcome: CheckResult.Outcome = .incomplete, program: [String], at place: String? = nil,
        because sentence: String
    ) -> Self {
        Self(
            name: name, outcome: outcome, place: place,
            target: Report.Target(executable: program.first ?? "?", arguments: Array(program.dropFirst())),
            instruments: [], hasBaseline: false, findings: [], limits: [], resolved: [], problems: [sentence])
    }

    /// Fails for a reason beside findings and limits.
    public mutating func fail(because sentence: String) {
        outcome = .failed
        if !problems.contains(sentence) { problems.insert(sentence, at: 0) }
    }

    public var failingFindings: [CheckResult.EvaluatedFinding] { findings.filter(\.fails) }
    public var failingLimits: [CheckResult.EvaluatedLimit] { limits.filter { $0.status == .failed } }
}
