/// What the template of the time part is filled with.
struct HotspotsView {
    let hotspots: Report.Hotspots
    let wallSeconds: Double
    let limits: PageLimits
    let sources: SourceLines

    /// Functions that show lines of source.
    private static let sourceRows = 60
    private static let timelineParts = HotspotRows.timelineParts

    var values: [String: Any] {
        let hasFlame = hotspots.callTree.nodes.contains { $0.count == 3 && $0[0] >= 0 }
        let values: [String: Any] = [
            "totals": totals, "hasFlame": hasFlame,
            "empty": optional(
                hotspots.samples == 0
                    ? "No samples: the program used less CPU time than one sampling period." : nil),
            "tables": tables, "hasThreads": hotspots.threads.count > 1, "wall": Quantity.seconds(wallSeconds),
            "threads": hotspots.threads.prefix(limits.threads).map(lane),
            "hasWork": hotspots.work != nil, "work": (hotspots.work ?? []).prefix(limits.threads).map(row),
            "moreWork": optional(moreWork),
        ]
        guard hasFlame else { return values }
        let data = FlameData(hotspots.callTree, nodeLimit: limits.flameNodes, textLength: limits.textLength)
        return values.merging(FlameView(data: data).values) { $1 }
    }

    private var totals: [[String: Any]] {
        var rows = [
            ("CPU time", Quantity.seconds(hotspots.cpuSeconds)), ("samples", Quantity.count(hotspots.samples)),
            ("lost", Quantity.count(hotspots.lost)), ("rate", "\(Quantity.fixed(hotspots.rate, 0)) a second"),
        ]
        if let idle = hotspots.idleSeconds, idle > 0 { rows.append(("idle threads waited", Quantity.seconds(idle))) }
        if hotspots.systemSeconds > 0 { rows.append(("in the kernel", Quantity.seconds(hotspots.systemSeconds))) }
        return rows.map { ["name": $0.0, "value": $0.1] }
    }

    // MARK: - Functions

    private var tables: [[String: Any]] {
        var tables: [[String: Any]] = []
        if !hotspots.functions.isEmpty {
            tables.append(
                table("Functions", hotspots.functions, omitted: hotspots.omittedFunctions) {
                    "\(Quantity.fixed($0 * 100, 1)) %"
                })
        }
        if let waits = hotspots.offCPU, !waits.isEmpty {
            let longest = max(waits.map(\.total).max() ?? 0, 1e-9)
            tables.append(
                table("Waiting", waits, omitted: hotspots.omittedWaits ?? 0, unit: longest, Quantity.seconds))
        }
        return tables
    }

    private func table(
        _ heading: String, _ rows: [Report.Hotspots.FunctionRow], omitted: Int, unit: Double = 1,
        _ text: (Double) -> String
    ) -> [String: Any] {
        let shown = rows.prefix(limits.allocationRows)
        let more = rows.count - shown.count + omitted
        return [
            "heading": heading,
            "rows": shown.enumerated().map { index, row in
                let name = PageText.clean(FunctionName.display(row.function), limit: limits.textLength)
                let lines = index < Self.sourceRows ? lines(of: row, text) : []
                return [
                    "name": name,
                    "filter": PageText.clean("\(row.function) \(row.module)", limit: 2 * limits.textLength),
                    "place": PageText.clean(SourcePlace.short(file: row.file, line: row.line) ?? row.module, limit: 80)
                        + (row.waitsFor == nil ? "" : " · \(PageText.clean(WaitText.reasons(row), limit: 80))"),
                    "callers": optional(
                        row.callers.isEmpty
                            ? nil
                            : PageText.clean(
                                row.callers.map(FunctionName.display).joined(separator: " ← "),
                                limit: 2 * limits.textLength)),
                    "hasLines": !lines.isEmpty, "lines": lines,
                    "cells": [row.own, row.total].map {
                        ["value": "\($0)", "text": text($0), "bar": Quantity.fixed(100 * $0 / unit, 1)]
                    },
                ] as [String: Any]
            },
            "more": optional(more > 0 ? "\(Quantity.count(more)) more functions stand in no list." : nil),
        ]
    }

    private func lines(of row: Report.Hotspots.FunctionRow, _ text: (Double) -> String) -> [[String: Any]] {
        row.lines.map { line in
            [
                "own": text(line.own > 0 ? line.own : line.total), "line": "\(line.line)",
                "source": PageText.clean(sources.line(line.line, of: row.file) ?? "", limit: limits.textLength),
            ]
        }
    }

    // MARK: - Queues and tasks

    private var moreWork: String? {
        let more = max(0, (hotspots.work?.count ?? 0) - limits.threads) + (hotspots.omittedWork ?? 0)
        let noun = more == 1 ? "queue or task stands" : "queues and tasks stand"
        return more > 0 ? "\(Quantity.count(more)) more \(noun) in no list." : nil
    }

    private func row(_ work: Report.Hotspots.WorkRow) -> [String: Any] {
        [
            "name": PageText.clean(work.name, limit: 60), "kind": work.kind.rawValue,
            "cpu": Quantity.seconds(work.cpuSeconds), "share": "\(Quantity.fixed(work.share * 100, 1)) %",
            "bar": Quantity.fixed(work.share * 100, 1),
        ]
    }

    // MARK: - Threads

    /// A thread's bar over time: as high as the share of each part that it computed.
    private func lane(_ thread: Report.Hotspots.ThreadRow) -> [String: Any] {
        let part = max(wallSeconds / Double(Self.timelineParts), 1e-9)
        let bars = thread.timeline.enumerated().filter { $0.element > 0 }.map { index, busy in
            let height = min(1, busy / part) * 10
            return "M\(index) 10v-\(Quantity.fixed(height, 1))h1V10z"
        }
        let name = PageText.clean(thread.name, limit: 60)
        return [
            "name": name, "cpu": Quantity.seconds(thread.cpuSeconds), "parts": "\(Self.timelineParts)",
            "path": bars.joined(), "title": "\(name): \(Quantity.seconds(thread.cpuSeconds)) of CPU time",
        ]
    }
}
