/// What the template of the probes is filled with.
struct ProbesView {
    private static let logLimit = 200

    let report: Report
    let names: ShortNames
    let limits: PageLimits

    /// Nil when the program said nothing of itself.
    init?(_ report: Report, names: ShortNames, limits: PageLimits) {
        let parts: [Any?] = [
            report.probes, report.probeEvents, report.counters, report.frames, report.generations, report.log,
        ]
        guard parts.contains(where: { $0 != nil }) else { return nil }
        self.report = report
        self.names = names
        self.limits = limits
    }

    var values: [String: Any] {
        [
            "counts": report.countsAllocations,
            "frames": (report.frames ?? []).prefix(limits.objectTypes).map(frames),
            "tables": [probes, counters, events].compactMap { $0 } + generations,
            "log": optional(log),
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private var probes: [String: Any]? {
        report.probes.map { probes in
            table(
                "Intervals", "probe",
                ["count", "total", "min", "p50", "p95", "p99", "max"]
                    + (report.countsAllocations ? ["allocations", "bytes"] : []) + ["open"], probes
            ) { probe in
                (
                    probe.name,
                    Self.cells(probe.durations) + cells(probe.allocations, probe.bytes) + [Self.cell(probe.open)]
                )
            }
        }
    }

    private var counters: [String: Any]? {
        report.counters.map { counters in
            table("Counters", "counter", ["count", "min", "max", "last"], counters) { counter in
                (
                    counter.name,
                    [Self.cell(counter.count)]
                        + [counter.min, counter.max, counter.last].map { ($0, Quantity.number($0)) }
                )
            }
        }
    }

    private var events: [String: Any]? {
        report.probeEvents.map { events in
            table("Events", "event", ["count"], events) { ($0.name, [Self.cell($0.count)]) }
        }
    }

    private var generations: [[String: Any]] {
        (report.generations ?? []).prefix(limits.objectTypes).map { generation in
            table(
                clean("Born after “\(generation.name)” and still alive"), "type", ["blocks", "bytes"],
                generation.byType
            ) { row in
                (
                    names[row.type],
                    [Self.cell(row.liveCount), (Double(row.liveBytes), Quantity.bytes(row.liveBytes))]
                )
            }
        }
    }

    private func table<Row>(
        _ heading: String, _ first: String, _ columns: [String], _ rows: [Row],
        _ row: (Row) -> (name: String, cells: [(Double, String)])
    ) -> [String: Any] {
        let shown = rows.prefix(limits.allocationRows).map { value -> [String: Any] in
            let (name, cells) = row(value)
            return ["name": clean(name), "cells": Self.values(cells)]
        }
        let more = rows.count - shown.count
        return [
            "heading": heading, "first": first, "columns": columns, "rows": shown,
            "more": optional(more > 0 ? "\(Quantity.count(more)) more stand in the JSON report." : nil),
        ]
    }

    private func frames(_ loop: Report.FrameLoop) -> [String: Any] {
        let durations = loop.durations
        let rate = Double(durations.count) / (Double(max(durations.total, 1)) / 1e9)
        let figures: [(String, String)] = [
            ("frames", Quantity.count(durations.count)), ("per second", Quantity.fixed(rate, 1)),
            ("p50", Quantity.nanoseconds(durations.p50)), ("p95", Quantity.nanoseconds(durations.p95)),
            ("p99", Quantity.nanoseconds(durations.p99)), ("longest", Quantity.nanoseconds(durations.max)),
        ]
        return [
            "name": clean(loop.name), "figures": figures.map { ["name": $0.0, "value": $0.1] },
            "rows": loop.slowest.prefix(limits.allocationRows).map(frame),
        ]
    }

    private func frame(_ frame: Report.Frame) -> [String: Any] {
        let probes = frame.probes.prefix(6).map {
            clean("\($0.name) \(Quantity.nanoseconds($0.nanoseconds))" + ($0.count > 1 ? " in \($0.count)" : ""))
        }
        let cells = [
            (frame.seconds, Quantity.seconds(frame.seconds)),
            (Double(frame.nanoseconds), Quantity.nanoseconds(frame.nanoseconds)),
        ]
        return [
            "name": Quantity.count(frame.number), "probes": probes, "filter": probes.joined(separator: " "),
            "cells": Self.values(cells + self.cells(frame.allocations, frame.bytes)),
        ]
    }

    private var log: [String: Any]? {
        report.log.map { log in
            let rows = log.prefix(Self.logLimit).map { line in
                [
                    "time": Quantity.fixed(line.seconds, 6), "thread": clean(line.thread),
                    "message": clean(line.message),
                    "place": clean(SourcePlace.short(file: line.file, line: line.line) ?? ""),
                ]
            }
            let more = log.count - rows.count
            return [
                "rows": rows,
                "more": optional(more > 0 ? "\(Quantity.count(more)) more lines stand in the JSON report." : nil),
            ]
        }
    }

    /// None where allocations were not recorded.
    private func cells(_ allocations: UInt64, _ bytes: UInt64) -> [(Double, String)] {
        report.countsAllocations ? [Self.cell(allocations), (Double(bytes), Quantity.bytes(bytes))] : []
    }

    private static func cells(_ durations: Report.Durations) -> [(Double, String)] {
        [cell(durations.count)]
            + [durations.total, durations.min, durations.p50, durations.p95, durations.p99, durations.max]
            .map { (Double($0), Quantity.nanoseconds($0)) }
    }

    private static func cell(_ count: UInt64) -> (Double, String) { (Double(count), Quantity.count(count)) }

    private static func values(_ cells: [(Double, String)]) -> [[String: Any]] {
        cells.map { ["value": Quantity.number($0.0), "text": $0.1] }
    }
}
