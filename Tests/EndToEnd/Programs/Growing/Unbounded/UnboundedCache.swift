// Rendered pages are cached by a key that contains the time: no entry is ever used again or removed.
import Foundation

struct PageKey: Hashable { let path: String, user: Int, second: Int }
final class RenderedPage {
    let html: String
    let etag: Int
    init(html: String, etag: Int) {
        self.html = html
        self.etag = etag
    }
}
final class Template {
    let parts: [String]
    init(_ text: String) { parts = text.components(separatedBy: "%") }
    func render(_ values: [String]) -> String {
        var result = ""
        for (index, part) in parts.enumerated() {
            result += part
            if index < values.count { result += values[index] }
        }
        return result
    }
}
final class PageCache {
    private var pages: [PageKey: RenderedPage] = [:]
    private(set) var hits = 0
    func page(for key: PageKey, render: () -> RenderedPage) -> RenderedPage {
        if let page = pages[key] {
            hits += 1
            return page
        }
        let page = render()
        pages[key] = page
        return page
    }
    var count: Int { pages.count }
}
final class Database {
    private var rows: [Int: [String]] = [:]
    init() { for user in 0..<120 { rows[user] = ["User \(user)", "city \(user % 9)", "level \(user % 5)"] } }
    func row(_ user: Int) -> [String] { rows[user] ?? [] }
}
final class Site {
    private let cache = PageCache()
    private let database = Database()
    private let templates = ["/": Template("<h1>%</h1><p>% and %</p>"), "/profile": Template("<b>%</b> from %, %")]
    private var recent: [RenderedPage] = []
    func get(_ path: String, user: Int, second: Int) -> RenderedPage {
        let page = cache.page(for: PageKey(path: path, user: user, second: second)) {
            let html = templates[path]?.render(database.row(user)) ?? ""
            return RenderedPage(html: html, etag: html.hashValue)
        }
        recent.append(page)
        if recent.count > 10 { recent.removeFirst() }
        return page
    }
    var summary: String { "\(cache.count) cached, \(cache.hits) hits" }
}
let site = Site()
var bytes = 0
for second in 0..<1_100 {
    let page = site.get(second % 3 == 0 ? "/" : "/profile", user: (second * 7) % 120, second: second)
    bytes += page.html.utf8.count
}
print(bytes, site.summary)
