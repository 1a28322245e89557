import GameprofAnalysis
import GameprofBasics

/// What the template of reference counting is filled with.
struct ReferenceCountingView {
    let counting: Report.ReferenceCounting
    let names: ShortNames
    let limits: PageLimits

    var values: [String: Any] {
        [
            "summary": TextReferenceCounting.summary(counting), "remark": TextReferenceCounting.remark(counting),
            "tables": [functions, libraries].compactMap(\.self),
        ]
    }

    private var functions: [String: Any]? {
        let rows = counting.functions.prefix(limits.allocationRows).map { row -> [String: Any] in
            let place = SourceLocation.short(file: row.file, line: row.line) ?? row.module
            return self.row(
                row.function, "\(place) · \(TextReferenceCounting.details(row, names))",
                cells: [
                    count(row.retains), count(row.releases), count(row.atomic),
                    count(TextReferenceCounting.inLibraries(row)), share(row.share), time(row.seconds),
                ])
        }
        return table(
            "Retains and releases by function", id: "retains-by-function", rows,
            omitted: counting.functions.count - rows.count + counting.omittedFunctions, first: "function",
            heads: ["retains", "releases", "atomic", "≈ in libraries", "share", "≈ time"])
    }

    private var libraries: [String: Any]? {
        let rows = counting.libraries.prefix(limits.allocationRows).map { row -> [String: Any] in
            self.row(
                row.function, TextReferenceCounting.callers(row),
                cells: [count(row.retains), count(row.releases), count(row.atomic)])
        }
        return table(
            "In libraries and in what the compiler made", id: "retains-in-libraries", rows,
            omitted: counting.libraries.count - rows.count + counting.omittedLibraries, first: "function",
            heads: ["retains", "releases", "atomic"])
    }

    private func row(_ function: String, _ detail: String, cells: [[String: Any]]) -> [String: Any] {
        let name = PageText.clean(FunctionName.display(function), limit: limits.textLength)
        let detail = PageText.clean(detail, limit: limits.textLength)
        return ["name": name, "filter": "\(name) \(detail)", "files": detail, "cells": cells, "hasFrames": false]
    }

    private func count(_ value: UInt64) -> [String: Any] { ["text": NumberFormat.count(value), "value": "\(value)"] }

    private func share(_ share: Double) -> [String: Any] {
        ["text": "\(NumberFormat.fixed(share * 100, 1)) %", "value": "\(share)"]
    }

    private func time(_ seconds: Double) -> [String: Any] {
        ["text": seconds > 0 ? NumberFormat.seconds(seconds) : "", "value": "\(seconds)"]
    }

    private func table(
        _ heading: String, id: String, _ rows: [[String: Any]], omitted: Int, first: String, heads: [String]
    ) -> [String: Any]? {
        guard !rows.isEmpty else { return nil }
        let more = omitted > 0 ? "\(NumberFormat.are(omitted, "more function")) in the JSON report." : nil
        return ["heading": heading, "first": first, "heads": heads].merging(
            FoldedTable.values(id: id, rows: rows, noun: "functions", more: more)
        ) { $1 }
    }
}
