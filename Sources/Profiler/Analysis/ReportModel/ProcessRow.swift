import GameprofBasics

/// A recorded process in a report that joins several.
public struct ProcessRow: Codable, Hashable, Sendable {
    /// Process number.
    public var process: Int
    /// The process that had started it; absent when it is not known.
    public var parent: Int?
    /// When its recording began, since that of the earliest process.
    public var startSeconds: Double?
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
    /// Absent when leaks were not searched for.
    public var leakedBlocks: UInt64?
    public var leakedBytes: UInt64?
    /// Bytes in memory when a child made by fork ended: those that other processes had too, and those that it alone had. The
    /// recorder's memory is in both. Absent when they are not known.
    public var sharedBytes: UInt64?
    public var ownBytes: UInt64?
    /// Its recording is incomplete; absent otherwise.
    public var truncated: Bool?
    /// The name of its page, which stands beside the list of processes; absent: it has none.
    public var page: String?
}
