import Foundation
import Mustache

/// A page that lists several reports, one row each.
public enum IndexPage {
    /// One report of the list.
    public struct Entry: Sendable {
        /// What was run, as one types it.
        public var title: String
        /// What it shows, in a line.
        public var summary: String
        /// The report's page, relative to the index.
        public var page: String
        public var report: Report

        public init(title: String, summary: String, page: String, report: Report) {
            self.title = title
            self.summary = summary
            self.page = page
            self.report = report
        }
    }

    /// The page as text; it opens from disk and needs no network.
    public static func render(title: String, entries: [Entry]) throws -> String {
        let template = try MustacheTemplate(string: String(decoding: PackageResources.index_mustache, as: UTF8.self))
        return template.render([
            "title": PageText.clean(title),
            "style": String(decoding: PackageResources.page_css, as: UTF8.self),
            "entries": entries.map(values),
        ])
    }

    private static func values(_ entry: Entry) -> [String: Any] {
        let worst = entry.report.findings.map(\.severity).min()
        return [
            "title": PageText.clean(entry.title),
            "summary": PageText.clean(entry.summary),
            "page": entry.page.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "",
            "worst": worst?.rawValue ?? "good",
            "findings": entry.report.findings.isEmpty
                ? ["nothing found"] : entry.report.findings.map { PageText.clean($0.message) },
        ]
    }
}
