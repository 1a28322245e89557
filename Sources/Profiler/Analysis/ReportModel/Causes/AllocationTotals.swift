import GameprofBasics

/// What a stretch of code allocated, named; most blocks first.
package struct AllocationTotals: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var type: String
        /// The function that asked for the blocks, with its place; nil: not known, or all together.
        package var maker: String?
        package var count: UInt64
    }

    package var byType: [Row]
    package var byMaker: [Row]

    /// Blocks.
    package var total: UInt64 { byType.map(\.count).clampedSum }
}
