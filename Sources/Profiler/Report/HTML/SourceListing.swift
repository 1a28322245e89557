import GameprofAnalysis
import GameprofBasics

/// The lines of a function beside what each took: in the order of its file, the hottest marked, with the source where it can be
/// shown.
struct SourceListing {
    /// A figure of the lines. An empty text stands for none.
    struct Column {
        var name: String
        var text: (Report.LineRow) -> String
    }

    /// Lines of source that are shown before and behind each with figures.
    private static let around = 2

    let lines: [Report.LineRow]
    let file: String?
    let columns: [Column]
    /// What makes a line the hottest: what it took itself, and where no line took anything, with all that it called.
    let own: (Report.LineRow) -> Double
    let total: (Report.LineRow) -> Double
    let sources: SourceLines
    let limits: PageLimits

    /// Which of a table's functions show their lines: those that took most themselves, and a third of those that took most
    /// with all that they called.
    static func shown(own: [Double], total: [Double], limit: Int) -> Set<Int> {
        func largest(_ weights: [Double], _ limit: Int) -> ArraySlice<Int> {
            weights.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }.prefix(limit)
        }
        return Set(largest(own, limit * 2 / 3)).union(largest(total, limit / 3))
    }

    /// Nil: no line is known.
    var values: [String: Any]? {
        let weight = lines.contains { own($0) > 0 } ? own : total
        guard let hottest = lines.max(by: { (weight($0), $1.line) < (weight($1), $0.line) }) else { return nil }
        let most = max(weight(hottest), .leastNonzeroMagnitude)
        let columns = columns.filter { column in lines.contains { !column.text($0).isEmpty } }
        let rows = Dictionary(lines.map { ($0.line, $0) }, uniquingKeysWith: { first, _ in first })
        let (numbers, texts, remark) = excerpt(rows.keys.sorted())
        var previous: Int?
        let values = numbers.map { number -> [String: Any] in
            defer { previous = number }
            let row = rows[number]
            return [
                "isApart": !texts.isEmpty && previous.map { $0 + 1 < number } ?? false, "isAround": row == nil,
                "isHottest": number == hottest.line,
                "heat": optional(row.map { NumberFormat.fixed(100 * weight($0) / most, 0) }),
                "cells": row.map { row in columns.map { $0.text(row) } } ?? [],
                "line": "\(number)", "text": texts[number] ?? "",
                "link": optional(row == nil ? nil : limits.editor?.link(file: file, line: number)),
            ]
        }
        return [
            "columns": "\(columns.count)", "heads": columns.map(\.name), "lines": values, "remark": optional(remark),
        ]
    }

    /// The lines to show, what stands in them, and why nothing does.
    private func excerpt(_ figured: [Int]) -> (numbers: [Int], texts: [Int: String], remark: String?) {
        switch sources.text(of: file) {
        case .unread: return (figured, [:], nil)
        case .lines(let lines) where figured.allSatisfy { 1...max(1, lines.count) ~= $0 }:
            let numbers = surrounded(figured, count: lines.count)
            return (numbers, texts(numbers, of: lines), nil)
        case .edited, .lines:
            return (figured, [:], "The file was edited since the build, so that its lines are not shown.")
        }
    }

    /// With the lines around them, as far as there is room.
    private func surrounded(_ figured: [Int], count: Int) -> [Int] {
        var numbers = figured
        for around in 1...Self.around {
            let wider = Set(figured.flatMap { max(1, $0 - around)...min(count, $0 + around) })
            guard wider.count <= limits.sourceLines else { break }
            numbers = wider.sorted()
        }
        return numbers
    }

    /// Without the indentation that they have in common.
    private func texts(_ numbers: [Int], of lines: [Substring]) -> [Int: String] {
        let texts = numbers.map { (number: $0, text: lines[$0 - 1].replacing("\t", with: "    ")) }
        let indentation =
            texts.compactMap { text in
                text.text.firstIndex { $0 != " " }.map { text.text.distance(from: text.text.startIndex, to: $0) }
            }
            .min() ?? 0
        return Dictionary(
            uniqueKeysWithValues: texts.map { number, text in
                (number, PageText.clean(SourceLines.cut(text.dropFirst(indentation)), limit: limits.textLength))
            })
    }
}

extension SourceListing.Column {
    /// What was made at a line.
    static var allocations: [Self] {
        [
            Self(name: "allocations") { line in line.allocations.flatMap { $0 > 0 ? NumberFormat.count($0) : nil } ?? ""
            },
            Self(name: "bytes") { line in line.bytes.flatMap { $0 > 0 ? NumberFormat.bytes($0) : nil } ?? "" },
        ]
    }

    /// The same with all that the line called.
    static var totalBytes: Self {
        Self(name: "total bytes") { line in line.totalBytes.flatMap { $0 > 0 ? NumberFormat.bytes($0) : nil } ?? "" }
    }
}
