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

    private struct Lane {
        var name: String
        var heights: [Double]
        var style: Style
        var isMemory = false

        enum Style: String {
            case busy, level, moment, frame, defect
        }
    }

    private let lanes: [Lane]
    private let columns: Int
    let span: Double

    /// Seconds of the parts that the page can choose.
    private let part: Double

    /// Nil when there is nothing to show.
    init?(_ report: Report, columns: Int) {
        span = Self.span(of: report)
        self.columns = max(60, columns)
        guard span > 0 else { return nil }
        let heights = LaneHeights(span: span, columns: self.columns)
        lanes = Self.found(report, heights) + Self.recorded(report, heights) + Self.reported(report, heights)
        let parts = [report.hotspots?.callTree.moments.seconds, report.allocations?.callTree.moments.seconds]
        part = parts.compactMap { $0 }.max().flatMap { $0 > 0 ? $0 : nil } ?? span / 240
        guard !lanes.isEmpty else { return nil }
    }

    var hasMemoryAlone: Bool { lanes.allSatisfy(\.isMemory) }

    private static func span(of report: Report) -> Double {
        let ends =
            (report.probes ?? []).compactMap { probe in probe.activity.last.map { $0.seconds + probe.bucketSeconds } }
            + (report.counters ?? []).compactMap { $0.points.last?.seconds }
            + (report.probeEvents ?? []).compactMap { $0.seconds.last }
        return max(report.target.wallSeconds, ends.max() ?? 0)
    }

    /// When defects appeared, and when the heap was looked at. The snapshot at the end alone says nothing of time.
    private static func found(_ report: Report, _ heights: LaneHeights) -> [Lane] {
        var lanes: [Lane] = []
        let zombies = report.findings.filter { $0.kind == .zombie }.compactMap(\.firstSeenSeconds)
        if !zombies.isEmpty {
            lanes.append(Lane(name: "deallocated objects used", heights: heights.moments(zombies), style: .defect))
        }
        if let snapshots = report.snapshots, snapshots.count > 1 {
            let added = newInstances(report.findings, snapshots)
            if let most = added.map(\.count).max(), most > 0 {
                lanes.append(
                    Lane(
                        name: "new leaks, at most \(NumberFormat.count(most))",
                        heights: heights.peaks(added.map { ($0.seconds, Double($0.count)) }), style: .defect))
            }
            lanes.append(
                Lane(name: "heap snapshots", heights: heights.moments(snapshots.map(\.seconds)), style: .moment))
        }
        let warnings = report.memoryWarnings ?? []
        if !warnings.isEmpty {
            lanes.append(
                Lane(name: "memory warnings", heights: heights.moments(warnings.map(\.seconds)), style: .defect))
        }
        let warned = Set(warnings.flatMap { [$0.seconds, $0.handledSeconds] })
        let marks = (report.generations ?? []).filter { !warned.contains($0.seconds) }
        if !marks.isEmpty {
            lanes.append(Lane(name: "marks", heights: heights.moments(marks.map(\.seconds)), style: .moment))
        }
        return lanes
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
        var memory: [Lane] = []
        if let points = report.allocations?.timeline, points.count > 1 {
            let values = points.map { (seconds: $0.seconds, value: Double($0.liveBytes)) }
            let peak = values.map(\.value).max() ?? 0
            memory = [
                Lane(
                    name: "live memory, peak \(NumberFormat.bytes(UInt64(peak)))",
                    heights: heights.level(values, least: 0, greatest: peak), style: .level,
                    isMemory: true)
            ]
        }
        if let resident = report.residentMemory, resident.points.count > 1,
            report.allocations != nil || report.hotspots != nil
        {
            memory.append(
                Lane(
                    name: "resident, peak \(NumberFormat.bytes(resident.peakBytes))",
                    heights: heights.level(
                        resident.points.map { ($0.seconds, Double($0.bytes)) }, least: 0,
                        greatest: Double(resident.peakBytes)), style: .level))
        }
        if let transfers = transfers(report.files?.timeline ?? [], heights) { memory.append(transfers) }
        guard let hotspots = report.hotspots else { return memory }
        let threads = hotspots.threads.filter { $0.samples > 0 }.prefix(threadLimit).map { thread in
            Lane(
                name: "CPU \(ThreadNames.short(thread.name))",
                heights: heights.busy(thread, wallSeconds: report.target.wallSeconds), style: .busy)
        }
        return threads + memory
    }

    /// Reads and writes. The recorder counts them together from one point to the next.
    private static func transfers(_ points: [Report.Files.Point], _ heights: LaneHeights) -> Lane? {
        let starts = [0] + points.map(\.seconds)
        let parts = zip(starts, points).filter { $1.seconds > $0 && $1.bytes > 0 }
            .map { (start: $0, end: $1.seconds, rate: Double($1.bytes) / ($1.seconds - $0)) }
        guard let most = parts.map(\.rate).max() else { return nil }
        return Lane(
            name: "I/O, peak \(NumberFormat.bytes(UInt64(min(most, 1e18))))/s",
            heights: heights.parts(parts, greatest: most), style: .level)
    }

    /// What the program reports of itself.
    private static func reported(_ report: Report, _ heights: LaneHeights) -> [Lane] {
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
        [
            "span": "\(span)", "part": "\(part)", "partText": NumberFormat.seconds(part), "columns": "\(columns)",
            "rows": lanes.map { lane in
                [
                    "name": PageText.clean(lane.name, limit: Self.nameLength), "style": lane.style.rawValue,
                    "path": path(lane.heights),
                ]
            },
            "times": [0, 0.5, 1].map { NumberFormat.seconds($0 * span) },
        ]
    }

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
