/// How long a frame of a loop may take.
package enum FrameBudget {
    /// Frames a second of displays.
    private static let rates: [UInt64] = [240, 165, 144, 120, 90, 75, 60, 50, 30]

    /// Nanoseconds: the display's period to which the median frame comes near, else that of 60 frames a second, or of 30 where the
    /// median frame takes longer.
    package static func nanoseconds(_ lengths: [UInt64]) -> UInt64 {
        let lengths = lengths.sorted()
        let median = lengths.isEmpty ? 0 : lengths[lengths.count / 2]
        let periods = rates.map { 1_000_000_000 / $0 }
        if let near = periods.first(where: { $0 / 25 * 24 < median && median < $0 / 25 * 26 }) { return near }
        return median < 1_000_000_000 / 58 ? 1_000_000_000 / 60 : 1_000_000_000 / 30
    }
}
