/// When the number of live blocks of one stack first reached each of evenly spaced levels, counted in events of the whole
/// recording: growth is judged by events and not by time, because a program that waits does not grow. At most 64 levels
/// are kept; when there are more, every other is dropped.
struct RisingCurve: Sendable {
    /// A stack of fewer live blocks has no curve.
    static let firstLevel: UInt64 = 16
    private static let limit = 64

    struct Passage: Hashable, Sendable {
        var level: UInt64
        /// Allocations and frees of the recording until then.
        var event: UInt64
        /// Frees alone.
        var frees: UInt64
    }

    private(set) var passages: [Passage] = []
    private var spacing: UInt64 = 1

    /// Takes the first passage of `level`. Returns the next level to report.
    mutating func pass(_ level: UInt64, event: UInt64, frees: UInt64) -> UInt64 {
        passages.append(Passage(level: level, event: event, frees: frees))
        if passages.count == Self.limit {
            passages = passages.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            spacing *= 2
            return (passages.last?.level ?? level) + spacing
        }
        return level + spacing
    }
}
