/// The sampled blocks of a process at a moment.
package struct HeapFigures {
    /// Blocks of a stack and a type.
    package struct Row {
        /// 0: not known.
        package var stack: UInt32
        /// As the sources call it.
        package var type: String
        package var live: SampleSum
        package var freed: SampleSum

        package init(stack: UInt32, type: String, live: SampleSum = .init(), freed: SampleSum = .init()) {
            (self.stack, self.type, self.live, self.freed) = (stack, type, live, freed)
        }
    }

    /// Mean bytes between two samples.
    package var mean: UInt64
    /// All that were ever sampled.
    package var allocated: SampleSum
    package var rows: [Row]
    /// Blocks that the last search of the heap found out of reach; nil: there was none.
    package var unreachable: UInt64?

    package init(mean: UInt64, allocated: SampleSum, rows: [Row], unreachable: UInt64?) {
        (self.mean, self.allocated, self.rows, self.unreachable) = (mean, allocated, rows, unreachable)
    }

    /// Of blocks that are no Swift objects.
    package static let untyped = "memory"
}
