import GameprofAnalysis

/// The rows of a table by parts of the run, as the page's script reads them.
struct RowMoments {
    /// `[row, part, bytes, count …]`
    private let moments: Report.Hotspots.CallTree.Moments

    /// `row`: the place in the table of an entry; nil: the table has no such row. Parts become twice as long until there are
    /// at most `limit` entries.
    init(
        _ entries: [Report.RowMoments.Entry], seconds: Double, rows: Int, limit: Int,
        row: (Report.RowMoments.Entry) -> Int?
    ) {
        let own = entries.compactMap { entry in row(entry).map { [$0, entry.part, entry.bytes, entry.count] } }
        moments = FlameData.coarse(.init(seconds: seconds, entries: own), Array(0..<rows), limit: limit)
    }

    /// Nil: the table shows the whole run alone.
    var json: String? {
        guard moments.seconds > 0, !moments.entries.isEmpty else { return nil }
        let numbers = moments.entries.joined().map(String.init).joined(separator: ",")
        return "{\"seconds\":\(moments.seconds),\"entries\":[\(numbers)]}"
    }
}
