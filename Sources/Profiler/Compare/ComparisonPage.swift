import Mustache

/// A comparison as one page: the stacks of both recordings laid over each other, and what changed, function by function.
public enum ComparisonPage {
    private static let rowLimit = 120
    private static let flameNodes = 8_000
    private static let textLength = 200

    /// The page as text; it opens from disk, needs no network and is well below two megabytes.
    public static func render(_ report: ComparisonReport) throws -> String {
        try HTMLReport.templates().render(values(report), withTemplate: "comparison") ?? ""
    }

    private static func values(_ report: ComparisonReport) -> [String: Any] {
        let weights = [(report.time, "CPU time"), (report.memory, "Memory allocated")].compactMap { weights, title in
            weights.map { (weights: $0, title: title) }
        }
        let data = FlameData(
            weights.map { (tree: $0.weights.tree, label: $0.title, unit: $0.weights.unit) }, nodeLimit: flameNodes,
            textLength: textLength)
        let flame = FlameView(
            data: data, choice: "Compare",
            hint: "Every box is a function, as wide as the mean of both recordings; its colour says how it changed.",
            legend: FlameView.Key.changes)
        let page: [String: Any] = [
            "style": text([PackageResources.page_css, PackageResources.flame_css]),
            "script": text([PackageResources.page_js, PackageResources.flame_js]),
            "before": PageText.clean(report.before, limit: textLength),
            "after": PageText.clean(report.after, limit: textLength), "verdict": verdict(weights.map(\.weights)),
            "worst": weights.contains { $0.weights.total.difference > 0 } ? "warning" : "good",
            "figures": weights.map { ["name": $0.title, "value": change($0.weights.total, $0.weights.unit)] },
            "tables": weights.map { functions($0.weights, title: $0.title) }
                + (report.types.isEmpty ? [] : [types(report.types)]),
        ]
        return page.merging(flame.values) { $1 }
    }

    private static func text(_ parts: [[UInt8]]) -> String {
        parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// The function that changed most, in a sentence.
    private static func verdict(_ weights: [ComparisonReport.Weights]) -> String {
        guard let first = weights.first, let function = first.functions.first, function.own.difference != 0 else {
            return "Nothing changed."
        }
        let amount = ComparisonText.signed(function.own.difference, amount(first.unit))
        return "\(amount) in \(PageText.clean(FunctionName.display(function.name), limit: 120))"
    }

    private static func amount(_ unit: Profile.Unit) -> (UInt64) -> String {
        switch unit {
        case .nanoseconds: ComparisonText.seconds
        case .bytes: Quantity.bytes
        }
    }

    private static func change(_ change: ProfileComparison.Change, _ unit: Profile.Unit) -> String {
        let amount = amount(unit)
        return "\(amount(change.before)) → \(amount(change.after)) (\(ComparisonText.percent(change)))"
    }

    // MARK: - Tables

    private static func functions(_ weights: ComparisonReport.Weights, title: String) -> [String: Any] {
        let amount = amount(weights.unit)
        let changed = weights.functions.filter { $0.own.difference != 0 || $0.total.difference != 0 }
        return table(
            "\(title) by function", first: "function",
            columns: ["self before", "self after", "change", "total change"],
            more: changed.count - rowLimit,
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

    private static func types(_ rows: [TypeComparison.Row]) -> [String: Any] {
        table(
            "Allocations by type", first: "type", columns: ["before", "after", "change", "allocations"],
            more: rows.count - rowLimit,
            rows: rows.prefix(rowLimit).map { row in
                (
                    row.type, row.type,
                    [
                        ("\(row.before.bytes)", Quantity.bytes(row.before.bytes)),
                        ("\(row.after.bytes)", Quantity.bytes(row.after.bytes)),
                        ("\(row.bytes)", ComparisonText.signed(row.bytes, Quantity.bytes)),
                        ("\(row.allocations)", ComparisonText.signed(row.allocations, Quantity.count)),
                    ]
                )
            })
    }

    private static func table(
        _ heading: String, first: String, columns: [String], more: Int,
        rows: [(name: String, filter: String, cells: [(value: String, text: String)])]
    ) -> [String: Any] {
        [
            "heading": heading, "first": first, "columns": columns,
            "rows": rows.map { row in
                [
                    "name": PageText.clean(row.name, limit: textLength),
                    "filter": PageText.clean(row.filter, limit: 2 * textLength),
                    "cells": row.cells.map { ["value": $0.value, "text": $0.text] },
                ] as [String: Any]
            },
            "more": optional(more > 0 ? "\(Quantity.count(more)) more stand in the JSON comparison." : nil),
        ]
    }
}
