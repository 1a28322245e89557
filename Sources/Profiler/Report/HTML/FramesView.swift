import GameprofAnalysis
import GameprofBasics

/// What the template of the frames is filled with: figures, the slowest ones and why they were, and what the page's script draws.
struct FramesView {
    /// Bars of the histogram, each a tenth of the budget; the last has all that is longer.
    private static let bins = 31

    let report: Report
    let limits: PageLimits
    /// The page's first line, which no section repeats.
    let headline: String

    /// Nil: there are no frames.
    var values: [String: Any]? {
        guard let frames = report.frames, !frames.isEmpty else { return nil }
        let loops = frames.prefix(limits.objectTypes)
        return [
            "counts": report.countsAllocations, "hasSeveral": loops.count > 1,
            "loops": loops.enumerated().map { loop($0.offset, $0.element) },
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private func loop(_ number: Int, _ loop: Report.FrameLoop) -> [String: Any] {
        let durations = loop.limited
        let rate = Double(durations.count) / (Double(max(loop.durations.total, 1)) / 1e9)
        let timeline = report.timeline.loops.indices.contains(number) ? report.timeline.loops[number] : nil
        let (work, longest) = loop.work == nil ? ("", "longest") : ("work ", "most work")
        let figures: [(String, String)] = [
            ("frames", NumberFormat.count(durations.count)), ("per second", NumberFormat.fixed(rate, 1)),
            (work + "p50", NumberFormat.frame(durations.p50)), (work + "p95", NumberFormat.frame(durations.p95)),
            (work + "p99", NumberFormat.frame(durations.p99)), (longest, NumberFormat.frame(durations.max)),
        ]
        let rhythm = timeline.flatMap { FrameRhythm($0) }
        let rows = loop.slowest.prefix(limits.allocationRows).enumerated().map { place, one in
            frame(one, of: loop, isExplained: place == 0 || rhythm?.contains(one) != true)
        }
        let explained = loop.slowest.first.flatMap { FrameExcessText.explanation($0, of: loop, clean: clean) }
        return [
            "loop": number, "name": clean(loop.name),
            "explained": optional(explained.flatMap { headline.contains($0) ? nil : $0 }),
            "isPaced": loop.work != nil, "rhythm": optional(rhythm?.sentence),
            "figures": figures.map { ["name": $0.0, "value": $0.1] }, "hasCharts": timeline != nil,
            "rates": [240, 144, 120, 90, 60, 30].map { ["rate": "\($0)", "seconds": "\(1 / Double($0))"] },
            "histogram": timeline.map(histogram) ?? [],
            "ticks": timeline.map { loop in
                (0...3).map { NumberFormat.frame(UInt64($0) * loop.budget) }
            } ?? [],
        ].merging(FoldedTable.values(id: "frames-\(number)", rows: rows, noun: "frames")) { $1 }
    }

    private func frame(_ frame: Report.Frame, of loop: Report.FrameLoop, isExplained: Bool) -> [String: Any] {
        let probes = frame.probes.prefix(6).map {
            FrameExcessText.interval($0, clean: clean) + ($0.count > 1 ? " in \($0.count)" : "")
        }
        let why = isExplained ? FrameExcessText.explanation(frame, of: loop, clean: clean) : nil
        var cells = [
            (frame.seconds, NumberFormat.seconds(frame.seconds)),
            (Double(frame.took), NumberFormat.frame(frame.took)),
        ]
        if report.countsAllocations {
            cells += [
                (Double(frame.allocations), NumberFormat.count(frame.allocations)),
                (Double(frame.bytes), NumberFormat.bytes(frame.bytes)),
            ]
        }
        let end = frame.seconds + Double(frame.nanoseconds) / 1e9
        return [
            "from": "\(frame.seconds)", "to": "\(end)", "hasSamples": report.hotspots != nil,
            "hasAllocations": report.allocations != nil, "number": "\(frame.number)",
            "name": NumberFormat.count(frame.number), "probes": why == nil ? probes : [],
            "filter": (probes + [why ?? ""]).joined(separator: " "), "why": optional(why),
            "cells": cells.map { ["value": NumberFormat.number($0.0), "text": $0.1] },
        ]
    }

    private func histogram(_ loop: Report.Timeline.Loop) -> [[String: Any]] {
        let width = max(loop.budget / 10, 1)
        var counts = [Int](repeating: 0, count: Self.bins)
        for frame in loop.frames {
            counts[Int(min((frame.work &+ frame.processor) / width, UInt64(Self.bins - 1)))] += 1
        }
        let most = Double(counts.max() ?? 1)
        return counts.enumerated().map { bin, count in
            let from = UInt64(bin) * width
            let range =
                bin == Self.bins - 1
                ? "\(NumberFormat.frame(from)) or more"
                : "\(NumberFormat.frame(from)) to \(NumberFormat.frame(from + width))"
            // A single frame among thousands is seen.
            let height = count == 0 ? 0 : max(0.6, Double(count) / most * 20)
            return [
                "x": bin, "y": NumberFormat.fixed(20 - height, 2), "height": NumberFormat.fixed(height, 2),
                "from": "\(Double(from) / 1e9)", "title": "\(range): \(NumberFormat.count(count, "frame"))",
                "isLate": bin >= 10,
            ]
        }
    }
}
