import GameprofAnalysis
import GameprofBasics

/// The probes, frames and counters of a text report; allocations where they were recorded.
enum TextProbes {
    private static let limit = 20
    private static let frameLimit = 5
    private static let steadyLimit = 8
    private static let columns = ["count", "total", "min", "p50", "p95", "p99", "max"]

    static func lines(_ report: Report, names: ShortNames, style: TextStyle) -> [String] {
        var lines: [String] = []
        let counts = report.countsAllocations
        for (index, loop) in (report.frames ?? []).enumerated() {
            let loops = report.timeline.loops
            let rhythm = loops.indices.contains(index) ? FrameRhythm(loops[index]) : nil
            lines += frames(loop, rhythm: rhythm, counts, style: style)
            lines += steady(loop, names: names, style: style) + [""]
        }
        if let probes = report.probes { lines += intervals(probes, counts, style: style) + [""] }
        if let counters = report.counters { lines += values(counters, style: style) + [""] }
        if let events = report.probeEvents {
            lines +=
                events.prefix(limit).map { event in
                    "\(TextTable.right(NumberFormat.count(event.count), 9)) × \(PlainText.clean(event.name))"
                } + more(events.count, "event") + [""]
        }
        return lines
    }

    private static func intervals(_ probes: [Report.Probe], _ counts: Bool, style: TextStyle) -> [String] {
        let columns = columns + (counts ? ["allocations"] : [])
        let room = max(12, style.width - columns.count * 12)
        var lines = [style.paint(TextTable.left("probe", room) + row(columns), .bold)]
        lines += probes.prefix(limit).map { probe in
            let name = TextTable.cut(PlainText.clean(probe.name), room - 1)
            let open = probe.open > 0 ? "  \(NumberFormat.count(probe.open)) never ended" : ""
            let allocations = counts ? [NumberFormat.count(probe.allocations)] : []
            return TextTable.left(name, room) + row(figures(probe.durations) + allocations) + open
        }
        return lines + more(probes.count, "probe")
    }

    private static func figures(_ durations: Durations) -> [String] {
        [NumberFormat.count(durations.count)]
            + [durations.total, durations.min, durations.p50, durations.p95, durations.p99, durations.max]
            .map(NumberFormat.nanoseconds)
    }

    private static func row(_ cells: [String]) -> String { cells.map { TextTable.right($0, 12) }.joined() }

    private static func frames(
        _ loop: Report.FrameLoop, rhythm: FrameRhythm?, _ counts: Bool, style: TextStyle
    ) -> [String] {
        let durations = loop.durations
        guard durations.count > 0 else { return [] }
        let rate = Double(durations.count) / (Double(max(durations.total, 1)) / 1e9)
        var lines = [
            style.paint("\(PlainText.clean(loop.name)): \(NumberFormat.count(durations.count, "frame"))", .bold)
                + " · \(NumberFormat.fixed(rate, 1)) per second · \(loop.work == nil ? "" : "whole frames: ")p50 \(NumberFormat.frame(durations.p50))"
                + " · p95 \(NumberFormat.frame(durations.p95)) · p99 \(NumberFormat.frame(durations.p99))"
                + " · longest \(NumberFormat.frame(durations.max))"
        ]
        if let work = loop.work {
            lines.append(
                "  work without waiting for the screen or a processor: p50 \(NumberFormat.frame(work.p50))"
                    + " · p95 \(NumberFormat.frame(work.p95)) · p99 \(NumberFormat.frame(work.p99))"
                    + " · most \(NumberFormat.frame(work.max))")
        }
        if let rhythm { lines += TextTable.wrap(rhythm.sentence, first: "  ", rest: "    ", width: style.width) }
        for (place, frame) in loop.slowest.prefix(frameLimit).enumerated() {
            let probes = frame.probes.prefix(3).map { FrameExcessText.interval($0, clean: PlainText.clean) }
            let parts =
                [
                    "frame \(NumberFormat.count(frame.number)) at \(NumberFormat.seconds(frame.seconds))",
                    "took \(NumberFormat.frame(frame.took))",
                ]
                + (counts
                    ? ["\(NumberFormat.count(frame.allocations, "allocation")) (\(NumberFormat.bytes(frame.bytes)))"]
                    : [])
                + (probes.isEmpty ? [] : [probes.joined(separator: ", ")])
            lines.append("  " + TextTable.cut(parts.joined(separator: " · "), max(20, style.width - 2)))
            guard place == 0 || rhythm?.contains(frame) != true else { continue }
            if let sentence = FrameExcessText.explanation(frame, of: loop, clean: PlainText.clean) {
                lines += TextTable.wrap(sentence, first: "    ", rest: "      ", width: style.width)
            }
        }
        return lines
    }

    private static func steady(_ loop: Report.FrameLoop, names: ShortNames, style: TextStyle) -> [String] {
        let rows = SteadyRows.rows(loop, names: names)
        guard !rows.isEmpty else { return [] }
        let usual = loop.usualAllocations.map { ": \(NumberFormat.count($0)) in the median frame" } ?? ""
        var lines = [style.paint("  Allocations in steady frames\(usual)", .bold)]
        lines += rows.prefix(steadyLimit).map { row in
            TextTable.right(NumberFormat.fixed(row.allocations, 1), 11)
                + TextTable.right(NumberFormat.bytes(row.bytes), 10) + " a frame  "
                + TextTable.cut(PlainText.clean(row.name), max(20, style.width - 32))
        }
        let more = rows.count - steadyLimit
        return lines + (more > 0 ? ["  … \(NumberFormat.count(more, "more row"))"] : [])
    }

    private static func values(_ counters: [Report.Counter], style: TextStyle) -> [String] {
        let room = max(12, style.width - 48)
        var lines = [style.paint(TextTable.left("counter", room) + row(["count", "min", "max", "last"]), .bold)]
        lines += counters.prefix(limit).map { counter in
            TextTable.left(TextTable.cut(PlainText.clean(counter.name), room - 1), room)
                + row(
                    [NumberFormat.count(counter.count)]
                        + [counter.min, counter.max, counter.last].map(NumberFormat.number))
        }
        return lines + more(counters.count, "counter")
    }

    private static func more(_ count: Int, _ noun: String) -> [String] {
        count > limit ? ["… \(NumberFormat.count(count - limit, "more \(noun)"))"] : []
    }
}
