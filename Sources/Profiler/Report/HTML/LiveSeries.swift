import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofTrace

/// The tracks of a running program, and the figures above them.
struct LiveSeries {
    private let recording: LiveRecording
    private let timeline: LiveTimeline
    private let seconds: Double
    /// Parts that the figures of the last second are of; the last part is not over.
    private let recent: Range<Int>
    private let live: [Double]
    private let threads: [(id: ThreadID, values: [Double])]

    init(_ recording: LiveRecording) {
        self.recording = recording
        timeline = recording.timeline
        seconds = Double(timeline.width) / 1e9
        let end = max(0, timeline.count - 1)
        recent = max(0, end - max(1, Int((1 / seconds).rounded())))..<end
        live = Self.live(timeline, atTheEnds: recording.liveBytesAtTheEnds)
        threads = timeline.tracks.compactMap { [timeline] track in
            guard case .cpu(let id) = track else { return nil }
            return (id, Self.padded(timeline.values(of: track), timeline.count))
        }
    }

    /// Bytes at the end of each part.
    private static func live(_ timeline: LiveTimeline, atTheEnds: Double) -> [Double] {
        let allocated = padded(timeline.values(of: .allocated), timeline.count)
        let freed = padded(timeline.values(of: .freed), timeline.count)
        var sum = 0.0
        var result = zip(allocated, freed).map { made, gone in
            sum += made - gone
            return max(0, sum.rounded())
        }
        if let last = result.last { result[result.count - 1] = last + atTheEnds.rounded() }
        return result
    }

    private static func padded(_ values: [Double], _ count: Int) -> [Double] {
        values + [Double](repeating: 0, count: max(0, count - values.count))
    }

    private func values(_ track: LiveTimeline.Track) -> [Double] {
        Self.padded(timeline.values(of: track), timeline.count)
    }

    private var hasBlocks: Bool { timeline.tracks.contains(.allocations) }

    private var loops: [(name: String, loop: LiveProbes.Loop)] {
        recording.probes.loops.sorted { $0.key < $1.key }.filter { $0.value.lengths.count > 0 }
            .map { (name: $0.key, loop: $0.value) }
    }

    private func budget(_ loop: LiveProbes.Loop) -> UInt64 {
        FrameBudget.nanoseconds(loop.lengths.percentiles([0.5]))
    }

    // MARK: - Tracks

    func tracks(from part: Int) -> [LiveMoment.Track] {
        var result = loops.map { name, loop in
            LiveMoment.Track(
                id: "frames " + name, name: loops.count > 1 || name != "frame" ? "frames: " + name : "frames",
                kind: .frames,
                values: values(.longestFrame(name)).map { ($0 / 1e4).rounded() / 100 },
                budget: Double(budget(loop)) / 1e6)
        }
        result.append(LiveMoment.Track(id: "resident", name: "resident memory", kind: .level, values: resident))
        if hasBlocks {
            result.append(LiveMoment.Track(id: "live", name: "live memory", kind: .level, values: live))
            result.append(
                LiveMoment.Track(
                    id: "allocations", name: "allocations", kind: .rate,
                    values: values(.allocations).map { ($0 / seconds).rounded() }))
        }
        let titles = ThreadTitles.of(recording.threadNames, program: recording.program)
        // The recorder's own.
        result += threads.filter { titles[$0.id] != "gameprof" }.map { id, values in
            LiveMoment.Track(
                id: "cpu \(id)", name: "CPU: " + name(of: id, titles), kind: .share,
                values: values.map { LiveMoment.rounded($0 / 1e9 / seconds) })
        }
        return result.map { track in
            var track = track
            track.name = PageText.clean(track.name, limit: 80)
            track.values = Array(track.values.dropFirst(part))
            return track
        }
    }

    private func name(of thread: ThreadID, _ titles: [ThreadID: String]) -> String {
        if thread.isNone { return "other threads" }
        if UInt64(thread.rawValue) == recording.program?.pid { return "main" }
        let title = titles[thread] ?? "\(thread)"
        return title.allSatisfy(\.isNumber) ? "thread \(title)" : title
    }

    /// The highest of each part, or that of the part before, where nobody looked.
    private var resident: [Double] {
        var last = 0.0
        return values(.resident).map { value in
            if value > 0 { last = value }
            return last
        }
    }

    // MARK: - Figures

    var figures: [LiveMoment.Figure] {
        var result: [LiveMoment.Figure] = []
        func add(_ name: String, _ value: String) { result.append(LiveMoment.Figure(name: name, value: value)) }
        for (name, loop) in loops {
            let prefix = loops.count > 1 ? name + ": " : ""
            let count = values(.frames(name))[recent].reduce(0, +)
            add(prefix + "frames a second", NumberFormat.fixed(count / max(length, 1e-9), 1))
            add(prefix + "p99 of a frame", NumberFormat.nanoseconds(loop.took.percentiles([0.99])[0]))
            add(
                prefix + "over \(NumberFormat.nanoseconds(budget(loop)))",
                NumberFormat.count(loop.took.count(above: budget(loop))))
        }
        if let bytes = resident.last, bytes > 0 { add("resident memory", NumberFormat.bytes(UInt64(bytes))) }
        if hasBlocks {
            let about = recording.isSampled ? "about " : ""
            add("live memory", about + NumberFormat.bytes(UInt64(live.last ?? 0)))
            let count = values(.allocations)[recent].reduce(0, +) / max(length, 1e-9)
            add("allocations a second", about + NumberFormat.count(UInt64(count.rounded())))
        }
        if !threads.isEmpty {
            let time = threads.reduce(0) { $0 + $1.values[recent].reduce(0, +) }
            add("CPU", NumberFormat.fixed(time / 1e7 / max(length, 1e-9), 0) + " %")
        }
        return result
    }

    /// Seconds of the recent parts.
    private var length: Double { Double(recent.count) * seconds }
}
