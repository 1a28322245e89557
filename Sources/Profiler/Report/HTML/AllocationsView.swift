/// What the template of the allocations is filled with.
struct AllocationsView {
    let allocations: Report.Allocations
    let names: ShortNames
    let limits: PageLimits

    var values: [String: Any] {
        [
            "totals": totals,
            "timeline": optional(
                TimelineDrawing(allocations.timeline, limit: limits.timelinePoints)?.values),
            "tables": [types, stacks],
        ]
    }

    private var totals: [[String: Any]] {
        let totals = allocations.totals
        return [
            ("allocations", Quantity.count(totals.allocations)), ("allocated in all", Quantity.bytes(totals.bytes)),
            ("peak", "\(Quantity.bytes(totals.peakBytes)) at \(Quantity.seconds(allocations.peakSeconds))"),
            ("temporary", Quantity.count(totals.temporary)),
            ("live at the end", "\(Quantity.bytes(totals.liveBytes)) in \(Quantity.count(totals.liveCount)) blocks"),
        ].map { ["name": $0.0, "value": $0.1] }
    }

    private var types: [String: Any] {
        let rows = allocations.byType.prefix(limits.allocationRows).map { row -> [String: Any] in
            let name = PageText.clean(names[row.type], limit: limits.textLength)
            return [
                "name": name, "filter": name, "cells": Self.cells(row.counts), "hasFrames": false, "type": false,
            ]
        }
        let more = allocations.byType.count - rows.count + allocations.omittedTypes
        return ["heading": "By type", "first": "type", "rows": rows, "more": Self.more(more, "types")]
    }

    private var stacks: [String: Any] {
        let rows = allocations.byStack.prefix(limits.allocationRows).map { row -> [String: Any] in
            let frames = row.allocatedBy.telling.prefix(min(12, limits.frames))
            let name = PageText.clean(
                (frames.first?.function).map(FunctionName.display) ?? "no stack", limit: limits.textLength)
            let type = PageText.clean(names[row.type], limit: limits.textLength)
            let functions = frames.prefix(6).map(\.function).joined(separator: " ")
            return [
                "name": name, "filter": PageText.clean("\(functions) \(row.type)", limit: 2 * limits.textLength),
                "cells": Self.cells(row.counts), "hasFrames": !frames.isEmpty, "type": type,
                "frames": frames.map { StackView.frame($0, limits: limits, source: nil) },
            ]
        }
        let more = allocations.byStack.count - rows.count + allocations.omittedStacks
        return ["heading": "By stack", "first": "allocated in", "rows": rows, "more": Self.more(more, "stacks")]
    }

    private static func cells(_ counts: Report.Counts) -> [[String: Any]] {
        [
            (counts.bytes, Quantity.bytes(counts.bytes)), (counts.allocations, Quantity.count(counts.allocations)),
            (counts.liveCount, Quantity.count(counts.liveCount)), (counts.liveBytes, Quantity.bytes(counts.liveBytes)),
            (counts.peakBytes, Quantity.bytes(counts.peakBytes)), (counts.temporary, Quantity.count(counts.temporary)),
        ].map { ["value": String($0.0), "text": $0.1] }
    }

    private static func more(_ count: Int, _ noun: String) -> Any {
        optional(count > 0 ? "\(Quantity.count(count)) more \(noun) are not listed; the totals count them." : nil)
    }
}
