/// What a report should hold.
public struct ReportOptions: Sendable {
    /// Rows of the lists of allocations by type and by stack.
    public var allocationRows = 500
    /// Suppressions of the user.
    public var suppressions: [Suppression] = []

    public init() {}
}
