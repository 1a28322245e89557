import GameprofAnalysis
import GameprofBasics

/// `gameprof heap diff` as one page: what changed by type and by holder, and what stayed of three snapshots.
public enum HeapComparisonPage {
    private static let textLength = 200
    private static let frames = 8

    /// The page as text; it opens from disk, needs no network and is well below two megabytes: rows are limited.
    public static func render(_ comparison: HeapComparison) throws -> String {
        let names = ShortNames(
            Set(
                comparison.types.map(\.type) + comparison.holders.flatMap { [$0.holder ?? "", $0.type] }
                    + (comparison.survivors ?? []).map(\.type)))
        return try PageTemplates.render(values(comparison, names), as: "heapdiff")
    }

    private static func values(_ comparison: HeapComparison, _ names: ShortNames) -> [String: Any] {
        let verdict = verdict(comparison, names)
        return [
            "style": text([PageStyle.css, PackageResources.heapdiff_css]),
            "script": text([PackageResources.page_js]),
            "title": PageText.clean(comparison.after.program, limit: textLength),
            "verdict": verdict.sentence, "worst": verdict.kind.rawValue,
            "note": comparison.isOneRun
                ? "Snapshots of one run: two objects are the same if their address, stack and type are the same."
                : "Two runs: the number of objects of each type is compared, so at least that many are new or gone.",
            "heaps": heaps(comparison),
            "tables": [types(comparison, names), holders(comparison, names)]
                + (comparison.survivors.map { [survivors($0, comparison, names)] } ?? []),
        ]
    }

    private static func text(_ parts: [[UInt8]]) -> String {
        parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    private static func verdict(
        _ comparison: HeapComparison, _ names: ShortNames
    ) -> (kind: PageVerdict.Kind, sentence: String) {
        let difference = Int64(clamping: comparison.after.bytes) - Int64(clamping: comparison.before.bytes)
        guard let type = comparison.types.first else { return (.neutral, "No type changed.") }
        let largest = "\(clean(names[type.type])) retains \(signed(type.change.retainedDifference))"
        let sentence =
            difference == 0
            ? "The live heap has the same size as before; \(largest)" : "\(signed(difference)) live; \(largest)"
        return (difference > 0 ? .warning : difference < 0 ? .good : .neutral, sentence)
    }

    private static func heaps(_ comparison: HeapComparison) -> [[String: Any]] {
        let sides =
            [("before", comparison.before)] + (comparison.between.map { [("between", $0)] } ?? [])
            + [("after", comparison.after)]
        let most = sides.map(\.1.bytes).max() ?? 0
        return sides.map { word, side in
            [
                "word": word, "program": clean(side.program), "snapshot": NumberFormat.count(side.snapshot),
                "hasName": !side.name.isEmpty, "name": clean(side.name), "time": NumberFormat.seconds(side.seconds),
                "objects": NumberFormat.count(side.objects), "bytes": NumberFormat.bytes(side.bytes),
                "share": share(side.bytes, of: most),
            ]
        }
    }

    // MARK: - Tables

    private static func types(_ comparison: HeapComparison, _ names: ShortNames) -> [String: Any] {
        let most = comparison.types.map(\.change.retainedDifference.magnitude).max() ?? 0
        let rows = comparison.types.map { row -> [String: Any] in
            let change = row.change
            return [
                "name": clean(names[row.type]), "filter": clean(row.type),
                "cells": [difference(change, most)] + [
                    bytes(change.retainedBefore), bytes(change.retainedAfter), count(row.added, sign: "+"),
                    count(row.removed, sign: "−"), count(row.kept), count(change.countAfter),
                ],
            ]
        }
        return table(
            "Types", first: "type",
            columns: ["change", "retained before", "after", "added", "removed", "kept", "live after"],
            rows: rows, more: omitted(comparison.typesOmitted, "type"), none: "No type changed.")
    }

    private static func holders(_ comparison: HeapComparison, _ names: ShortNames) -> [String: Any] {
        let most = comparison.holders.map(\.change.retainedDifference.magnitude).max() ?? 0
        let rows = comparison.holders.map { row -> [String: Any] in
            let change = row.change
            let path = [row.holder.map { names[$0] }, row.field].compactMap { $0 }.joined(separator: ".")
            return [
                "name": clean(path.isEmpty ? names[row.type] : "\(path): \(names[row.type])"),
                "filter": clean("\(row.holder ?? "") \(row.field ?? "") \(row.type)"),
                "cells": [difference(change, most)] + [
                    bytes(change.retainedBefore), bytes(change.retainedAfter), count(change.countBefore),
                    count(change.countAfter),
                ],
            ]
        }
        return table(
            "Holders", first: "held by: type", columns: ["change", "retained before", "after", "live before", "after"],
            rows: rows, more: omitted(comparison.holdersOmitted, "row"), none: "No holder changed.")
    }

    private static func survivors(
        _ survivors: [HeapComparison.SurvivorRow], _ comparison: HeapComparison, _ names: ShortNames
    ) -> [String: Any] {
        let rows = survivors.map { row -> [String: Any] in
            let frames = row.allocatedBy?.telling.prefix(frames).map { frame in
                StackView.frame(frame, limits: PageLimits.steps[0], source: nil)
            }
            return [
                "name": clean(names[row.type]), "filter": clean(row.type), "frames": frames ?? [],
                "hasFrames": !(frames ?? []).isEmpty, "cells": [bytes(row.bytes), count(row.count)],
            ]
        }
        return table(
            "Made after the first snapshot and live at the second and the third", first: "type",
            columns: ["bytes", "objects"], rows: rows, more: nil, none: "There is no such object.")
    }

    private static func table(
        _ heading: String, first: String, columns: [String], rows: [[String: Any]], more: String?, none: String
    ) -> [String: Any] {
        let id = "table-" + heading.prefix(7).lowercased().replacing(" ", with: "-")
        return ["heading": heading, "first": first, "columns": columns, "isEmpty": rows.isEmpty, "none": none].merging(
            FoldedTable.values(id: id, rows: rows, noun: "rows", more: more)
        ) { $1 }
    }

    private static func omitted(_ count: Int, _ noun: String) -> String? {
        count > 0 ? "\(NumberFormat.count(count, "more \(noun)")) changed less and are not listed." : nil
    }

    // MARK: - Cells

    private static func difference(_ change: HeapComparison.Change, _ most: UInt64) -> [String: Any] {
        let difference = change.retainedDifference
        return [
            "value": "\(difference)", "text": difference == 0 ? "–" : signed(difference),
            "kind": difference > 0 ? "warning" : difference < 0 ? "good" : "", "hasBar": difference != 0,
            "share": share(difference.magnitude, of: most),
        ]
    }

    private static func bytes(_ bytes: UInt64) -> [String: Any] {
        ["value": "\(bytes)", "text": NumberFormat.bytes(bytes), "kind": "", "hasBar": false]
    }

    private static func count(_ count: Int, sign: String = "") -> [String: Any] {
        [
            "value": "\(count)", "text": count == 0 ? "–" : sign + NumberFormat.count(count), "kind": "",
            "hasBar": false,
        ]
    }

    private static func share(_ part: UInt64, of most: UInt64) -> String {
        NumberFormat.fixed(100 * Double(part) / Double(max(most, 1)), 1)
    }

    private static func signed(_ bytes: Int64) -> String { ComparisonText.signed(bytes, NumberFormat.bytes) }

    private static func clean(_ text: String) -> String { PageText.clean(text, limit: textLength) }
}
