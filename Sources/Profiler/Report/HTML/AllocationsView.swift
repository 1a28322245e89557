import GameprofAnalysis
import GameprofBasics

/// What the template of the allocations is filled with.
struct AllocationsView {
    let allocations: Report.Allocations
    let findings: [Finding]
    let names: ShortNames
    let limits: PageLimits
    let sources: SourceLines

    /// Stacks with a row: the graph has all that can be seen.
    private static let stackRows = 80
    private static let stackFrames = 8
    /// Stacks that a type shows.
    private static let typeStacks = 5
    private static let measures = [
        FlameData.Measure(name: "allocated bytes", unit: "bytes"),
        FlameData.Measure(name: "allocations", unit: "count"),
        FlameData.Measure(name: "live at the end", unit: "bytes"),
        FlameData.Measure(name: "live at the peak", unit: "bytes"),
        FlameData.Measure(name: "temporary allocations", unit: "count"),
    ]

    var values: [String: Any] {
        let rows = AllocatedTypes.rows(allocations.byType, names: names)
        let data = FlameData(
            allocations.callTree, kind: "allocations", measures: Self.measures, nodeLimit: limits.flameNodes / 2,
            momentLimit: limits.moments / 2, textLength: limits.textLength)
        let hasFlame = data.nodes.contains { $0[0] >= 0 }
        let values: [String: Any] = [
            "totals": totals, "method": optional(method),
            "timeline": optional(
                TimelineDrawing(allocations.timeline, limit: limits.timelinePoints)?.values),
            "hasFlame": hasFlame, "functions": optional(functions), "tables": [types(rows), stacks(data)],
            "peakRows": optional(peak(rows)),
            "objects": optional(
                allocations.objects.map { ObjectsView(objects: $0, names: names, limits: limits).values }),
        ]
        guard hasFlame else { return values }
        let hint = "Every box is a function. Its width is what the function and its callees allocated."
        return values.merging(FlameView(data: data, hint: hint).values) { $1 }
    }

    private var method: String? {
        allocations.sampled.map {
            SampledText.method(samples: allocations.totals.sampled?.samples ?? 0, mean: $0.meanBytes)
        }
    }

    private var totals: [[String: Any]] {
        let totals = allocations.totals
        return [
            ("allocations", SampledText.count(totals, .allocations)),
            ("allocated in all", SampledText.bytes(totals, .bytes)),
            ("peak", "\(SampledText.bytes(totals, .peakBytes)) at \(NumberFormat.seconds(allocations.peakSeconds))"),
            ("temporary", SampledText.count(totals, .temporary)),
            (
                "live at the end",
                "\(SampledText.bytes(totals, .liveBytes)) in \(SampledText.count(totals, .liveCount, "block"))"
            ),
        ].map { ["name": $0.0, "value": $0.1] }
    }

    // MARK: - Functions

    private var functions: [String: Any]? {
        guard let functions = allocations.functions else { return nil }
        let shown = functions.prefix(limits.allocationRows)
        let listed = SourceListing.shown(
            own: shown.map { Double($0.bytes) }, total: shown.map { Double($0.totalBytes) },
            limit: limits.sourceFunctions)
        let all = Double(max(1, allocations.totals.bytes))
        let rows = shown.enumerated().map { index, row -> [String: Any] in
            func cell(_ value: UInt64, _ text: String, bar: UInt64? = nil) -> [String: Any] {
                let share = bar.map { NumberFormat.fixed(min(100, 100 * Double($0) / all), 1) }
                return ["value": String(value), "text": text, "bar": optional(share)]
            }
            return [
                "name": PageText.clean(FunctionName.display(row.function), limit: limits.textLength),
                "module": FlameData.module(row.module),
                "filter": PageText.clean("\(row.function) \(row.module)", limit: 2 * limits.textLength),
                "place": PageText.clean(SourceLocation.short(file: row.file, line: row.line) ?? row.module, limit: 80),
                "link": optional(limits.editor?.link(file: row.file, line: row.line)),
                "reasons": false, "callers": false,
                "listing": optional(listed.contains(index) ? listing(row).values : nil),
                "cells": [
                    cell(row.bytes, NumberFormat.bytes(row.bytes), bar: row.bytes),
                    cell(row.allocations, NumberFormat.count(row.allocations)),
                    cell(row.totalBytes, NumberFormat.bytes(row.totalBytes), bar: row.totalBytes),
                ],
            ]
        }
        let more = functions.count - shown.count + (allocations.omittedFunctions ?? 0)
        return [
            "heading": "By function", "kind": false,
            "columns": [
                ["name": "bytes", "isSorted": true], ["name": "count", "isSorted": false],
                ["name": "total bytes", "isSorted": false],
            ],
        ].merging(
            FoldedTable.values(id: "by-function", rows: rows, noun: "functions", more: Self.more(more, "functions"))
        ) { $1 }
    }

    private func listing(_ row: Report.Allocations.FunctionRow) -> SourceListing {
        SourceListing(
            lines: row.lines, file: row.file, columns: SourceListing.Column.allocations + [.totalBytes],
            own: { Double($0.bytes ?? 0) }, total: { Double($0.totalBytes ?? 0) }, sources: sources, limits: limits)
    }

    // MARK: - The peak

    /// What lived when the most memory was in use.
    private func peak(_ rows: [AllocatedTypes.Row]) -> [String: Any]? {
        let total = allocations.totals.peakBytes
        let lived = rows.filter { $0.counts.atPeakBytes > 0 }
            .sorted { ($1.counts.atPeakBytes, $0.name) < ($0.counts.atPeakBytes, $1.name) }
            .prefix(limits.allocationRows)
        guard total > 0, !lived.isEmpty else { return nil }
        let heading =
            "At the peak: \(NumberFormat.bytes(total)) at \(NumberFormat.seconds(allocations.peakSeconds))"
        let values = lived.map { row -> [String: Any] in
            let share = 100 * Double(row.counts.atPeakBytes) / Double(total)
            let name = PageText.clean(row.name, limit: limits.textLength)
            return [
                "name": name, "bytes": NumberFormat.bytes(row.counts.atPeakBytes),
                "share": "\(NumberFormat.fixed(share, 1)) %", "bar": NumberFormat.fixed(share, 1),
            ]
        }
        return ["heading": heading].merging(FoldedTable.values(id: "at-peak", rows: values, noun: "types")) { $1 }
    }

    // MARK: - Tables

    private func types(_ all: [AllocatedTypes.Row]) -> [String: Any] {
        var stacks: [String: [Report.StackRow]] = [:]
        for row in allocations.byStack where stacks[row.type, default: []].count < Self.typeStacks {
            stacks[row.type, default: []].append(row)
        }
        var holders: [String: String] = [:]
        for finding in findings {
            guard let path = finding.heldBy, holders[finding.type] == nil else { continue }
            holders[finding.type] = path.joined(separator: " → ")
        }
        let shown = all.prefix(limits.allocationRows)
        let rows = shown.map { row -> [String: Any] in
            let name = PageText.clean(row.name, limit: limits.textLength)
            let own = row.isNamed ? stacks[row.type] ?? [] : []
            let stacks = own.map { stack -> [String: Any] in
                let frames = stack.allocatedBy.telling.prefix(4).map {
                    FunctionName.display($0.function)
                        + (SourceLocation.short(file: $0.file, line: $0.line).map { " (\($0))" } ?? "")
                }
                let functions = frames.isEmpty ? "no stack" : frames.joined(separator: " ← ")
                return [
                    "bytes": NumberFormat.bytes(stack.counts.bytes),
                    "functions": PageText.clean(functions, limit: 2 * limits.textLength),
                ]
            }
            let held = holders[row.type].map { PageText.clean($0, limit: 2 * limits.textLength) }
            return [
                "name": name, "filter": name, "cells": Self.cells(row.counts),
                "isOpenable": !own.isEmpty || held != nil, "stack": false,
                "typeStacks": stacks, "held": optional(held), "hasFrames": false, "type": false,
            ]
        }
        let more = all.count - rows.count + allocations.omittedTypes
        var places: [AllocatedTypes.Source: Int] = [:]
        for (index, row) in shown.enumerated() {
            for source in row.sources { places[source] = index }
        }
        let moments = RowMoments(
            allocations.rowMoments.byType, seconds: allocations.rowMoments.seconds, rows: rows.count,
            limit: limits.moments / 8
        ) { places[.init(row: $0.row, maker: $0.maker)] }
        return table(
            "By type", "type", id: "by-type", rows, noun: "types",
            note: all.contains { $0.name.hasPrefix("closure in ") }
                ? "“closure in …” is the context of a closure or a variable that it captures." : nil,
            moments: moments, more: Self.more(more, "types"))
    }

    private func stacks(_ data: FlameData) -> [String: Any] {
        let numbers = Dictionary(
            data.functions.enumerated().map { (Self.key($0.element.name, $0.element.module), $0.offset) }
        ) { first, _ in first }
        let shown = allocations.byStack.prefix(min(Self.stackRows, limits.allocationRows))
        let rows = zip(shown, Self.places(shown)).map { row, place -> [String: Any] in
            let frames = row.allocatedBy.telling.prefix(min(Self.stackFrames, limits.frames))
            let name = PageText.clean(place, limit: limits.textLength)
            let type = PageText.clean(names[row.type], limit: limits.textLength)
            let functions = frames.prefix(6).map(\.function).joined(separator: " ")
            let known = row.allocatedBy.frames.compactMap { numbers[Self.key($0.function, $0.module)] }
            return [
                "name": name, "filter": PageText.clean("\(functions) \(row.type)", limit: 2 * limits.textLength),
                "cells": Self.cells(row.counts), "isOpenable": false, "hasFrames": !frames.isEmpty, "type": type,
                "stack": optional(
                    known.isEmpty ? nil : known.map(String.init).joined(separator: ",")),
                "frames": frames.map { StackView.frame($0, limits: limits, source: nil) },
            ]
        }
        let more = allocations.byStack.count - rows.count + allocations.omittedStacks
        let moments = RowMoments(
            allocations.rowMoments.byStack, seconds: allocations.rowMoments.seconds, rows: rows.count,
            limit: limits.moments / 8
        ) { $0.row < rows.count ? $0.row : nil }
        return table(
            "By stack", "allocated in", id: "by-stack", rows, noun: "stacks", moments: moments,
            more: Self.more(more, "stacks"))
    }

    /// Where each stack allocates: function and line, and for stacks that have these in common the first caller that they do
    /// not.
    private static func places(_ rows: ArraySlice<Report.StackRow>) -> [String] {
        func place(_ frame: CallStack.Frame) -> String {
            FunctionName.display(frame.function)
                + (SourceLocation.short(file: frame.file, line: frame.line).map { ", \($0)" } ?? "")
        }
        let stacks = rows.map { $0.allocatedBy.telling.map(place) }
        let groups = Dictionary(grouping: stacks, by: { $0.first ?? "" })
        return stacks.map { stack in
            guard let first = stack.first else { return "no stack" }
            let alike = groups[first] ?? []
            let depth = stack.indices.first { depth in alike.contains { $0.count <= depth || $0[depth] != stack[depth] }
            }
            return first + (depth.map { " ← \(stack[$0])" } ?? "")
        }
    }

    private static func key(_ function: String, _ module: String) -> String { "\(function)\n\(module)" }

    private func table(
        _ heading: String, _ first: String, id: String, _ rows: [[String: Any]], noun: String, note: String? = nil,
        moments: RowMoments, more: String?
    ) -> [String: Any] {
        let json = moments.json
        let rangeNote =
            json == nil
            ? "This table shows the whole run."
            : "Bytes and count refer to the selected part of the run; live, peak and temporary refer to the whole run."
        let takenNote =
            id == "by-stack"
            ? "A stack is named after its innermost function that the graph does not attribute to its callers. "
                + "Stacks through a hidden function are not shown."
            : "This table counts everything, even if the graph hides it or attributes it to callers."
        return [
            "heading": heading, "first": first, "note": optional(note), "moments": optional(json),
            "rangeNote": rangeNote, "takenNote": takenNote,
        ].merging(
            FoldedTable.values(id: id, rows: rows, noun: noun, more: more)
        ) { $1 }
    }

    private static func cells(_ counts: AllocationCounts) -> [[String: Any]] {
        [
            (counts.bytes, SampledText.bytes(counts, .bytes)),
            (counts.allocations, SampledText.count(counts, .allocations)),
            (counts.liveCount, SampledText.count(counts, .liveCount)),
            (counts.liveBytes, SampledText.bytes(counts, .liveBytes)),
            (counts.peakBytes, SampledText.bytes(counts, .peakBytes)),
            (counts.temporary, SampledText.count(counts, .temporary)),
        ].map { ["value": String($0.0), "text": $0.1] }
    }

    private static func more(_ count: Int, _ noun: String) -> String? {
        count > 0 ? "\(NumberFormat.count(count)) more \(noun) are not listed; the totals count them." : nil
    }
}
