import GameprofAnalysis
import GameprofBasics

/// What the template of a live heap is filled with.
struct HeapView {
    let heap: Report.LiveHeap
    let names: ShortNames
    let limits: PageLimits

    /// Holders and frames that a type shows.
    private static let typeHolders = 8
    private static let typeFrames = 8

    var values: [String: Any] {
        let tree = HeapTree(heap)
        let values: [String: Any] = [
            "totals": totals,
            "moment": optional(LiveHeapWords.moment(heap).map { PageText.clean("\($0).", limit: 200) }),
            "unheld": optional(LiveHeapWords.unheld(heap).map { "\($0)." }),
            "tables": types(tree),
            "holders": holders(tree), "hasHolders": !heap.holders.isEmpty,
            "holdersOmitted": optional(holdersOmitted(tree)),
        ]
        guard let flame = flame(tree) else { return values.merging(["hasFlame": false]) { $1 } }
        return values.merging(flame) { $1 }.merging(["hasFlame": true]) { $1 }
    }

    private var totals: [[String: Any]] {
        [
            ("live", NumberFormat.bytes(heap.bytes)), ("objects", NumberFormat.count(heap.objects)),
            ("types", NumberFormat.count(heap.types.count + heap.typesOmitted)),
            ("snapshot", heap.name.isEmpty ? "\(heap.snapshot)" : "\(heap.snapshot), \(heap.name)"),
        ].map { ["name": $0.0, "value": PageText.clean($0.1, limit: 80)] }
    }

    private func name(_ type: String) -> String { PageText.clean(names[type], limit: limits.textLength) }

    // MARK: - The tree

    /// The rows of the tree, nested.
    private func holders(_ tree: HeapTree) -> [[String: Any]] {
        let kept = tree.largest(limits.heapRows)
        func values(_ index: Int, isOpen: Bool, level: Int) -> [String: Any] {
            let row = tree.rows[index]
            let children = row.children.filter { kept[$0] }
            let omitted = row.children.count - children.count + row.holder.omitted
            let share = Double(row.holder.retainedBytes) / Double(max(heap.bytes, 1))
            let below = children.enumerated().map { place, child in
                let isLarge = 2 * tree.rows[child].holder.retainedBytes >= row.holder.retainedBytes
                return values(child, isOpen: isOpen && place == 0 && isLarge, level: level + 1)
            }
            return [
                "type": name(row.holder.type), "count": NumberFormat.count(row.holder.count),
                "field": optional(row.holder.field.map { PageText.clean($0, limit: limits.textLength) }),
                "root": optional(row.holder.root.map { PageText.clean($0, limit: limits.textLength) }),
                "retained": NumberFormat.bytes(row.holder.retainedBytes),
                "own": NumberFormat.bytes(row.holder.ownBytes), "share": NumberFormat.fixed(100 * share, 1),
                "isOpenable": !below.isEmpty, "isOpen": isOpen && !below.isEmpty, "level": "\(level)",
                "children": below,
                "omitted": optional(omitted > 0 ? "\(NumberFormat.count(omitted)) smaller" : nil),
            ]
        }
        return tree.tops.filter { kept[$0] }.enumerated().map { values($1, isOpen: $0 == 0, level: 0) }
    }

    private func holdersOmitted(_ tree: HeapTree) -> String? {
        let kept = tree.largest(limits.heapRows).count { $0 }
        guard kept < tree.rows.count else { return nil }
        return "\(NumberFormat.count(tree.rows.count - kept)) smaller rows of the tree are in the JSON report."
    }

    private func flame(_ tree: HeapTree) -> [String: Any]? {
        guard !tree.rows.isEmpty else { return nil }
        let data = FlameData(
            tree.callTree(names: names, bytes: heap.bytes), kind: HeapTree.kind,
            measures: [FlameData.Measure(name: "retained bytes", unit: "bytes")], nodeLimit: limits.flameNodes / 4,
            textLength: limits.textLength)
        var view = FlameView(data: data)
        view.hint = "Every box stands for objects of one type. Its width is the memory that would be freed with them."
        view.title = "Retained bytes: every box stands for objects of one type; below it is what they alone keep alive"
        view.legend = FlameView.Key.types
        view.callers = "Holders"
        view.find = "type or field"
        view.hasTree = false
        return view.values
    }

    // MARK: - Types

    /// What the table leaves out.
    private func remark(rows: Int, more: Int) -> String? {
        let detailed = heap.types.prefix(min(rows, limits.heapDetails)).count { $0.detail != nil }
        let listed =
            more > 0
            ? "\(NumberFormat.are(more, "more type")) not listed; the totals count \(more == 1 ? "it" : "them")." : nil
        let details =
            detailed > 0 && detailed < heap.types.count + heap.typesOmitted
            ? "Paths and references are shown for \(NumberFormat.count(detailed, "type")), those that retain the most; "
                + "gameprof heap F.gptrace --why T shows those of any type."
            : nil
        let sentences = [listed, details].compactMap { $0 }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private func types(_ tree: HeapTree) -> [[String: Any]] {
        let rows = heap.types.prefix(limits.allocationRows).enumerated().map { place, row -> [String: Any] in
            let detail = place < limits.heapDetails ? row.detail : nil
            let holders = tree.holders(of: row.type).prefix(Self.typeHolders).map { holder -> [String: Any] in
                let count = NumberFormat.count(holder.count)
                let path = holder.path(names: names)
                return [
                    "count": count, "bytes": NumberFormat.bytes(holder.bytes),
                    "path": PageText.clean(path, limit: 2 * limits.textLength),
                ]
            }
            let frames = row.allocatedBy?.telling.prefix(min(Self.typeFrames, limits.frames)) ?? []
            return [
                "name": name(row.type), "filter": PageText.clean(row.type, limit: 2 * limits.textLength),
                "isOpenable": !holders.isEmpty || !frames.isEmpty || detail != nil,
                "detail": optional(detail.map { HeapDetailView(detail: $0, names: names, limits: limits).values }),
                "heldBy": holders, "hasHolders": !holders.isEmpty, "hasFrames": !frames.isEmpty,
                "frames": frames.map { StackView.frame($0, limits: limits, source: nil) },
                "cells": [
                    (row.retainedBytes, NumberFormat.bytes(row.retainedBytes)),
                    (row.shallowBytes, NumberFormat.bytes(row.shallowBytes)),
                    (UInt64(row.count), NumberFormat.count(row.count)),
                ].map { ["value": String($0.0), "text": $0.1] },
            ]
        }
        let more = heap.types.count - rows.count + heap.typesOmitted
        return [
            FoldedTable.values(
                id: "heap-types", rows: Array(rows), noun: "types",
                more: remark(rows: rows.count, more: more))
        ]
    }
}
