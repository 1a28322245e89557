/// What the ticks of probes are in time.
struct ProbeClock: Sendable {
    private let points: [ClockRecord]
    /// Nanoseconds of a tick, over the whole recording.
    private let rate: Double

    /// Nil when two points in time are not known.
    init?(_ records: [ClockRecord]) {
        points = records.sorted { $0.ticks < $1.ticks }
        guard let first = points.first, let last = points.last else { return nil }
        if first.source == .monotonic {
            rate = 1
        } else if last.ticks > first.ticks, last.time > first.time {
            rate = Double(last.time - first.time) / Double(last.ticks - first.ticks)
        } else {
            return nil
        }
    }

    /// Nanoseconds that so many ticks last.
    func nanoseconds(_ ticks: UInt64) -> UInt64 { Self.whole(Double(ticks) * rate) }

    /// Seconds since recording began at which the clock showed `ticks`: in proportion between the two points around.
    func seconds(at ticks: UInt64) -> Double {
        var low = 0
        var high = points.count
        while low < high {
            let middle = (low + high) / 2
            if points[middle].ticks <= ticks { low = middle + 1 } else { high = middle }
        }
        let before = points[max(0, low - 1)]
        var rate = self.rate
        if low > 0, low < points.count, points[low].ticks > before.ticks, points[low].time > before.time {
            rate = Double(points[low].time - before.time) / Double(points[low].ticks - before.ticks)
        }
        let distance = (Double(ticks) - Double(before.ticks)) * rate
        return max(0, Double(before.time) + distance) / 1e9
    }

    private static func whole(_ value: Double) -> UInt64 { value < 1.8e19 ? UInt64(value.rounded()) : .max }
}
