/// What `gameprof analyze` reports: static findings, and what a recording says of them.
public struct Analysis: Codable, Hashable, Sendable {
    public var schema = "gameprof-analysis"
    public var version = 1
    public var entries: [Entry]
    public var files: Int
    public var lines: Int
    /// Files that were not read again, because nothing in their module had changed.
    public var cachedFiles: Int
    /// Sentences: what could not be looked at.
    public var problems: [String]
    /// What a build's index had to do with it; absent when none was read.
    public var index: IndexUse?
    /// The program of the recording, when there is one.
    public var program: String?
    /// Suppressions of the user that matched nothing.
    public var unusedSuppressions: [String] = []

    public init(_ list: StaticFindingList) {
        entries = list.suspects.map { Entry(suspect: $0) }
        files = list.files
        lines = list.lines
        cachedFiles = list.cachedFiles
        problems = list.problems
        index = list.index
    }

    /// One suspect.
    public struct Entry: Codable, Hashable, Sendable {
        public var suspect: StaticFinding
        /// Absent without a recording.
        public var verdict: Verdict?
        /// The name of the suppression, or the reason in the source, that silences it.
        public var silencedBy: String?

        public init(suspect: StaticFinding, verdict: Verdict? = nil, silencedBy: String? = nil) {
            self.suspect = suspect
            self.verdict = verdict
            self.silencedBy = silencedBy ?? suspect.ignored
        }

        /// How grave it is: confirmed or of high confidence is an error, medium a warning, low or silenced a note.
        public var severity: Finding.Severity {
            if silencedBy != nil { return .note }
            switch verdict?.status {
            case .confirmed: return .error
            case .cleared: return .note
            case .unseen, nil: break
            }
            switch suspect.confidence {
            case .high: return .error
            case .medium: return .warning
            case .low: return .note
            }
        }
    }

    /// What a recording says of a suspect.
    public struct Verdict: Codable, Hashable, Sendable {
        public enum Status: String, Codable, Sendable {
            /// The recording has a finding of this very shape.
            case confirmed
            /// The code ran, and every object of the type died.
            case cleared
            /// The recording says nothing of it.
            case unseen
        }

        public var status: Status
        /// Signatures of the findings that confirm it.
        public var findings: [String] = []
        /// Instances of those findings, and bytes with what they keep alive.
        public var count: Int = 0
        public var bytes: UInt64 = 0
        /// One sentence.
        public var explanation: String

        public init(
            status: Status, findings: [String] = [], count: Int = 0, bytes: UInt64 = 0, explanation: String
        ) {
            self.status = status
            self.findings = findings
            self.count = count
            self.bytes = bytes
            self.explanation = explanation
        }
    }

    /// Entries that reports show: at least of that confidence, or confirmed; silenced ones are left out.
    public func shown(from confidence: StaticFinding.Confidence) -> [Entry] {
        entries.filter { entry in
            entry.silencedBy == nil
                && (entry.suspect.confidence >= confidence || entry.verdict?.status == .confirmed)
        }
    }
}
