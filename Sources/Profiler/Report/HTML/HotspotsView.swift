import GameprofAnalysis
import GameprofBasics

/// What the template of the time part is filled with.
struct HotspotsView {
    let hotspots: Report.Hotspots
    let limits: PageLimits
    let sources: SourceLines

    var values: [String: Any] {
        let panels = panels
        return [
            "totals": totals, "panels": panels, "hasTabs": panels.count > 1,
            "empty": optional(
                hotspots.samples == 0
                    ? "There are no samples, because the program used less CPU time than one sampling period." : nil),
            "hasThreads": hotspots.threads.count > 1,
            "threads": hotspots.threads.prefix(limits.threads).map { thread in
                ["name": PageText.clean(thread.name, limit: 60), "cpu": NumberFormat.seconds(thread.cpuSeconds)]
            },
            "hasWork": hotspots.work != nil, "work": (hotspots.work ?? []).prefix(limits.threads).map(row),
            "moreWork": optional(moreWork),
        ]
    }

    // MARK: - Panels

    /// Computing and waiting, each with its graph and its functions.
    private var panels: [[String: Any]] {
        var panels: [[String: Any]] = []
        if !hotspots.functions.isEmpty || hasNodes("cpu") {
            let table = table("cpu", "Functions", hotspots.functions, omitted: hotspots.omittedFunctions) {
                "\(NumberFormat.fixed($0 * 100, 1)) %"
            }
            panels.append(
                panel(
                    "cpu", title: "CPU time", table: table,
                    hint: "Every box is a function. Its width is the time spent in the function and its callees."))
        }
        if let waits = hotspots.offCPU, !waits.isEmpty || hasNodes("waiting") {
            let longest = max(waits.map(\.total).max() ?? 0, 1e-9)
            let table = table(
                "waiting", "Waiting", waits, omitted: hotspots.omittedWaits ?? 0, unit: longest, NumberFormat.seconds)
            panels.append(
                panel(
                    "waiting", title: "Waiting", table: table,
                    hint:
                        "Every box is a function. Its width is the time that threads waited in the function and its "
                        + "callees."
                ))
        }
        return panels
    }

    private func hasNodes(_ kind: String) -> Bool { hotspots.callTree.roots.contains { $0.kind == kind } }

    private func panel(_ kind: String, title: String, table: [String: Any], hint: String) -> [String: Any] {
        let data = FlameData(
            hotspots.callTree, kind: kind, nodeLimit: limits.flameNodes, momentLimit: limits.moments / 2,
            textLength: limits.textLength)
        let hasFlame = data.nodes.contains { $0[0] >= 0 }
        let values: [String: Any] = ["kind": kind, "panelTitle": title, "hasFlame": hasFlame, "table": table]
        return hasFlame ? values.merging(FlameView(data: data, hint: hint).values) { $1 } : values
    }

    private var totals: [[String: Any]] {
        var rows = [
            ("CPU time", NumberFormat.seconds(hotspots.cpuSeconds)), ("samples", NumberFormat.count(hotspots.samples)),
            ("lost", NumberFormat.count(hotspots.lost)), ("rate", "\(NumberFormat.fixed(hotspots.rate, 0)) a second"),
        ]
        if let idle = hotspots.idleSeconds, idle > 0 {
            rows.append(("idle threads waited", NumberFormat.seconds(idle)))
        }
        if hotspots.systemSeconds > 0 { rows.append(("in the kernel", NumberFormat.seconds(hotspots.systemSeconds))) }
        return rows.map { ["name": $0.0, "value": $0.1] }
    }

    // MARK: - Functions

    private func table(
        _ kind: String, _ heading: String, _ rows: [Report.Hotspots.FunctionRow], omitted: Int, unit: Double = 1,
        _ text: @escaping (Double) -> String
    ) -> [String: Any] {
        let shown = rows.prefix(limits.allocationRows)
        let listed = SourceListing.shown(
            own: shown.map(\.own), total: shown.map(\.total), limit: limits.sourceFunctions)
        let more = rows.count - shown.count + omitted
        let values = shown.enumerated().map { index, row in
            let name = PageText.clean(FunctionName.display(row.function), limit: limits.textLength)
            let listing = listed.contains(index) ? self.listing(row, text) : nil
            return [
                "name": name, "module": FlameData.module(row.module),
                "filter": PageText.clean("\(row.function) \(row.module)", limit: 2 * limits.textLength),
                "place": PageText.clean(SourceLocation.short(file: row.file, line: row.line) ?? row.module, limit: 80),
                "link": optional(limits.editor?.link(file: row.file, line: row.line)),
                "reasons": optional(
                    row.waitsFor == nil ? nil : PageText.clean(WaitText.reasons(row), limit: 80)),
                "callers": optional(
                    row.callers.isEmpty
                        ? nil
                        : PageText.clean(
                            row.callers.map(FunctionName.display).joined(separator: " ← "),
                            limit: 2 * limits.textLength)),
                "listing": optional(listing?.values),
                "cells": [row.own, row.total].map {
                    ["value": "\($0)", "text": text($0), "bar": NumberFormat.fixed(100 * $0 / unit, 1)]
                },
            ] as [String: Any]
        }
        let note = more > 0 ? "\(NumberFormat.are(more, "more function")) not listed." : nil
        return [
            "heading": heading, "kind": kind,
            "columns": [["name": "self", "isSorted": true], ["name": "total", "isSorted": false]],
        ].merging(
            FoldedTable.values(id: "functions-\(kind)", rows: values, noun: "functions", more: note)
        ) { $1 }
    }

    private func listing(
        _ row: Report.Hotspots.FunctionRow, _ text: @escaping (Double) -> String
    ) -> SourceListing {
        func time(_ name: String, _ value: @escaping (Report.LineRow) -> Double?) -> SourceListing.Column {
            .init(name: name) { line in value(line).flatMap { $0 > 0 ? text($0) : nil } ?? "" }
        }
        return SourceListing(
            lines: row.lines, file: row.file,
            columns: [time("self", \.own), time("total", \.total)] + SourceListing.Column.allocations,
            own: { $0.own ?? 0 }, total: { $0.total ?? 0 }, sources: sources, limits: limits)
    }

    // MARK: - Queues and tasks

    private var moreWork: String? {
        let more = max(0, (hotspots.work?.count ?? 0) - limits.threads) + (hotspots.omittedWork ?? 0)
        let noun = more == 1 ? "queue or task is" : "queues and tasks are"
        return more > 0 ? "\(NumberFormat.count(more)) more \(noun) not listed." : nil
    }

    private func row(_ work: Report.Hotspots.ExecutionContextRow) -> [String: Any] {
        [
            "name": PageText.clean(work.name, limit: 60), "kind": work.kind.rawValue,
            "cpu": NumberFormat.seconds(work.cpuSeconds), "share": "\(NumberFormat.fixed(work.share * 100, 1)) %",
            "bar": NumberFormat.fixed(work.share * 100, 1),
        ]
    }
}
