import Foundation
import GameprofAnalysis
import GameprofBasics

/// A page that lists several pages, each with what it found and a picture.
public enum IndexPage {
    /// One page of the list.
    public struct Entry: Sendable {
        /// What was run, as one types it.
        public var title: String
        /// What it shows, in a line.
        public var summary: String
        /// The page, relative to the index.
        public var page: String
        /// Absent for a page that is no report.
        public var report: Report?

        public init(title: String, summary: String, page: String, report: Report? = nil) {
            self.title = title
            self.summary = summary
            self.page = page
            self.report = report
        }
    }

    /// The page as text; it opens from disk and needs no network. `command`: what wrote it, as `gameprof demo`. `lesson`: address
    /// of what explains the pages. `processes`: what the pages are of.
    public static func render(
        title: String, command: String, entries: [Entry], lesson: String? = nil, processes: ProcessTable? = nil
    ) throws -> String {
        let style = [PageStyle.css, PackageResources.flame_css].map { String(decoding: $0, as: UTF8.self) }
        return try PageTemplates.render(
            [
                "title": PageText.clean(title), "command": PageText.clean(command), "style": style.joined(),
                "lesson": optional(lesson), "table": optional(processes.map(values)),
                "entries": entries.enumerated().map { values($0.element, number: $0.offset) },
            ], as: "index")
    }

    private static func address(_ page: String) -> String {
        page.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    }

    private static let deepest = 12

    private static func values(_ table: ProcessTable) -> [String: Any] {
        let rows = table.rows.map { row -> [String: Any] in
            [
                "name": PageText.clean(row.name), "indent": min(row.depth, deepest), "process": optional(row.process),
                "severity": optional(row.severity?.rawValue),
                "pages": row.pages.map { ["process": $0.process, "page": address($0.page ?? "")] },
                "cells": zip(table.heads, row.cells).map { head, text in
                    ["head": head, "text": text, "isNumber": head != ProcessTable.found]
                },
            ]
        }
        let heads = table.heads.map { ["head": $0, "isNumber": $0 != ProcessTable.found] }
        return ["heads": heads, "rows": rows, "sharing": optional(table.sharing)]
    }

    private static func values(_ entry: Entry, number: Int) -> [String: Any] {
        let verdict = entry.report.map(PageVerdict.init)
        let found = (entry.report?.findings ?? []).filter { $0.severity != .note }
        let lines = found.isEmpty ? [verdict?.sentence].compactMap { $0 } : found.prefix(5).map(\.message)
        let values: [String: Any] = [
            "title": PageText.clean(entry.title), "summary": PageText.clean(entry.summary),
            "page": address(entry.page),
            "worst": verdict?.kind.rawValue ?? PageVerdict.Kind.neutral.rawValue,
            "findings": lines.map { PageText.clean($0) },
        ]
        let nothing: [String: Any] = ["drawing": false, "flame": false, "curve": false]
        return values.merging(nothing) { $1 }.merging(entry.report.map { picture(of: $0, number) } ?? [:]) { $1 }
    }

    /// The references of the worst finding, else the hottest stacks, else the memory over time.
    private static func picture(of report: Report, _ number: Int) -> [String: Any] {
        let worst = report.findings.first { $0.severity != .note }
        if let worst, let drawing = CycleDrawing(finding: worst, number: number, names: report.typeNames) {
            return ["drawing": drawing.values]
        }
        if let tree = report.hotspots?.callTree, tree.nodes.contains(where: { $0.count >= 3 && $0[0] >= 0 }) {
            return ["flame": FlameDrawing(FlameData(tree, kind: "cpu", nodeLimit: 60, textLength: 80)).values]
        }
        if let timeline = report.allocations?.timeline, let drawing = TimelineDrawing(timeline, limit: 200) {
            return ["curve": drawing.values]
        }
        return [:]
    }
}
