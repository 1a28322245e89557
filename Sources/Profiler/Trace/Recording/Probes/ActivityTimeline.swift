/// How busy something was over time, in a bounded number of buckets whose width doubles as time goes on. The unit of time
/// is the caller's.
struct ActivityTimeline: Sendable {
    static let limit = 1024

    /// Bucket number → how long it was busy; more than the width where several threads were.
    private var buckets: [UInt64: UInt64] = [:]
    private(set) var width: UInt64 = 1 << 16
    private var last: (bucket: UInt64, busy: UInt64) = (0, 0)

    /// The buckets that were busy, in order of time.
    var busy: [(start: UInt64, busy: UInt64)] {
        var all = buckets
        if last.busy > 0 { all[last.bucket, default: 0] &+= last.busy }
        return all.sorted { $0.key < $1.key }.map { ($0.key &* width, $0.value) }
    }

    mutating func add(from start: UInt64, to end: UInt64) {
        guard end > start else { return }
        while (end - start) / width >= UInt64(Self.limit), width < 1 << 62 { halve() }
        var time = start
        while time < end {
            let bucket = time / width
            let (next, overflow) = ((bucket + 1) &* width, bucket == .max / width)
            let stop = overflow ? end : min(end, next)
            add(stop - time, to: bucket)
            if overflow { return }
            time = stop
        }
    }

    mutating func add(_ other: ActivityTimeline) {
        while width < other.width { halve() }
        for (start, busy) in other.busy { add(busy, to: start / width) }
    }

    private mutating func add(_ busy: UInt64, to bucket: UInt64) {
        if last.bucket == bucket {
            last.busy &+= busy
            return
        }
        flush()
        last = (bucket, busy)
        while buckets.count >= Self.limit, width < 1 << 62 { halve() }
    }

    private mutating func flush() {
        if last.busy > 0 { buckets[last.bucket, default: 0] &+= last.busy }
        last.busy = 0
    }

    private mutating func halve() {
        flush()
        guard width < 1 << 62 else { return }
        width *= 2
        var merged: [UInt64: UInt64] = [:]
        for (bucket, busy) in buckets { merged[bucket / 2, default: 0] &+= busy }
        buckets = merged
        last = (last.bucket / 2, 0)
    }
}
