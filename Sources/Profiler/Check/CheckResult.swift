/// What a diagnostic pass says: the one value that text, JSON, JUnit, SARIF, Markdown and annotations render.
/// `Documentation/check.schema.json` declares its JSON.
public struct CheckResult: Codable, Hashable, Sendable {
    public var schema = "gameprof-check"
    public var version = 1
    public var outcome: Outcome
    public var scenarios: [Scenario]

    public init(scenarios: [Scenario]) {
        self.scenarios = scenarios
        outcome = Outcome(of: scenarios.map(\.outcome))
    }

    public enum Outcome: String, Codable, Sendable {
        case passed, failed
        /// Nothing failed, but the recording does not hold all that was to be judged.
        case incomplete

        init(of parts: [Outcome]) {
            self = parts.contains(.failed) ? .failed : parts.contains(.incomplete) ? .incomplete : .passed
        }
    }

    /// One recorded run, judged.
    public struct Scenario: Codable, Hashable, Sendable {
        public var name: String
        public var outcome: Outcome
        public var target: Report.Target
        public var instruments: [String]
        /// Those that fail first, then in the order of the report.
        public var findings: [JudgedFinding]
        /// In the order of the budget, then what only the baseline holds.
        public var limits: [JudgedLimit]
        /// Entries of the baseline that were not met again.
        public var mended: [Baseline.Entry]
        /// Sentences: why it fails beside findings and limits, and what could not be judged.
        public var problems: [String]
    }

    public struct JudgedFinding: Codable, Hashable, Sendable {
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
        public var finding: Finding
    }

    public struct JudgedLimit: Codable, Hashable, Sendable {
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
        /// Absent where only the baseline speaks.
        public var limit: Double?
        public var baseline: Double?
        /// Where the budget says so: `budget.yml:7:5`.
        public var place: String?
        /// One sentence.
        public var message: String
    }
}

extension CheckResult.Scenario {
    /// A scenario of which there is no recording.
    public static func unrecorded(
        _ name: String, outcome: CheckResult.Outcome = .incomplete, because sentence: String
    ) -> Self {
        Self(
            name: name, outcome: outcome, target: Report.Target(executable: "?"), instruments: [], findings: [],
            limits: [], mended: [], problems: [sentence])
    }

    public var failingFindings: [CheckResult.JudgedFinding] { findings.filter(\.fails) }
    public var failingLimits: [CheckResult.JudgedLimit] { limits.filter { $0.status == .failed } }
}
