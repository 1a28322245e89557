import GameprofBasics

/// One run of a scenario, as a result of gameprof holds it: what a history is made of.
public struct Run: Codable, Hashable, Sendable {
    public var origin: Origin
    public var scenario: String
    /// `leaks`, `allocations`, `time` …: what was looked for.
    public var instruments: Set<String>
    /// Nothing was cut off. Of an incomplete run only the findings count, and nothing is resolved by it.
    public var isComplete: Bool
    /// How long the runs took together. Equal results of different runs differ in it.
    public var wallSeconds: Double
    public var findings: [Finding]
    public var figures: [Figure]

    /// Where and of what a run was made.
    public struct Origin: Codable, Hashable, Sendable {
        public var commit: String
        /// Seconds since 1970; orders the commits.
        public var committed: Int64
        public var branch: String
        /// Times and memory are compared on the same machine only.
        public var machine: String
        /// Figures are compared with the same toolchain only.
        public var toolchain: String

        public init(commit: String, committed: Int64, branch: String, machine: String, toolchain: String) {
            self.commit = commit
            self.committed = committed
            self.branch = branch
            self.machine = machine
            self.toolchain = toolchain
        }
    }

    /// A defect by its signature.
    public struct Finding: Codable, Hashable, Sendable {
        public var signature: String
        /// `retain-cycle`, `leak`, `zombie` …
        public var kind: String
        /// `error` or `warning`
        public var severity: String
        public var title: String
        public var count: Int64
        public var bytes: Int64

        public init(signature: String, kind: String, severity: String, title: String, count: Int64, bytes: Int64) {
            self.signature = signature
            self.kind = kind
            self.severity = severity
            self.title = title
            self.count = count
            self.bytes = bytes
        }

        /// The instrument without which it cannot be found.
        public var instrument: String {
            switch kind {
            case "zombie": "zombies"
            case "growth": "allocations"
            default: "leaks"
            }
        }
    }

    /// A number, once for each repetition.
    public struct Figure: Codable, Hashable, Sendable {
        /// `allocations`, `peak`, `cpu`, `frames/game/p95` …
        public var name: String
        public var unit: MeasureUnit
        public var values: [Double]

        public init(name: String, unit: MeasureUnit, values: [Double]) {
            self.name = name
            self.unit = unit
            self.values = values
        }
    }

    public init(
        origin: Origin, scenario: String, instruments: Set<String>, isComplete: Bool, wallSeconds: Double,
        findings: [Finding], figures: [Figure]
    ) {
        self.origin = origin
        self.scenario = scenario
        self.instruments = instruments
        self.isComplete = isComplete
        self.wallSeconds = wallSeconds
        self.findings = findings
        self.figures = figures
    }

    /// The same for the same result of the same commit, in every process: a result that is added twice counts once.
    public var digest: String {
        var hash = StableHash()
        for text in [origin.commit, origin.branch, origin.machine, origin.toolchain, scenario] { hash.combine(text) }
        for instrument in instruments.sorted() { hash.combine(instrument) }
        hash.combine(isComplete ? 1 : 0)
        hash.combine(wallSeconds.bitPattern)
        for finding in findings.sorted(by: { $0.signature < $1.signature }) {
            hash.combine(finding.signature)
            hash.combine(UInt64(bitPattern: finding.count))
            hash.combine(UInt64(bitPattern: finding.bytes))
        }
        for figure in figures.sorted(by: { $0.name < $1.name }) {
            hash.combine(figure.name)
            for value in figure.values { hash.combine(value.bitPattern) }
        }
        return hash.value.hexDigits
    }
}

extension String {
    /// Enough of a commit's hash for people.
    public var shortCommit: String {
        count > 12 && allSatisfy(\.isHexDigit) ? String(prefix(7)) : PlainText.clean(String(prefix(24)))
    }
}
