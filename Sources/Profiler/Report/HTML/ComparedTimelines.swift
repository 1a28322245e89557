import GameprofAnalysis

/// The timelines of two recordings on one axis, the earlier above the later. Levels of the same name have the same scale.
struct ComparedTimelines {
    private static let columns = 400

    private var parts: [(prefix: String, report: Report, lanes: TimelineLanes)]
    private let span: Double

    /// Nil: one of them has nothing to show.
    init?(before: Report, after: Report) {
        let ends = [before, after].map(TimelineLanes.span)
        let span = max(ends[0], ends[1])
        parts = zip(["before · ", "after · "], [before, after]).compactMap { prefix, report in
            TimelineLanes(report, columns: Self.columns, span: span).map { (prefix, report, $0) }
        }
        guard parts.count == 2 else { return nil }
        self.span = span
        let lanes = parts.map(\.lanes)
        for index in parts.indices {
            parts[index].lanes.scale(like: lanes)
            if ends[index] < span { parts[index].lanes.end(at: ends[index]) }
        }
    }

    var values: [String: Any] {
        let tracks = parts.map { prefix, report, lanes in
            TimelineTracks(report.timeline, lanes: lanes, limits: PageLimits.steps[2], prefix: prefix)
        }
        return [
            "span": "\(span)", "partText": false, "columns": "\(Self.columns)", "compares": true,
            "rows": parts.flatMap { $0.lanes.rows($0.prefix) }, "times": parts[0].lanes.times,
            "tracks": TimelineTracks.json(tracks),
            "hasThreads": parts.contains { $0.report.timeline.hasStates },
        ]
    }
}
