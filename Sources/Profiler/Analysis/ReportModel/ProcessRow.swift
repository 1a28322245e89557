import GameprofBasics

/// A recorded process in a report that joins several.
public struct ProcessRow: Codable, Hashable, Sendable {
    /// Process number.
    public var process: Int
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
    /// Absent when allocations were not recorded.
    public var totals: AllocationCounts?

    /// The row of a process and its report.
    public init(process: Int, report: Report) {
        self.process = process
        executable = report.target.executable
        arguments = report.target.arguments
        exit = report.target.exit
        wallSeconds = report.target.wallSeconds
        errors = report.findings.count { $0.severity == .error }
        warnings = report.findings.count { $0.severity == .warning }
        totals = report.allocations?.totals
    }
}
