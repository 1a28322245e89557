import GameprofAnalysis
import GameprofBasics

/// What the template of the memory warnings is filled with.
struct MemoryWarningsView {
    let warnings: [Report.MemoryWarning]
    let names: ShortNames
    let limits: PageLimits

    var values: [String: Any] {
        [
            "warnings": warnings.prefix(limits.objectTypes).enumerated().map { index, warning -> [String: Any] in
                let rows = warning.byStack.prefix(limits.allocationRows).map { row($0, of: warning) }
                let sentence = MemoryWarningText.sentence(warning, clean: clean)
                let more = warning.byStack.count - rows.count + warning.omitted
                let note = more > 0 ? "\(NumberFormat.count(more, "more stack")) in the JSON report." : nil
                return [
                    "heading": "At \(NumberFormat.seconds(warning.seconds))",
                    "sentence": sentence.prefix(1).uppercased() + sentence.dropFirst() + ".",
                ].merging(FoldedTable.values(id: "warning-\(index)", rows: rows, noun: "stacks", more: note)) { $1 }
            }
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private func row(_ row: Report.Generation.Survivors, of warning: Report.MemoryWarning) -> [String: Any] {
        [
            "name": clean(names[row.type]),
            "maker": optional(MemoryWarningText.maker(row).map { "made in \(clean($0))" }),
            "blocks": NumberFormat.count(row.liveCount), "blocksValue": "\(row.liveCount)",
            "bytes": NumberFormat.bytes(row.liveBytes), "bytesValue": "\(row.liveBytes)",
            "share": MemoryWarningText.share(row.liveBytes, of: warning),
        ]
    }
}
