import GameprofAnalysis
import GameprofBasics

/// What happened when: defects, heap snapshots, marks, computing threads, live memory, frames, probes, counters, events and
/// the debug log, a lane each on one axis.
struct TimelineLanes {
    private static let laneHeight = 20.0
    private static let threadLimit = 6
    private static let intervalLimit = 12
    private static let otherLimit = 6
    private static let nameLength = 40

    /// A line of the picture, from which the page's script makes a track.
    struct Lane {
        var name: String
        var style: Style
        var content: Content

        /// The name without the peak.
        var subject: Substring { name.prefix { $0 != "," } }

        enum Style: String {
            case busy, level, moment, frame, defect
        }

        enum Content {
            /// Each value holds until the next. `least`, `greatest`: the bounds of the drawing.
            case level([(seconds: Double, value: Double)], least: Double, greatest: Double, unit: Unit)
            case moments([(seconds: Double, label: String)])
            /// The greatest value is as high as the lane.
            case peaks([(seconds: Double, value: Double)], noun: String)
            /// Intervals: the script shows them one by one where the timeline has them.
            case busy([Double], isOfThread: Bool)
            case frames([Report.Frame])
        }

        /// What the values are.
        enum Unit: String {
            case bytes, rate, count, share
        }
    }

    private(set) var lanes: [Lane]
    private let heights: LaneHeights
    let span: Double

    /// Seconds of the parts by which graphs and tables can be filtered; 0: they know none.
    private let part: Double

    /// Nil when there is nothing to show.
    /// - Parameter span: seconds that the axis lasts at least.
    init?(_ report: Report, columns: Int, span least: Double = 0) {
        span = max(least, Self.span(of: report))
        heights = LaneHeights(span: span, columns: max(60, columns))
        guard span > 0 else { return nil }
        lanes = Self.found(report) + Self.recorded(report, heights) + Self.reported(report, heights)
        let parts = [report.hotspots?.callTree.moments.seconds, report.allocations?.callTree.moments.seconds]
        part = parts.compactMap { $0 }.max() ?? 0
        guard !lanes.isEmpty else { return nil }
    }

    static func span(of report: Report) -> Double {
        let ends =
            (report.probes ?? []).compactMap { probe in probe.activity.last.map { $0.seconds + probe.bucketSeconds } }
            + (report.counters ?? []).compactMap { $0.points.last?.seconds }
            + (report.probeEvents ?? []).compactMap { $0.seconds.last }
        return max(report.target.wallSeconds, ends.max() ?? 0)
    }

    /// When defects appeared, and when the heap was looked at. The snapshot at the end alone says nothing of time.
    private static func found(_ report: Report) -> [Lane] {
        var lanes: [Lane] = []
        let zombies = report.findings.filter { $0.kind == .zombie }.compactMap { finding in
            finding.firstSeenSeconds.map { (seconds: $0, label: finding.title) }
        }
        lanes += moments("deallocated objects used", zombies, .defect)
        if let snapshots = report.snapshots, snapshots.count > 1 {
            let added = newInstances(report.findings, snapshots)
            if let most = added.map(\.count).max(), most > 0 {
                lanes.append(
                    Lane(
                        name: "new leaks, at most \(NumberFormat.count(most))", style: .defect,
                        content: .peaks(added.map { ($0.seconds, Double($0.count)) }, noun: "new leak")))
            }
            lanes += moments("heap snapshots", snapshots.map { ($0.seconds, $0.name) })
        }
        let warnings = report.memoryWarnings ?? []
        lanes += moments("memory warnings", warnings.map { ($0.seconds, "memory warning") }, .defect)
        let warned = Set(warnings.flatMap { [$0.seconds, $0.handledSeconds] })
        let marks = (report.generations ?? []).filter { !warned.contains($0.seconds) }
        return lanes + moments("marks", marks.map { ($0.seconds, $0.name) })
    }

    /// None where nothing happened.
    private static func moments(
        _ name: String, _ moments: [(seconds: Double, label: String)], _ style: Lane.Style = .moment
    ) -> [Lane] {
        moments.isEmpty ? [] : [Lane(name: name, style: style, content: .moments(moments))]
    }

    /// Instances of defects that a snapshot saw and the one before did not.
    private static func newInstances(
        _ findings: [Finding], _ snapshots: [Report.Snapshot]
    ) -> [(seconds: Double, count: Int)] {
        let times = Dictionary(snapshots.map { ($0.number, $0.seconds) }) { first, _ in first }
        var added: [Int: Int] = [:]
        for finding in findings where finding.severity != .note {
            var known = 0
            for sighting in finding.sightings ?? [] {
                added[sighting.snapshot, default: 0] += max(0, sighting.count - known)
                known = max(known, sighting.count)
            }
        }
        return added.compactMap { number, count in times[number].map { ($0, count) } }
    }

    /// What the recorder saw by itself.
    private static func recorded(_ report: Report, _ heights: LaneHeights) -> [Lane] {
        var lanes = (report.hotspots?.threads ?? []).filter { $0.samples > 0 }.prefix(threadLimit).map { thread in
            Lane(
                name: "CPU \(ThreadNames.short(thread.name))", style: .busy,
                content: .busy(heights.busy(thread, wallSeconds: report.target.wallSeconds), isOfThread: true))
        }
        if let points = report.allocations?.timeline, points.count > 1 {
            let starts = [0] + points.map(\.seconds)
            let peak = points.map(\.liveBytes).max() ?? 0
            lanes.append(
                level(
                    "live memory, peak \(NumberFormat.bytes(peak))",
                    zip(starts, points).map { ($0, Double($1.liveBytes)) }, greatest: Double(peak), .bytes))
            lanes += rate(
                "allocations per second",
                zip(starts, zip([0] + points.map(\.allocations), points)).map { start, counted in
                    (start, counted.1.seconds, Double(counted.1.allocations) - Double(counted.0))
                }, .count)
        }
        if let resident = report.residentMemory, resident.points.count > 1,
            report.allocations != nil || report.hotspots != nil
        {
            lanes.append(
                level(
                    "resident, peak \(NumberFormat.bytes(resident.peakBytes))",
                    resident.points.map { ($0.seconds, Double($0.bytes)) }, greatest: Double(resident.peakBytes),
                    .bytes))
        }
        // Reads and writes, which the recorder counts together from one point to the next.
        let transfers = report.files?.timeline ?? []
        return lanes
            + rate(
                "I/O",
                zip([0] + transfers.map(\.seconds), transfers).map { ($0, $1.seconds, Double($1.bytes)) }, .rate)
    }

    private static func level(
        _ name: String, _ points: [(seconds: Double, value: Double)], least: Double = 0, greatest: Double,
        _ unit: Lane.Unit
    ) -> Lane {
        Lane(name: name, style: .level, content: .level(points, least: least, greatest: greatest, unit: unit))
    }

    /// What was counted from one moment to the next, by seconds; none where there was nothing.
    private static func rate(
        _ name: String, _ parts: [(start: Double, end: Double, count: Double)], _ unit: Lane.Unit
    ) -> [Lane] {
        let rates = parts.filter { $0.end > $0.start }.map {
            (seconds: $0.start, value: min(1e18, max(0, $0.count / ($0.end - $0.start))))
        }
        guard let most = rates.map(\.value).max(), most > 0, let end = parts.last?.end else { return [] }
        let peak = unit == .rate ? NumberFormat.bytes(UInt64(most)) + "/s" : NumberFormat.count(UInt64(most))
        return [level("\(name), peak \(peak)", rates + [(end, 0)], greatest: most, unit)]
    }

    /// What the program reports of itself.
    private static func reported(_ report: Report, _ heights: LaneHeights) -> [Lane] {
        var lanes = (report.frames ?? []).prefix(otherLimit).map { loop in
            Lane(name: "slowest \(loop.name)s", style: .frame, content: .frames(loop.slowest))
        }
        lanes += (report.probes ?? []).prefix(intervalLimit).filter { !$0.activity.isEmpty }.map { probe in
            Lane(name: probe.name, style: .busy, content: .busy(heights.busy(probe), isOfThread: false))
        }
        lanes += (report.counters ?? []).prefix(otherLimit).filter { !$0.points.isEmpty }.map { counter in
            level(
                counter.name, counter.points.map { ($0.seconds, $0.value) }, least: counter.min,
                greatest: counter.max, .count)
        }
        for event in (report.probeEvents ?? []).prefix(otherLimit) {
            lanes += moments(event.name, event.seconds.map { ($0, event.name) })
        }
        return lanes + moments("debug log", (report.log ?? []).map { ($0.seconds, $0.message) })
    }

    /// Levels end with their recording, before the axis does.
    mutating func end(at seconds: Double) {
        for index in lanes.indices {
            guard case .level(let points, let least, let greatest, let unit) = lanes[index].content else { continue }
            let own = points.filter { $0.seconds < seconds } + [(seconds, 0)]
            lanes[index].content = .level(own, least: least, greatest: greatest, unit: unit)
        }
    }

    /// Draws levels with the scale that they need together with those of `others` that have the same name.
    mutating func scale(like others: [TimelineLanes]) {
        for index in lanes.indices {
            guard case .level(let points, var least, var greatest, let unit) = lanes[index].content else { continue }
            for other in others.flatMap(\.lanes) where other.subject == lanes[index].subject {
                guard case .level(_, let low, let high, unit) = other.content else { continue }
                (least, greatest) = (min(least, low), max(greatest, high))
            }
            lanes[index].content = .level(points, least: least, greatest: greatest, unit: unit)
        }
    }

    private func heights(of content: Lane.Content) -> [Double] {
        switch content {
        case .level(let points, let least, let greatest, _):
            heights.level(points, least: least, greatest: greatest)
        case .moments(let moments): heights.moments(moments.map(\.seconds))
        case .peaks(let points, _): heights.peaks(points)
        case .busy(let busy, _): busy
        case .frames(let frames): heights.frames(frames)
        }
    }

    var values: [String: Any] {
        [
            "span": "\(span)", "partText": optional(part > 0 ? NumberFormat.seconds(part) : nil),
            "columns": "\(heights.columns)", "compares": false, "rows": rows(), "times": times,
        ]
    }

    /// - Parameter prefix: of their names.
    func rows(_ prefix: String = "") -> [[String: Any]] {
        lanes.map { lane in
            [
                "name": PageText.clean(prefix + lane.name, limit: Self.nameLength), "style": lane.style.rawValue,
                "path": path(heights(of: lane.content)),
            ]
        }
    }

    /// At the beginning of the axis, in its middle and at its end.
    var times: [String] { [0, 0.5, 1].map { NumberFormat.seconds($0 * span) } }

    /// Bars of neighbouring columns of the same height are one.
    private func path(_ heights: [Double]) -> String {
        var path = ""
        var start = 0
        for column in 1...heights.count {
            let level = (heights[start] * 10).rounded(.up)
            if column < heights.count, (heights[column] * 10).rounded(.up) == level { continue }
            if level > 0 {
                let height = NumberFormat.fixed(level / 10 * Self.laneHeight, 0)
                path += "M\(start) \(NumberFormat.fixed(Self.laneHeight, 0))v-\(height)h\(column - start)v\(height)z"
            }
            start = column
        }
        return path
    }
}
