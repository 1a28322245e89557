/// Collects the memory timeline in a bounded number of points: when there are too many, neighbours are merged and the
/// higher one is kept, so the peak never gets lost.
struct Timeline {
    /// The most points that a timeline has.
    static let limit = 1024

    private(set) var points: [TimelinePoint] = []
    private var width: UInt64 = 1_000_000
    /// First nanosecond after the current bucket.
    private(set) var end: UInt64 = 1_000_000

    /// Adds the highest point of the bucket that ends with `end`, and begins the bucket that contains `time`.
    mutating func close(_ point: TimelinePoint, next time: UInt64) {
        points.append(point)
        while points.count >= Self.limit { halve() }
        let (start, _) = (time / width * width, 0)
        end = start.addingReportingOverflow(width).overflow ? .max : start + width
    }

    private mutating func halve() {
        width = width.multipliedReportingOverflow(by: 2).overflow ? width : width * 2
        var merged: [TimelinePoint] = []
        for point in points {
            guard let last = merged.last, last.time / width == point.time / width || width > 1 << 62 else {
                merged.append(point)
                continue
            }
            var higher = point.liveBytes >= last.liveBytes ? point : last
            higher.allocations = max(point.allocations, last.allocations)
            merged[merged.count - 1] = higher
        }
        points = merged
    }
}
