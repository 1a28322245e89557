import Foundation
import Testing

/// `make demo`, as the README promises it.
@Suite struct DemoTests {
    @Test("single scenes can be chosen, and a misspelt one is an error with the nearest name")
    func only() throws {
        let folder = try TemporaryFolder()
        let chosen = ["demo", "--output", folder.url.path]
        #expect(try Command.run(Products.gameprof, chosen + ["malloc-leak", "diff"]).status == 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(pages.sorted() == ["diff.html", "index.html", "malloc-leak.html"])
        let misspelt = try Command.run(Products.gameprof, chosen + ["maloc-leak"])
        #expect(misspelt.status == 2 && misspelt.error.contains("did you mean malloc-leak?"), "\(misspelt.error)")
    }

    @Test func `a scene that fails is named, and the others are listed`() throws {
        let folder = try TemporaryFolder()
        // Its page cannot be written.
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "malloc-leak.html/x"), withIntermediateDirectories: true)
        let result = try Command.run(
            Products.gameprof, ["demo", "--output", folder.url.path, "malloc-leak", "attribute-leak"])
        #expect(result.status == 4 && result.error.contains("malloc-leak: "), "\(result.status) \(result.error)")
        let index = try String(contentsOf: folder.url.appending(path: "index.html"), encoding: .utf8)
        #expect(index.contains("attribute-leak.html") && !index.contains("malloc-leak.html"))
    }

    @Test func `every scene of the demonstration shows what it is there to show`() throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(Products.gameprof, ["demo", "--output", folder.url.path])
        #expect(result.status == 0, "\(result.error.suffix(500))")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(pages.contains("index.html") && pages.contains("undo-cycle.html") && pages.contains("card-cache.html"))
        for page in ["check", "diff.html", "zombie.html", "compute-sum.html", "observer-growth.html"] {
            #expect(pages.contains(page), "\(page)")
        }
        let index = try String(contentsOf: folder.url.appending(path: "index.html"), encoding: .utf8)
        #expect(index.components(separatedBy: "<svg").count > 10)
        #expect(index.contains("Documentation/Lesson.md\""))
        let check = try String(contentsOf: folder.url.appending(path: "check/index.html"), encoding: .utf8)
        #expect(check.contains("Failed: 1 of 3 scenarios") && check.contains("in the baseline"))
        let diff = try String(contentsOf: folder.url.appending(path: "diff.html"), encoding: .utf8)
        #expect(diff.contains("<td class=\"word good\">gone</td>"))
        let animation = try String(contentsOf: folder.url.appending(path: "animation.html"), encoding: .utf8)
        for text in ["id=\"frames-title\"", "load picture", "panel-waiting", "resident memory", "range-link"] {
            #expect(animation.contains(text), "\(text)")
        }
        for page in pages where page.hasSuffix(".html") && page != "index.html" && page != "diff.html" {
            let text = try String(contentsOf: folder.url.appending(path: page), encoding: .utf8)
            #expect(page == "analysis.html" || text.contains("<a href=\"index.html\">All reports</a>"), "\(page)")
        }
    }
}
