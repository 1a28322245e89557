/// Probes, counters and events over time, a lane each, on the axis of the memory timeline.
struct ProbeLanes {
    private static let left = 170.0
    private static let right = 940.0
    private static let laneHeight = 26.0
    private static let intervalLimit = 12
    private static let otherLimit = 6
    private static let nameLength = 24

    private struct Lane {
        var name: String
        /// Height from 0 to 1 by column.
        var heights: [Double]
        var style: String
    }

    private let lanes: [Lane]
    private let columns: Int
    private let span: Double

    /// Nil when there is nothing to draw.
    init?(_ report: Report, columns: Int) {
        let ends =
            (report.probes ?? []).compactMap { probe in probe.activity.last.map { $0.seconds + probe.bucketSeconds } }
            + (report.counters ?? []).compactMap { $0.points.last?.seconds }
            + (report.probeEvents ?? []).compactMap { $0.seconds.last }
        guard let last = ends.max(), last > 0 else { return nil }
        span = max(report.target.wallSeconds, last)
        self.columns = max(60, columns)
        var lanes: [Lane] = []
        for probe in (report.probes ?? []).prefix(Self.intervalLimit) where !probe.activity.isEmpty {
            lanes.append(Lane(name: probe.name, heights: Self.shares(probe, span, self.columns), style: "busy"))
        }
        for counter in (report.counters ?? []).prefix(Self.otherLimit) where !counter.points.isEmpty {
            lanes.append(Lane(name: counter.name, heights: Self.levels(counter, span, self.columns), style: "level"))
        }
        for event in (report.probeEvents ?? []).prefix(Self.otherLimit) {
            var heights = Array(repeating: 0.0, count: self.columns)
            for seconds in event.seconds { heights[Self.column(seconds, span, self.columns)] = 1 }
            lanes.append(Lane(name: event.name, heights: heights, style: "moment"))
        }
        self.lanes = lanes
    }

    var values: [String: Any] {
        let bottom = Double(lanes.count) * Self.laneHeight
        return [
            "width": "960", "height": Self.text(bottom + 30),
            "rows": lanes.enumerated().map { index, lane in row(lane, bottom: Double(index + 1) * Self.laneHeight) },
            "times": [(0.0, "start"), (0.5, "middle"), (1, "end")].map { share, anchor in
                [
                    "x": Self.text(Self.left + share * (Self.right - Self.left)), "y": Self.text(bottom + 22),
                    "anchor": anchor, "label": Quantity.seconds(share * span),
                ]
            },
        ]
    }

    private func row(_ lane: Lane, bottom: Double) -> [String: Any] {
        [
            "name": PageText.clean(lane.name, limit: Self.nameLength), "style": lane.style,
            "textX": Self.text(Self.left - 8), "textY": Self.text(bottom - 5), "left": Self.text(Self.left),
            "right": Self.text(Self.right), "bottom": Self.text(bottom), "path": path(lane.heights, bottom: bottom),
        ]
    }

    /// Bars of neighbouring columns of the same height are one.
    private func path(_ heights: [Double], bottom: Double) -> String {
        let width = (Self.right - Self.left) / Double(columns)
        var path = ""
        var start = 0
        for column in 1...heights.count {
            let level = (heights[start] * 10).rounded(.up)
            if column < heights.count, (heights[column] * 10).rounded(.up) == level { continue }
            if level > 0 {
                let height = level / 10 * (Self.laneHeight - 6)
                let from = Self.left + Double(start) * width
                path += "M\(Self.text(from)) \(Self.text(bottom))v-\(Self.text(height))"
                path += "h\(Self.text(Double(column - start) * width))v\(Self.text(height))z"
            }
            start = column
        }
        return path
    }

    private static func column(_ seconds: Double, _ span: Double, _ columns: Int) -> Int {
        min(columns - 1, max(0, Int(seconds / span * Double(columns))))
    }

    /// How much of each column's time the interval was open; more threads than one count as one.
    private static func shares(_ probe: Report.Probe, _ span: Double, _ columns: Int) -> [Double] {
        var busy = Array(repeating: 0.0, count: columns)
        let width = span / Double(columns)
        for activity in probe.activity {
            let first = column(activity.seconds, span, columns)
            let last = column(activity.seconds + probe.bucketSeconds * 0.999, span, columns)
            for column in first...max(first, last) {
                busy[column] += activity.busySeconds / Double(max(1, last - first + 1))
            }
        }
        return busy.map { min(1, $0 / width) }
    }

    private static func levels(_ counter: Report.Counter, _ span: Double, _ columns: Int) -> [Double] {
        let low = min(0, counter.min)
        let range = max(counter.max - low, .leastNormalMagnitude)
        var heights = Array(repeating: 0.0, count: columns)
        var next = 0
        var level = 0.0
        for column in 0..<columns {
            while next < counter.points.count, Self.column(counter.points[next].seconds, span, columns) <= column {
                level = (counter.points[next].value - low) / range
                next += 1
            }
            heights[column] = level.isFinite ? min(1, max(0, level)) : 0
        }
        return heights
    }

    private static func text(_ value: Double) -> String { Quantity.fixed(value, 1) }
}
