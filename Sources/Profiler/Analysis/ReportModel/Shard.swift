/// One of the recordings that a merged report joins.
public struct Shard: Codable, Hashable, Sendable {
    /// The file as it was named.
    public var name: String
    public var executable: String
    /// Without the name it was started under.
    public var arguments: [String]
    /// Absent when it is not known.
    public var exit: Report.Exit?
    public var wallSeconds: Double
    /// Findings of severity error.
    public var errors: Int
    /// Findings of severity warning.
    public var warnings: Int

    /// The row of a recording and its report.
    public init(name: String, report: Report) {
        self.name = name
        executable = report.target.executable
        arguments = report.target.arguments
        exit = report.target.exit
        wallSeconds = report.target.wallSeconds
        errors = report.findings.count { $0.severity == .error }
        warnings = report.findings.count { $0.severity == .warning }
    }
}

extension Finding {
    /// In which recording a finding of a merged report was seen.
    public struct Seen: Codable, Hashable, Sendable {
        /// The recording's name, as in `shards`.
        public var shard: String
        public var count: Int
        public var bytes: UInt64

        public init(shard: String, count: Int, bytes: UInt64) {
            self.shard = shard
            self.count = count
            self.bytes = bytes
        }
    }
}
