import Foundation
import GameprofAnalysis
import GameprofBasics

/// The tracks of the timeline as the page's script reads them: names and short lists as they are, intervals and frames as
/// packed numbers. Where there are too many for the page, short neighbours become one.
struct TimelineTracks {
    /// 100 ns.
    private static let tick: UInt64 = 100
    /// A kind beside those of spans: it waits for a lock.
    private static let blocked: UInt64 = 4
    /// What a moment of a list is called, at most.
    private static let labelLength = 80
    private static let momentLimit = 1_000

    private let timeline: Report.Timeline
    private let lanes: TimelineLanes
    private let limits: PageLimits
    private let detail: TimelineDetail
    /// What the names of tracks begin with.
    private let prefix: String

    init(_ timeline: Report.Timeline, lanes: TimelineLanes, limits: PageLimits, prefix: String = "") {
        (self.timeline, self.lanes, self.limits, self.prefix) = (timeline, lanes, limits, prefix)
        detail = TimelineDetail(
            timeline.tracks.flatMap(\.rows), limit: limits.timelineSpans,
            exact: timeline.loops.flatMap(Self.opened))
    }

    /// Safe inside a script element.
    var json: String { Self.json([self]) }

    /// Several timelines as one, on an axis, each below the one before. Safe inside a script element.
    static func json(_ timelines: [Self]) -> String {
        var (doings, tracks): ([String], [String]) = ([], [])
        for timeline in timelines {
            tracks += timeline.tracks(firstDoing: doings.count)
            doings += timeline.doings
        }
        let omitted = timelines.reduce(0) { $0 &+ $1.timeline.omitted }
        return "{\"span\":\(timelines.map(\.lanes.span).max() ?? 0),"
            + "\"least\":\(Double(timelines.map(\.detail.resolution).max() ?? 0) / 1e9),\"omitted\":\(omitted),"
            + "\"doings\":[\(doings.joined(separator: ","))],"
            + "\"tracks\":[\(tracks.joined(separator: ","))]}"
    }

    private var doings: [String] {
        timeline.doings.prefix(limits.timelineSpans / 10).map { quoted(Self.text(of: $0)) } + ["\"other\""]
    }

    private func tracks(firstDoing: Int) -> [String] {
        loops + timeline.tracks.map { track($0, firstDoing) } + lanes.lanes.compactMap(track)
    }

    private func title(_ name: String) -> String { quoted(prefix + name) }

    private func quoted(_ text: String, limit: Int = 160) -> String {
        FlameData.quoted(PageText.clean(text, limit: min(limit, limits.textLength)))
    }

    private static func text(of doing: Report.Timeline.Doing) -> String {
        if doing.waitsFor == "processor" { return "ready, without a processor" }
        let name = doing.name.isEmpty ? "no stack" : FunctionName.display(doing.name)
        guard let reason = doing.waitsFor else { return name }
        let holder = doing.holder.map {
            " waits for the lock that \(FunctionName.display($0)) holds on \(ThreadNames.short(doing.holderThread ?? "?"))"
        }
        return name + (holder ?? " waits (\(reason))")
    }

    // MARK: - Intervals

    private func track(_ track: Report.Timeline.Track, _ firstDoing: Int) -> String {
        let rows = track.rows.map { "\"\(packed(detail.spans($0), firstDoing))\"" }
        return "{\"kind\":\"\(track.kind.rawValue)\",\"name\":\(title(track.name)),"
            + "\"rows\":[\(rows.joined(separator: ","))]}"
    }

    /// For each: ticks since the end of the one before, its length, what it is; of several that are one how many and how
    /// long together.
    private func packed(_ spans: [TimelineDetail.Entry], _ firstDoing: Int) -> String {
        var numbers = PackedNumbers()
        numbers.add(UInt64(spans.count))
        var last: UInt64 = 0
        for entry in spans {
            let (start, end) = (max(last, entry.span.start / Self.tick), max(last, entry.span.end / Self.tick))
            numbers.add(start - last)
            numbers.add(end - start)
            let isBlocked = timeline.doings[entry.span.doing].waitsFor == "lock"
            let kind = isBlocked ? Self.blocked : UInt64(entry.span.kind.rawValue)
            let doing = UInt64(min(entry.span.doing, min(timeline.doings.count, limits.timelineSpans / 10)))
            numbers.add((UInt64(firstDoing) + doing) * 16 + kind * 2 + (entry.count > 1 ? 1 : 0))
            if entry.count > 1 {
                numbers.add(UInt64(entry.count))
                numbers.add(entry.busy / Self.tick)
            }
            last = end
        }
        return numbers.base64
    }

    // MARK: - Frames

    /// Long runs have groups of frames, each as its slowest; those over the budget stay alone.
    private var loops: [String] {
        timeline.loops.map { loop in
            var numbers = PackedNumbers()
            var last: UInt64 = 0
            for group in Self.groups(loop, limit: limits.timelineFrames / timeline.loops.count) {
                guard let first = group.first, let end = group.last.map({ $0.start &+ $0.length }),
                    let slowest = group.max(by: { $0.work < $1.work })
                else { continue }
                let start = max(last, first.start / Self.tick)
                numbers.add(start - last)
                last = max(start, end / Self.tick)
                numbers.add(last - start)
                numbers.add(UInt64(group.count))
                for time in [slowest.length, slowest.work, slowest.processor] { numbers.add(time / Self.tick) }
                numbers.add(group.reduce(0) { $0 &+ $1.allocations })
                numbers.add(group.reduce(0) { $0 &+ $1.bytes })
                numbers.add(UInt64((slowest.track ?? -1) + 1))
            }
            return "{\"kind\":\"frames\",\"name\":\(title(loop.name + "s")),\"budget\":\(Double(loop.budget) / 1e9),"
                + "\"rows\":[\"\(numbers.base64)\"]}"
        }
    }

    /// The frames that readers open: the slowest and the median.
    private static func opened(_ loop: Report.Timeline.Loop) -> [Range<UInt64>] {
        let sorted = loop.frames.sorted { ($0.work &+ $0.processor) < ($1.work &+ $1.processor) }
        let median = sorted.isEmpty ? [] : [sorted[(sorted.count - 1) / 2]]
        return (sorted.suffix(20) + median).map { $0.start..<max($0.start, $0.start &+ $0.length) }
    }

    private static func groups(
        _ loop: Report.Timeline.Loop, limit: Int
    ) -> [ArraySlice<Report.Timeline.Loop.Frame>] {
        let frames = loop.frames
        let most = (frames.count + max(limit, 1) - 1) / max(limit, 1)
        var groups: [ArraySlice<Report.Timeline.Loop.Frame>] = []
        var start = 0
        for index in frames.indices {
            let isSlow = { frames[$0].work > loop.budget }
            if index > start, most == 1 || isSlow(index) || isSlow(index - 1) || index - start >= most {
                groups.append(frames[start..<index])
                start = index
            }
        }
        if start < frames.count { groups.append(frames[start...]) }
        guard groups.count > 2 * limit else { return groups }
        return stride(from: 0, to: frames.count, by: most).map { frames[$0..<min($0 + most, frames.count)] }
    }

    // MARK: - Levels and moments

    /// Nil: the timeline has it one by one.
    private func track(_ lane: TimelineLanes.Lane) -> String? {
        switch lane.content {
        case .level(let points, let least, let greatest, let unit):
            return level(lane, points, least: least, greatest: greatest, unit)
        case .moments(let moments): return self.moments(lane, moments)
        case .peaks(let points, let noun):
            return moments(lane, points.map { ($0.seconds, NumberFormat.count(Int(min($0.value, 1e15)), noun)) })
        case .busy(let shares, let isOfThread):
            let kinds: [Report.Timeline.Track.Kind] = isOfThread ? [.thread] : [.thread, .spans]
            guard !timeline.tracks.contains(where: { kinds.contains($0.kind) && $0.rows.contains { !$0.isEmpty } })
            else { return nil }
            let width = lanes.span / Double(max(shares.count, 1))
            return level(
                lane, shares.enumerated().map { (Double($0.offset) * width, $0.element) }, least: 0, greatest: 1, .share
            )
        case .frames(let frames):
            guard timeline.loops.isEmpty else { return nil }
            return moments(
                lane, frames.map { ($0.seconds, "frame \($0.number), \(NumberFormat.nanoseconds($0.work))") })
        }
    }

    private func level(
        _ lane: TimelineLanes.Lane, _ points: [(seconds: Double, value: Double)], least: Double, greatest: Double,
        _ unit: TimelineLanes.Lane.Unit
    ) -> String {
        // The highest of each stretch, where there are too many.
        let stretch = max(1, (points.count + limits.timelinePoints * 4 - 1) / (limits.timelinePoints * 4))
        let shown = stride(from: 0, to: points.count, by: stretch).compactMap { start in
            points[start..<min(start + stretch, points.count)].max { $0.value < $1.value }
        }
        let end = stretch > 1 ? points.suffix(1) : []
        let numbers = (shown + end).filter { $0.seconds.isFinite && $0.value.isFinite }.flatMap {
            [Self.number($0.seconds * 1e6), unit == .share ? NumberFormat.fixed($0.value, 3) : Self.number($0.value)]
        }
        return "{\"kind\":\"level\",\"name\":\(title(lane.name)),\"unit\":\"\(unit.rawValue)\","
            + "\"least\":\(Self.number(min(0, least))),\"greatest\":\(Self.number(greatest)),"
            + "\"points\":[\(numbers.joined(separator: ","))]}"
    }

    private func moments(_ lane: TimelineLanes.Lane, _ moments: [(seconds: Double, label: String)]) -> String {
        let shown = moments.prefix(Self.momentLimit).sorted { $0.seconds < $1.seconds }
        return "{\"kind\":\"moments\",\"name\":\(title(lane.name)),\"style\":\"\(lane.style.rawValue)\","
            + "\"times\":[\(shown.map { Self.number($0.seconds * 1e6) }.joined(separator: ","))],"
            + "\"labels\":[\(shown.map { quoted($0.label, limit: Self.labelLength) }.joined(separator: ","))]}"
    }

    private static func number(_ value: Double) -> String {
        let value = value.isFinite ? min(max(value, -1e15), 1e15) : 0
        return value == value.rounded() ? "\(Int(value))" : NumberFormat.fixed(value, 3)
    }
}

/// Whole numbers in as few bytes as they need (LEB128).
private struct PackedNumbers {
    private var bytes: [UInt8] = []

    mutating func add(_ number: UInt64) {
        var rest = number
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    var base64: String { Data(bytes).base64EncodedString() }
}
