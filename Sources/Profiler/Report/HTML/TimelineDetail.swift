import GameprofAnalysis

/// How finely a page shows intervals: neighbours of a row that last no longer than the resolution together are one, so that no more
/// are left than a page can hold.
struct TimelineDetail {
    struct Entry: Equatable {
        /// From the beginning of the first to the end of the last; of several the kind and the name of the longest.
        var span: Report.Timeline.Span
        var count = 1
        /// Nanoseconds of all together.
        var busy: UInt64
        fileprivate var longest: UInt64
    }

    /// Nanoseconds; 0: each interval is shown.
    private(set) var resolution: UInt64 = 0

    /// In order of time: what begins there is shown one by one.
    private let exact: [Range<UInt64>]

    /// Some passes over all spans, the more the fewer are to be left.
    init(_ rows: [[Report.Timeline.Span]], limit: Int, exact: [Range<UInt64>] = []) {
        self.exact = exact.sorted { $0.lowerBound < $1.lowerBound }
        while rows.reduce(0, { $0 + spans($1).count }) > limit, resolution < 1 << 62 {
            resolution = max(1_000, resolution * 2)
        }
    }

    func spans(_ row: [Report.Timeline.Span]) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(row.count)
        var next = exact[...]
        for span in row {
            let length = span.end - span.start
            while let range = next.first, range.upperBound <= span.start { next.removeFirst() }
            let isExact = next.first?.contains(span.start) ?? false
            if !isExact, let last = entries.last, span.end - last.span.start <= resolution {
                let index = entries.count - 1
                entries[index].span.end = span.end
                entries[index].count += 1
                entries[index].busy += length
                if length > last.longest {
                    (entries[index].span.doing, entries[index].span.kind) = (span.doing, span.kind)
                    entries[index].longest = length
                }
            } else {
                entries.append(Entry(span: span, busy: length, longest: length))
            }
        }
        return entries
    }
}
