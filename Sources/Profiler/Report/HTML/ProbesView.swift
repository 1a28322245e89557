import GameprofAnalysis
import GameprofBasics

/// What the template of the probes is filled with.
struct ProbesView {
    private static let logLimit = 200

    let report: Report
    let names: ShortNames
    let limits: PageLimits

    /// Nil when the program said nothing of itself.
    init?(_ report: Report, names: ShortNames, limits: PageLimits) {
        let parts: [Any?] = [
            report.probes, report.probeEvents, report.counters, report.frames?.first { $0.steady != nil },
            report.generations, report.log,
        ]
        guard parts.contains(where: { $0 != nil }) else { return nil }
        self.report = report
        self.names = names
        self.limits = limits
    }

    var values: [String: Any] {
        [
            "tables": (steady + [probes, counters, events].compactMap { $0 } + generations)
                .enumerated().map {
                    index, table in
                    table.merging(["tableID": "probes-\(index)"]) { $1 }
                },
            "log": optional(log),
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private var steady: [[String: Any]] {
        (report.frames ?? []).prefix(limits.objectTypes).filter { $0.steady != nil }.map { loop in
            table(
                clean("Allocations in steady frames: \(loop.name)"), "type", ["a frame", "bytes a frame"],
                SteadyRows.rows(loop, names: names)
            ) { row in
                (
                    row.name,
                    [
                        (row.allocations, NumberFormat.number(row.allocations)),
                        (Double(row.bytes), NumberFormat.bytes(row.bytes)),
                    ]
                )
            }
        }
    }

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
                        + [counter.min, counter.max, counter.last].map { ($0, NumberFormat.number($0)) }
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
                clean("Allocated after “\(generation.name)” and still live"), "type", ["blocks", "bytes"],
                generation.byType
            ) { row in
                (
                    names[row.type],
                    [Self.cell(row.liveCount), (Double(row.liveBytes), NumberFormat.bytes(row.liveBytes))]
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
        let note = more > 0 ? "\(NumberFormat.count(more)) more are in the JSON report." : nil
        return ["heading": heading, "first": first, "columns": columns].merging(
            FoldedTable.values(id: "", rows: shown, noun: "rows", more: note)
        ) { $1 }
    }

    private var log: [String: Any]? {
        report.log.map { log in
            let rows = log.prefix(Self.logLimit).map { line in
                [
                    "time": NumberFormat.fixed(line.seconds, 6), "thread": clean(line.thread),
                    "message": clean(line.message),
                    "place": clean(SourceLocation.short(file: line.file, line: line.line) ?? ""),
                    "link": optional(limits.editor?.link(file: line.file, line: line.line)),
                ]
            }
            let more = log.count - rows.count
            return [
                "rows": rows,
                "more": optional(more > 0 ? "\(NumberFormat.are(more, "more line")) in the JSON report." : nil),
            ]
        }
    }

    /// None where allocations were not recorded.
    private func cells(_ allocations: UInt64, _ bytes: UInt64) -> [(Double, String)] {
        report.countsAllocations ? [Self.cell(allocations), (Double(bytes), NumberFormat.bytes(bytes))] : []
    }

    private static func cells(_ durations: Durations) -> [(Double, String)] {
        [cell(durations.count)]
            + [durations.total, durations.min, durations.p50, durations.p95, durations.p99, durations.max]
            .map { (Double($0), NumberFormat.nanoseconds($0)) }
    }

    private static func cell(_ count: UInt64) -> (Double, String) { (Double(count), NumberFormat.count(count)) }

    private static func values(_ cells: [(Double, String)]) -> [[String: Any]] {
        cells.map { ["value": NumberFormat.number($0.0), "text": $0.1] }
    }
}
