import GameprofAnalysis
import GameprofBasics

/// One result for other tools, whatever found it: what SARIF, annotations and the like are made of.
public struct Diagnosis: Hashable, Sendable {
    /// A line of a source file.
    public struct Place: Hashable, Sendable {
        public var file: String
        /// From 1; absent: the file as a whole.
        public var line: Int?
        public var column: Int?

        public init(file: String, line: Int? = nil, column: Int? = nil) {
            self.file = file
            self.line = line
            self.column = column
        }

        /// From `Sources/Game.swift:12:5`, `Game.swift:12` or `Game.swift`.
        public init(text: String) {
            var file = Substring(text)
            var numbers: [Int] = []
            while numbers.count < 2, let colon = file.lastIndex(of: ":"),
                let number = Int(file[file.index(after: colon)...]), number > 0
            {
                numbers.insert(number, at: 0)
                file = file[..<colon]
            }
            self.init(file: String(file), line: numbers.first, column: numbers.dropFirst().first)
        }
    }

    /// `retain-cycle`, `stored-closure`, …
    public var rule: String
    public var severity: Finding.Severity
    /// One sentence.
    public var message: String
    /// What to change.
    public var fix: String?
    /// Where it is shown. Code hosts refuse a file in which a result has no place.
    public var place: Place
    /// The same for the same defect in another run.
    public var fingerprint: String
    /// Why it is not to count; absent: it counts.
    public var suppression: String?
    /// The source itself says so, not a file beside it.
    public var isSuppressedInSource = false
    /// Figures and names for whoever reads the file.
    public var properties: [String: String]

    public init(
        rule: String, severity: Finding.Severity, message: String, fix: String? = nil, place: Place,
        fingerprint: String, suppression: String? = nil, properties: [String: String] = [:]
    ) {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.fix = fix
        self.place = place
        self.fingerprint = fingerprint
        self.suppression = suppression
        self.properties = properties
    }
}

extension Diagnosis {
    /// A finding of a recording, at the closure that is to be changed, else where the user's code allocated it; `other` where no
    /// source is known.
    public init(_ finding: Finding, orAt other: Place) {
        let suspect = finding.references.first { $0.suspect != nil }
        let frames = finding.allocatedBy?.telling.filter { $0.file != nil && $0.line != nil } ?? []
        let frame = frames.first { !FunctionName.isInitializer($0.function) } ?? frames.first
        let place =
            suspect.flatMap { suspect in suspect.file.map { Place(file: $0, line: suspect.line) } }
            ?? frame.flatMap { frame in frame.file.map { Place(file: $0, line: frame.line) } }
        self.init(
            rule: finding.kind.rawValue, severity: finding.severity, message: finding.message, fix: finding.fix,
            place: place ?? other, fingerprint: finding.signature, suppression: finding.known,
            properties: ["instances": "\(finding.count)", "bytes": "\(finding.bytes)", "type": finding.type])
    }
}
