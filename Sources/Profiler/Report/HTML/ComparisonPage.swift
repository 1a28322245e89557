import GameprofAnalysis
import GameprofBasics

/// A comparison as one page: the stacks of both recordings laid over each other, and what changed, function by function.
public enum ComparisonPage {
    private static let rowLimit = 120
    private static let flameNodes = 8_000
    private static let textLength = 200

    /// What several runs of each side show together.
    public struct Runs: Sendable {
        public struct Row: Sendable {
            public var name: String
            /// Before, after, ratio, p.
            public var columns: [String]
            /// Nil: none.
            public var verdict: String?
            public var isWorse: Bool

            public init(name: String, columns: [String], verdict: String?, isWorse: Bool) {
                (self.name, self.columns, self.verdict, self.isWorse) = (name, columns, verdict, isWorse)
            }
        }

        public var heading: String
        public var rows: [Row]

        public init(heading: String, rows: [Row]) { (self.heading, self.rows) = (heading, rows) }
    }

    /// The page as text; it opens from disk, needs no network and is well below two megabytes.
    /// - Parameters:
    ///   - recordings: the reports of both, whose timelines the page shows one above the other.
    ///   - runs: of which these are those in the middle; nil: there is one of each side.
    public static func render(
        _ report: ComparisonReport, of recordings: (before: Report, after: Report)? = nil, runs: Runs? = nil
    ) throws -> String {
        let timelines = recordings.flatMap { ComparedTimelines(before: $0.before, after: $0.after) }
        return try PageTemplates.render(values(report, timelines, runs), as: "comparison")
    }

    private static func values(
        _ report: ComparisonReport, _ timelines: ComparedTimelines?, _ runs: Runs?
    ) -> [String: Any] {
        let weights = [(report.time, "CPU time"), (report.memory, "Memory allocated")].compactMap { weights, title in
            weights.map { (weights: $0, title: title) }
        }
        let data = FlameData(
            weights.map { (tree: $0.weights.tree, label: $0.title, unit: $0.weights.unit) }, nodeLimit: flameNodes,
            textLength: textLength)
        let flame = FlameView(
            data: data, choice: "Compare",
            hint: "Every box is a function. Its width is the mean of both recordings, and its colour shows the change.",
            legend: FlameView.Key.changes)
        let findings = report.leaks ?? []
        let verdict = verdict(report, weights.map(\.weights), runs)
        let page: [String: Any] = [
            "style": text([PageStyle.css, PackageResources.timeline_css, PackageResources.flame_css]),
            "script": text([PackageResources.page_js, PackageResources.timeline_js, PackageResources.flame_js]),
            "lanes": optional(timelines?.values),
            "before": PageText.clean(report.before, limit: textLength),
            "after": PageText.clean(report.after, limit: textLength), "verdict": verdict.sentence,
            "worst": verdict.kind.rawValue, "hasFlame": !weights.isEmpty,
            "notes": report.notes.prefix(20).map { PageText.clean($0) },
            "runs": optional(runs.map { values($0, hasMiddle: timelines != nil) }),
            "areCompared": report.leaks != nil, "hasFindings": !findings.isEmpty,
            "findings": findings.prefix(rowLimit).map(finding),
            "moreFindings": optional(
                findings.count > rowLimit
                    ? "\(NumberFormat.count(findings.count - rowLimit)) more are in the JSON comparison." : nil),
            "hasFigures": !report.figures.isEmpty,
            "figures": report.figures.filter { $0.change != .init() }.map(figure),
            "durations": [
                report.frames.map { durations($0, heading: "Frames", first: "loop") },
                report.probes.map { durations($0, heading: "Intervals", first: "interval") },
            ].compactMap { $0 },
            "tables": weights.map { functions($0.weights, title: $0.title) }
                + (report.types.isEmpty ? [] : [types(report.types)]),
        ]
        return page.merging(flame.values) { $1 }
    }

    private static func values(_ runs: Runs, hasMiddle: Bool) -> [String: Any] {
        [
            "heading": runs.heading, "hasMiddle": hasMiddle,
            "rows": runs.rows.prefix(rowLimit).map { row in
                [
                    "name": PageText.clean(row.name, limit: textLength), "columns": row.columns,
                    "word": row.verdict ?? "no verdict",
                    "color": row.verdict == nil ? "neutral" : row.isWorse ? "warning" : "good",
                ] as [String: Any]
            },
        ]
    }

    private static func finding(_ row: ComparisonReport.FindingRow) -> [String: Any] {
        let worse = row.severity == .error ? PageVerdict.Kind.error : .warning
        let (word, kind): (String, PageVerdict.Kind) =
            if row.count.before == 0 {
                ("new", worse)
            } else if row.count.after == 0 {
                ("gone", .good)
            } else if row.count.difference != 0 {
                row.count.difference > 0 ? ("more", worse) : ("less", .good)
            } else {
                ("as before", .neutral)
            }
        return [
            "word": word, "color": kind.rawValue, "title": PageText.clean(row.title, limit: textLength),
            "counts": "\(NumberFormat.count(row.count.before)) → \(NumberFormat.count(row.count.after))",
            "bytes": "\(NumberFormat.bytes(row.bytes.before)) → \(NumberFormat.bytes(row.bytes.after))",
        ]
    }

    private static func figure(_ figure: ComparisonReport.Figure) -> [String: Any] {
        func amount(_ value: UInt64) -> String { figure.unit.text(Double(value)) }
        let difference = figure.change.difference
        return [
            "name": ComparisonText.name(figure.name), "before": amount(figure.change.before),
            "after": amount(figure.change.after),
            "difference": difference == 0
                ? "–" : "\(ComparisonText.signed(difference, amount)) (\(ComparisonText.percent(figure.change)))",
            "isNoise": figure.isNoise,
            "word": difference == 0
                ? "equal"
                : figure.isSingleRun == true ? ComparisonText.singleRun : figure.isNoise ? "within noise" : "",
            "color": figure.isNoise ? "neutral" : difference > 0 ? "warning" : "good",
        ]
    }

    private static func text(_ parts: [[UInt8]]) -> String {
        parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// New findings, else the figures that changed, else the function that changed most.
    private static func verdict(
        _ report: ComparisonReport, _ weights: [ComparisonReport.Weights], _ runs: Runs?
    ) -> (kind: PageVerdict.Kind, sentence: String) {
        let rows = report.leaks ?? []
        let leaks = rows.filter { $0.severity == .error }
        let warnings = rows.filter { $0.severity != .error }
        func new(_ rows: [ComparisonReport.FindingRow]) -> Int { rows.count { $0.count.difference > 0 } }
        func gone(_ rows: [ComparisonReport.FindingRow]) -> Int { rows.count { $0.count.after == 0 } }
        var parts: [String] = []
        for (rows, noun) in [(leaks, "leak"), (warnings, "warning")] {
            if new(rows) > 0 { parts.append(NumberFormat.count(new(rows), "new or larger \(noun)")) }
            if gone(rows) > 0 { parts.append("\(NumberFormat.count(gone(rows), noun)) gone") }
        }
        let judged = (runs?.rows ?? []).filter { $0.verdict != nil }
        parts += judged.map { "\($0.name) \($0.verdict ?? ""): \($0.columns.prefix(2).joined(separator: " → "))" }
        for loop in report.frames ?? [] where !loop.isNoise {
            let over = loop.overBudget ?? .init()
            parts.append(
                over.difference != 0
                    ? "frames over the budget \(NumberFormat.count(over.before)) → \(NumberFormat.count(over.after))"
                    : "median frame \(ComparisonText.percent(loop.p50))")
        }
        let changed = report.figures.filter {
            [.time, .live, .peak].contains($0.name) && !$0.isNoise && $0.change.difference != 0
        }
        parts += changed.map { "\(ComparisonText.name($0.name)) \(ComparisonText.percent($0.change))" }
        if runs == nil, changed.isEmpty, let first = weights.first,
            let function = first.functions.first(where: { !$0.isNoise && $0.own.difference != 0 })
        {
            let amount = ComparisonText.signed(function.own.difference, amount(first.unit))
            func name(_ text: String) -> String { PageText.clean(FunctionName.display(text), limit: 120) }
            let caller = first.tree.usersCaller(of: function).map { " called by \(name($0))" } ?? ""
            let remark = first.unit == .nanoseconds ? "CPU time has \(ComparisonText.singleRun); most changed: " : ""
            parts.append("\(remark)\(amount) in \(name(function.name))\(caller)")
        }
        let slower = (report.frames ?? []).contains { loop in
            let over = loop.overBudget?.difference ?? 0
            return !loop.isNoise && (over == 0 ? loop.p50.difference : over) > 0
        }
        let grew = slower || judged.contains(where: \.isWorse) || changed.contains { $0.change.difference > 0 }
        let kind: PageVerdict.Kind =
            new(leaks) > 0
            ? .error
            : grew || new(warnings) > 0
                ? .warning : gone(rows) > 0 || !changed.isEmpty || !judged.isEmpty ? .good : .neutral
        let isEqual =
            runs == nil && report.figures.allSatisfy { $0.change.difference == 0 }
            && weights.allSatisfy { $0.functions.allSatisfy { $0.own.difference == 0 && $0.total.difference == 0 } }
        let sentence =
            parts.isEmpty
            ? (isEqual ? "Nothing changed." : "No difference beyond noise")
            : parts.joined(separator: ", ")
        return (kind, sentence.prefix(1).uppercased() + sentence.dropFirst())
    }

    private static func amount(_ unit: ComparisonReport.Unit) -> (UInt64) -> String {
        switch unit {
        case .nanoseconds: ComparisonText.seconds
        case .bytes: NumberFormat.bytes
        }
    }

    // MARK: - Tables

    private static func durations(
        _ rows: [ComparisonReport.DurationRow], heading: String, first: String
    ) -> [String: Any] {
        func cell(_ change: ComparisonReport.Change, _ amount: (UInt64) -> String) -> (value: String, text: String) {
            // A table that is too narrow may only be wrapped beside the arrow.
            let pair = [change.before, change.after].map { amount($0).replacing(" ", with: "\u{A0}") }
            return ("\(change.difference)", pair.joined(separator: " → "))
        }
        let areLoops = rows.contains { $0.overBudget != nil }
        return table(
            heading, first: first,
            columns: ["count", "p50", "p95", "p99", "longest"]
                + (areLoops ? ["over the budget", "allocations"] : ["total"]) + ["change of p50"],
            more: rows.count - rowLimit,
            rows: rows.prefix(rowLimit).map { row in
                let time = NumberFormat.nanoseconds
                let last =
                    areLoops
                    ? [
                        cell(row.overBudget ?? .init(), NumberFormat.count),
                        cell(row.allocations ?? .init(), NumberFormat.count),
                    ]
                    : [cell(row.total, time)]
                let change = row.isNoise ? "within noise" : ComparisonText.percent(row.p50)
                return (
                    row.name, row.name,
                    [cell(row.count, NumberFormat.count)] + [row.p50, row.p95, row.p99, row.max].map { cell($0, time) }
                        + last
                        + [("\(row.p50.difference)", change)]
                )
            }
        ).merging(["isPaired": true]) { $1 }
    }

    private static func functions(_ weights: ComparisonReport.Weights, title: String) -> [String: Any] {
        let amount = amount(weights.unit)
        let all = weights.functions.filter { $0.own.difference != 0 || $0.total.difference != 0 }
        let changed = all.filter { !$0.isNoise || $0.own.difference == 0 }
        let noise = all.count - changed.count
        return table(
            "\(title) by function", first: "function",
            columns: ["self before", "self after", "change", "total change"],
            more: changed.count - rowLimit,
            note: noise > 0 ? "\(NumberFormat.count(noise, "more function")) changed within noise." : nil,
            rows: changed.prefix(rowLimit).map { function in
                (
                    FunctionName.display(function.name), "\(function.name) \(function.module)",
                    [
                        ("\(function.own.before)", amount(function.own.before)),
                        ("\(function.own.after)", amount(function.own.after)),
                        ("\(function.own.difference)", ComparisonText.signed(function.own.difference, amount)),
                        ("\(function.total.difference)", ComparisonText.signed(function.total.difference, amount)),
                    ]
                )
            })
    }

    private static func types(_ rows: [ComparisonReport.TypeRow]) -> [String: Any] {
        let names = ShortNames(Set(rows.map(\.type)))
        let rows = rows.filter { $0.bytes != 0 || $0.allocations != 0 }
        return table(
            "Allocations by type", first: "type", columns: ["before", "after", "change", "allocations"],
            more: rows.count - rowLimit,
            rows: rows.prefix(rowLimit).map { row in
                (
                    names[row.type], row.type,
                    [
                        ("\(row.before.bytes)", NumberFormat.bytes(row.before.bytes)),
                        ("\(row.after.bytes)", NumberFormat.bytes(row.after.bytes)),
                        ("\(row.bytes)", ComparisonText.signed(row.bytes, NumberFormat.bytes)),
                        ("\(row.allocations)", ComparisonText.signed(row.allocations, NumberFormat.count)),
                    ]
                )
            })
    }

    private static func table(
        _ heading: String, first: String, columns: [String], more: Int, note: String? = nil,
        rows: [(name: String, filter: String, cells: [(value: String, text: String)])]
    ) -> [String: Any] {
        let values = rows.map { row in
            [
                "name": PageText.clean(row.name, limit: textLength),
                "filter": PageText.clean(row.filter, limit: 2 * textLength),
                "cells": row.cells.map { ["value": $0.value, "text": $0.text] },
            ] as [String: Any]
        }
        let omitted = more > 0 ? "\(NumberFormat.count(more)) more are in the JSON comparison." : nil
        let id = "table-" + heading.lowercased().replacing(" ", with: "-")
        return ["heading": heading, "first": first, "columns": columns, "isEmpty": rows.isEmpty].merging(
            FoldedTable.values(
                id: id, rows: values, noun: "rows",
                more: [omitted, note].compactMap { $0 }.joined(separator: " ").nonEmpty)
        ) { $1 }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
