/// What happened when: computing threads, live memory, frames, probes, counters, events and the debug log, a lane each on
/// one axis.
struct TimelineLanes {
    private static let left = 170.0
    private static let right = 940.0
    private static let laneHeight = 26.0
    private static let threadLimit = 6
    private static let intervalLimit = 12
    private static let otherLimit = 6
    private static let nameLength = 24

    private struct Lane {
        var name: String
        var heights: [Double]
        var style: Style

        enum Style: String {
            case busy, level, moment, frame
        }
    }

    private let lanes: [Lane]
    private let columns: Int
    private let span: Double

    /// Nil when there is nothing but one thing, which then has a drawing of its own.
    init?(_ report: Report, columns: Int) {
        span = Self.span(of: report)
        self.columns = max(60, columns)
        guard span > 0 else { return nil }
        let heights = LaneHeights(span: span, columns: self.columns)
        lanes = Self.recorded(report, heights) + Self.told(report, heights)
        let isOfProgram = report.probes != nil || report.probeEvents != nil || report.counters != nil
        guard lanes.count > 1 || (isOfProgram && !lanes.isEmpty) else { return nil }
    }

    private static func span(of report: Report) -> Double {
        let ends =
            (report.probes ?? []).compactMap { probe in probe.activity.last.map { $0.seconds + probe.bucketSeconds } }
            + (report.counters ?? []).compactMap { $0.points.last?.seconds }
            + (report.probeEvents ?? []).compactMap { $0.seconds.last }
        return max(report.target.wallSeconds, ends.max() ?? 0)
    }

    /// What the recorder saw by itself. Threads only beside something else: they have lanes of their own.
    private static func recorded(_ report: Report, _ heights: LaneHeights) -> [Lane] {
        var memory: [Lane] = []
        if let points = report.allocations?.timeline, points.count > 1 {
            let values = points.map { (seconds: $0.seconds, value: Double($0.liveBytes)) }
            let peak = values.map(\.value).max() ?? 0
            memory = [
                Lane(
                    name: "live memory", heights: heights.level(values, least: 0, greatest: peak), style: .level)
            ]
        }
        let told = report.probes ?? report.frames.map { _ in [] }
        guard !memory.isEmpty || told != nil, let hotspots = report.hotspots else { return memory }
        let threads = hotspots.threads.filter { $0.samples > 0 }.prefix(threadLimit).map { thread in
            Lane(
                name: "CPU \(thread.name)", heights: heights.busy(thread, wallSeconds: report.target.wallSeconds),
                style: .busy)
        }
        return threads + memory
    }

    /// What the program said of itself.
    private static func told(_ report: Report, _ heights: LaneHeights) -> [Lane] {
        var lanes = (report.frames ?? []).prefix(otherLimit).map { loop in
            Lane(name: "slowest \(loop.name)s", heights: heights.frames(loop.slowest), style: .frame)
        }
        lanes += (report.probes ?? []).prefix(intervalLimit).filter { !$0.activity.isEmpty }.map { probe in
            Lane(name: probe.name, heights: heights.busy(probe), style: .busy)
        }
        lanes += (report.counters ?? []).prefix(otherLimit).filter { !$0.points.isEmpty }.map { counter in
            let points = counter.points.map { (seconds: $0.seconds, value: $0.value) }
            return Lane(
                name: counter.name, heights: heights.level(points, least: counter.min, greatest: counter.max),
                style: .level)
        }
        lanes += (report.probeEvents ?? []).prefix(otherLimit).map { event in
            Lane(name: event.name, heights: heights.moments(event.seconds), style: .moment)
        }
        if let log = report.log, !log.isEmpty {
            lanes.append(Lane(name: "debug log", heights: heights.moments(log.map(\.seconds)), style: .moment))
        }
        return lanes
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
            "name": PageText.clean(lane.name, limit: Self.nameLength), "style": lane.style.rawValue,
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

    private static func text(_ value: Double) -> String { Quantity.fixed(value, 1) }
}
