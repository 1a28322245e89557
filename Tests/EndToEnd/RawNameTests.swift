import Foundation
import Testing

@testable import GameprofAnalysis

/// Raw identifiers hold points, brackets, quotes and spaces, with which names are put together.
@Suite struct RawNameTests {
    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Common.swift", "RawNames.swift"], module: "RawNames", build: build)
    }

    private func record(_ words: [String], of build: SwiftProgram.Build) throws -> (report: Report, page: String) {
        let folder = try TemporaryFolder()
        let (json, page) = (folder.url.appending(path: "report.json"), folder.url.appending(path: "page.html"))
        let program = try Self.program(build).path
        let result = try Command.run(
            Products.gameprof,
            [words[0], "--quiet", "--json", json.path, "--html", page.path] + words.dropFirst() + ["--", program])
        #expect([0, 1].contains(result.status), "\(result.error)")
        #expect(result.output == "done\n")
        return (try Report(json: json), try String(contentsOf: page, encoding: .utf8))
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `titles, paths and fixes have raw identifiers whole`(in build: SwiftProgram.Build) throws {
        let (report, page) = try record(["leaks"], of: build)
        let paths = Set(report.findings.flatMap(\.references).map { "\($0.from) \($0.path)" })
        let board = "RawNames.`Board v1.2`"
        for path in [
            "\(board) `my peer.x`", "\(board) `on end -> all`", "\(board) `which <one>`.`first <case> in.it`",
            "\(board) `pair, of`.0", "\(board) `all [of them]`[…]", "\(board) `by name: it`[…]",
            "\(board) `later in.it`", "\(board) `_wrap it.y`.wrappedValue", "\(board) `0`",
            "\(board) `any \"one\"`",
            "RawNames.`Stack<Int> of cards`<Swift.AnyObject> `top.of`",
            "RawNames.`Stack<Int> of cards`<\(board)>.`Nested, in.it` `outer in`",
            "RawNames.`In array.x`<\(board)> `me.x`", "RawNames.`Hidden one (it)` `me.x`",
            "RawNames.`Local (in) it` `me.x`", "RawNames.`closure #1 in <script>alert(\"1\")</script>` `me & 'you'`",
        ] {
            #expect(paths.contains(path), "\(path) in \(paths.sorted())")
        }
        let titles = Set(report.findings.map(\.title))
        for name in [
            "`Board v1.2` ⇄ `Board v1.2`", "`Board v1.2` ↺", "`Stack<Int> of cards` ↺", "`Nested, in.it` ↺",
            "`In array.x` ↺", "`Hidden one (it)` ↺", "`Local (in) it` ↺",
            "`closure #1 in <script>alert(\"1\")</script>` ↺", "Plain ↺",
        ] {
            #expect(titles.contains("Retain cycle: \(name)"), "\(name) in \(titles.sorted())")
        }
        let fixes = report.findings.compactMap(\.fix).joined(separator: "\n")
        for words in [
            "make `Board v1.2`.`my peer.x` weak (weak var `my peer.x`)", "`Board v1.2`.`0` weak (weak var `0`)",
            "set `Board v1.2`.`on end -> all` to nil in `Board v1.2`'s code", "`Stack<Int> of cards`.`top.of`",
            "`Nested, in.it`.`outer in`", "`Board v1.2`.`later in.it`", "`Board v1.2`.`wrap it.y`",
        ] {
            #expect(fixes.contains(words), "\(words) in \(fixes)")
        }
        let closures = Set(report.findings.flatMap(\.references).filter { $0.captures == "self" }.compactMap(\.closure))
        #expect(closures == ["closure #1 in `Board v1.2`.`play the (game) in x`(`how many in`:)"])
        #expect(report.findings.allSatisfy { $0.isAllocated(by: "`make all of v1.2 in one`()") })
        #expect(!page.contains("<script>alert"))
        #expect(page.contains("closure #1 in &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"))
    }

    /// The closure of an operator captures an object that is no self.
    @Test(arguments: SwiftProgram.Build.usual)
    func `a closure in an operator is called by it`(in build: SwiftProgram.Build) throws {
        let closures = try record(["leaks"], of: build).report.findings.flatMap(\.references).compactMap(\.closure)
        #expect(closures.contains { $0.hasPrefix("closure #1 in static `Board v1.2`...< infix(") }, "\(closures)")
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `allocations and chosen objects are those of the type`(in build: SwiftProgram.Build) throws {
        let report = try record(["allocations", "--objects", "`Board v1.2`"], of: build).report
        let objects = try #require(report.allocations?.objects)
        #expect(objects.total == 12)
        let types = Set(report.allocations?.byType.map(\.type) ?? [])
        #expect(types.contains("RawNames.`Board v1.2`") && types.contains("RawNames.Plain"))
        #expect(!types.contains { $0.unicodeScalars.contains("\u{a0}") })
    }
}
