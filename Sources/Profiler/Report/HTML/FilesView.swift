import GameprofAnalysis
import GameprofBasics

/// What the template of files is filled with.
struct FilesView {
    let files: Report.Files
    let limits: PageLimits

    private static let frames = 8

    var values: [String: Any] {
        [
            "summary": TextFiles.summary(files), "latency": optional(latency),
            "tables": [byFile, byStack] + [open].compactMap(\.self),
        ]
    }

    /// Mean and longest time of a read or write through the run; nil: fewer than two points.
    private var latency: [String: Any]? {
        let points = files.timeline
        guard points.count > 1, let first = points.first?.seconds, let last = points.last?.seconds, last > first else {
            return nil
        }
        let most = max(1e-9, points.map(\.longestSeconds).max() ?? 0)
        func path(_ value: (Report.Files.Point) -> Double) -> String {
            let pairs = points.map { point in
                NumberFormat.fixed(100 * (point.seconds - first) / (last - first), 2) + " "
                    + NumberFormat.fixed(39 - 38 * (value(point) / most).squareRoot(), 2)
            }
            return "M" + pairs.joined(separator: "L")
        }
        let mean = points.map(\.meanSeconds)
        return [
            "longest": path(\.longestSeconds), "mean": path(\.meanSeconds), "most": NumberFormat.seconds(most),
            "meanRange":
                "\(NumberFormat.seconds(mean.min() ?? 0)) to \(NumberFormat.seconds(mean.max() ?? 0))",
            "from": NumberFormat.seconds(first), "to": NumberFormat.seconds(last),
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private var byFile: [String: Any] {
        let rows = files.byFile.prefix(limits.allocationRows).map { row -> [String: Any] in
            let name = clean(TextFiles.title(row))
            return Self.row(
                name: name, filter: name, files: row.kind.rawValue,
                cells: [
                    Self.time(row.seconds), Self.time(row.longestSeconds),
                    Self.count(row.reads), Self.bytes(row.bytesRead), Self.count(row.writes),
                    Self.bytes(row.bytesWritten), Self.count(row.opened), Self.count(row.closed),
                    Self.count(row.failures),
                ])
        }
        return table(
            "By file", id: "by-file", noun: "files", rows,
            omitted: files.byFile.count - rows.count + files.omittedFiles,
            first: "file",
            heads: [
                "time", "longest", "reads", "read", "writes", "written", "opened", "closed", "failed",
            ])
    }

    private var byStack: [String: Any] {
        let rows = files.byStack.prefix(limits.allocationRows).map { row -> [String: Any] in
            stackRow(
                row.stack, prefix: "\(row.operation.rawValue) in ",
                cells: [
                    Self.time(row.seconds), Self.time(row.longestSeconds), Self.count(row.calls),
                    Self.bytes(row.bytes), Self.count(row.failures),
                ], files: TextFiles.files(row))
        }
        return table(
            "By stack", id: "by-file-stack", noun: "stacks", rows,
            omitted: files.byStack.count - rows.count + files.omittedStacks,
            first: "call", heads: ["time", "longest", "calls", "bytes", "failed"])
    }

    private var open: [String: Any]? {
        guard !files.neverClosed.isEmpty else { return nil }
        let rows = files.neverClosed.prefix(limits.allocationRows).map { row -> [String: Any] in
            stackRow(
                row.stack, prefix: "opened in ",
                cells: [
                    Self.count(UInt64(row.count)), Self.count(row.opened), Self.time(row.firstSeconds),
                    Self.time(row.lastSeconds),
                ],
                files: "\(row.kind.rawValue): \(row.files.joined(separator: ", "))"
                    + (TextFiles.holders(row).map { ", \($0)" } ?? ""))
        }
        return table(
            TextFiles.neverClosed, id: "never-closed", noun: "stacks", rows,
            omitted: files.neverClosed.count - rows.count + files.omittedOpen,
            first: "opened in", heads: ["open", "opened", "first", "last"])
    }

    private func stackRow(_ stack: CallStack, prefix: String, cells: [[String: Any]], files: String) -> [String: Any] {
        let frames = stack.telling.prefix(min(Self.frames, limits.frames))
        let name = clean(prefix + (frames.first.map { FunctionName.display($0.function) } ?? "no stack"))
        let functions = frames.map(\.function).joined(separator: " ")
        var row = Self.row(
            name: name, filter: PageText.clean("\(name) \(functions) \(files)", limit: 2 * limits.textLength),
            files: clean(files), cells: cells)
        row["hasFrames"] = !frames.isEmpty
        row["frames"] = frames.map { StackView.frame($0, limits: limits, source: nil) }
        return row
    }

    private static func time(_ seconds: Double) -> [String: Any] {
        ["text": NumberFormat.seconds(seconds), "value": "\(seconds)"]
    }

    private static func count(_ value: UInt64) -> [String: Any] {
        ["text": NumberFormat.count(value), "value": "\(value)"]
    }

    private static func bytes(_ value: UInt64) -> [String: Any] {
        ["text": NumberFormat.bytes(value), "value": "\(value)"]
    }

    private static func row(name: String, filter: String, files: String, cells: [[String: Any]]) -> [String: Any] {
        ["name": name, "filter": filter, "files": files, "cells": cells, "hasFrames": false]
    }

    private func table(
        _ heading: String, id: String, noun: String, _ rows: [[String: Any]], omitted: Int, first: String,
        heads: [String]
    ) -> [String: Any] {
        let more = omitted > 0 ? "\(NumberFormat.count(omitted)) more \(noun) are in the JSON report." : nil
        return ["heading": heading, "first": first, "heads": heads].merging(
            FoldedTable.values(id: id, rows: rows, noun: noun, more: more)
        ) { $1 }
    }
}
