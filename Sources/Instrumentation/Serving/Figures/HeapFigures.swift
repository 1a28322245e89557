/// The sampled blocks of a process at a moment.
package struct HeapFigures {
    /// Blocks of a stack and a type.
    package struct Row {
        /// 0: not known.
        package var stack: UInt32
        /// As the sources call it.
        package var type: String
        package var live: SampleSum = .init()
        package var freed: SampleSum = .init()
    }

    /// Mean bytes between two samples.
    package var mean: UInt64
    /// All that were ever sampled.
    package var allocated: SampleSum
    package var rows: [Row]
    /// Blocks that the last search of the heap found out of reach; nil: there was none.
    package var unreachable: UInt64?

    /// Of blocks that are no Swift objects.
    package static let untyped = "memory"
}
