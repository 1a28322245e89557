/// What a report should hold.
public struct ReportOptions: Sendable {
    /// Which snapshot with a graph.
    public enum HeapSnapshotChoice: Hashable, Sendable {
        /// The one that was taken near the most live bytes; the last one where there is none.
        case peak
        case last
        /// The one with this number, where there is such a one.
        case number(Int)

        var number: Int? {
            guard case .number(let number) = self else { return nil }
            return number
        }
    }

    /// Rows of the list of allocations by stack.
    public var allocationRows = 500
    /// Rows of the list of allocations by type.
    public var typeRows = 500
    /// Rows of the lists of functions by time.
    public var functionRows = 300
    /// Reference counting, allocation, thunks and the like are frames of their own in the profile.
    public var keepsRuntimeFrames = false
    /// Rows of the lists of what a generation left behind.
    public var generationRows = 50
    /// Rows of the list of what lives by type.
    public var heapTypeRows = 200
    /// Rows of that list that have all about their objects.
    public var heapDetailRows = 0
    /// Types, or patterns of types, whose living objects are shown in detail.
    public var heapTypes: [String] = []
    /// The living heap is shown wherever the recording has it, not only where it was asked for.
    public var showsLivingHeap = false
    /// The heap that is shown.
    public var heapSnapshot = HeapSnapshotChoice.peak
    /// Suppressions of the user.
    public var suppressions: [Suppression] = []

    public init() {}
}
