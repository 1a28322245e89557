import GameprofBasics
import GameprofTrace

/// Where the time of a slow frame went: its longest interval, the longest inside that, and so on, and what the thread did most of the
/// time in the innermost of them.
struct SlowFramePath {
    /// An interval with this share of the frame, or of the interval around it, is followed.
    private static let leastShare = 0.5
    private static let limit = 6

    private let timeline: Report.Timeline

    init(_ timeline: Report.Timeline) { self.timeline = timeline }

    /// Fills the slowest frames of a loop in, which is that of the timeline with the same index.
    func add(to report: inout AnalyzedReport) {
        guard var frames = report.facts.frames else { return }
        for (index, loop) in timeline.loops.enumerated() where frames.indices.contains(index) {
            for (place, frame) in frames[index].slowest.enumerated() where frame.excess != nil {
                guard frame.number > 0, frame.number <= UInt64(loop.frames.count) else { continue }
                frames[index].slowest[place].path = path(of: loop.frames[Int(frame.number) - 1])
            }
        }
        report.facts.frames = frames
    }

    private func path(of frame: Report.Timeline.Loop.Frame) -> Report.Frame.Path? {
        guard let track = frame.track, timeline.tracks.indices.contains(track) else { return nil }
        let rows = timeline.tracks[track].rows
        var range = frame.start..<max(frame.start, frame.start &+ frame.length)
        var least = Double(frame.work &+ frame.processor) * Self.leastShare
        var intervals: [Report.Frame.Path.Step] = []
        for row in rows.dropFirst().prefix(Self.limit) {
            let longest = spans(row, in: range).filter { !FramePacing.isWaiting(timeline.doings[$0.doing].name) }
                .max { ($0.end - $0.start, $1.start) < ($1.end - $1.start, $0.start) }
            guard let longest, Double(longest.end - longest.start) >= least, longest.end > longest.start else { break }
            range = longest.start..<longest.end
            least = Double(range.count) * Self.leastShare
            intervals.append(.init(name: timeline.doings[longest.doing].name, nanoseconds: UInt64(range.count)))
        }
        // Waiting for the screen is no answer.
        let isPaced = frame.work &+ frame.processor < frame.length / 10 * 9
        guard !intervals.isEmpty || !isPaced else { return nil }
        var sums: [Int: UInt64] = [:]
        for span in spans(rows.first ?? [], in: range, isSeen: true) {
            sums[span.doing, default: 0] &+= span.end - span.start
        }
        let most = sums.max { ($0.value, $1.key) < ($1.value, $0.key) }
        let doing = most.flatMap { Double($0.value) >= least ? $0 : nil }
        guard !intervals.isEmpty || doing != nil else { return nil }
        return .init(
            intervals: intervals,
            mostly: doing.map { key, nanoseconds in
                let doing = timeline.doings[key]
                return .init(
                    function: doing.name, waitsFor: doing.waitsFor, heldBy: doing.holder,
                    holderThread: doing.holderThread, nanoseconds: nanoseconds)
            })
    }

    /// Cut to the range. `isSeen`: a wait counts only if the thread was seen waiting within it.
    private func spans(
        _ row: [Report.Timeline.Span], in range: Range<UInt64>, isSeen: Bool = false
    ) -> [Report.Timeline.Span] {
        let first = partition(0..<row.count) { row[$0].end > range.lowerBound }
        return row[first...].prefix { $0.start < range.upperBound }.compactMap { span in
            guard !isSeen || span.kind != .waiting || wasSeen(span, in: range) else { return nil }
            var span = span
            (span.start, span.end) = (max(span.start, range.lowerBound), min(span.end, range.upperBound))
            return span
        }
    }

    /// Looks lie a period apart, the last half a period before the end.
    private func wasSeen(_ wait: Report.Timeline.Span, in range: Range<UInt64>) -> Bool {
        let period = max(timeline.waitPeriod, 1)
        var look = wait.end - min(wait.end, period / 2)
        if look >= range.upperBound { look -= min(look, (look - range.upperBound) / period * period + period) }
        return look >= range.lowerBound && look >= wait.start
    }
}
