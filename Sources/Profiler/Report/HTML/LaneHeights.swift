import GameprofAnalysis

/// What a lane of the timeline shows, as heights from 0 to 1 by column.
struct LaneHeights {
    /// Seconds that all columns last together.
    let span: Double
    let columns: Int

    private var width: Double { span / Double(columns) }
    private var nothing: [Double] { Array(repeating: 0, count: columns) }

    /// How much of each column's time the interval was open; more threads than one count as one.
    func busy(_ probe: Report.Probe) -> [Double] {
        shares(probe.activity.map { ($0.seconds, $0.busySeconds) }, each: probe.bucketSeconds)
    }

    /// How much of each column's time the thread computed.
    func busy(_ thread: Report.Hotspots.ThreadRow, wallSeconds: Double) -> [Double] {
        let part = wallSeconds / Double(max(1, thread.timeline.count))
        return shares(thread.timeline.enumerated().map { (Double($0) * part, $1) }, each: part)
    }

    /// The value at the end of each column, from its least (or 0) to its greatest.
    func level(_ points: [(seconds: Double, value: Double)], least: Double, greatest: Double) -> [Double] {
        let low = min(0, least)
        let range = max(greatest - low, .leastNormalMagnitude)
        var heights = nothing
        var next = 0
        var level = 0.0
        for column in 0..<columns {
            while next < points.count, self.column(points[next].seconds) <= column {
                level = (points[next].value - low) / range
                next += 1
            }
            heights[column] = level.isFinite ? min(1, max(0, level)) : 0
        }
        return heights
    }

    func moments(_ seconds: [Double]) -> [Double] {
        var heights = nothing
        for moment in seconds { heights[column(moment)] = 1 }
        return heights
    }

    /// Bars as high as their value beside the greatest.
    func peaks(_ points: [(seconds: Double, value: Double)]) -> [Double] {
        let greatest = max(points.map(\.value).max() ?? 0, .leastNormalMagnitude)
        var heights = nothing
        for point in points {
            let column = column(point.seconds)
            heights[column] = max(heights[column], min(1, max(0, point.value / greatest)))
        }
        return heights
    }

    /// Each frame as wide as it lasted and as high as it is long beside the longest.
    func frames(_ frames: [Report.Frame]) -> [Double] {
        let longest = Double(max(1, frames.map(\.nanoseconds).max() ?? 1))
        var heights = nothing
        for frame in frames {
            let last = column(frame.seconds + Double(frame.nanoseconds) / 1e9)
            for column in column(frame.seconds)...max(column(frame.seconds), last) {
                heights[column] = max(heights[column], Double(frame.nanoseconds) / longest)
            }
        }
        return heights
    }

    private func shares(_ parts: [(seconds: Double, busy: Double)], each length: Double) -> [Double] {
        var busy = nothing
        for part in parts where part.busy > 0 {
            let first = column(part.seconds)
            let last = column(part.seconds + length * 0.999)
            for column in first...max(first, last) { busy[column] += part.busy / Double(max(1, last - first + 1)) }
        }
        return busy.map { min(1, $0 / width) }
    }

    private func column(_ seconds: Double) -> Int {
        min(columns - 1, max(0, Int(min(max(seconds / span, 0), 1) * Double(columns))))
    }
}
