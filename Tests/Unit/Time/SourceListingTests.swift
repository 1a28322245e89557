import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// What the lines of functions took and allocated, and how a page shows them.
@Suite struct SourceListingTests {
    /// A function of the standard library, without source.
    private static let append = SymbolicatedFrame(
        function: "Array.append(_:)", module: "Swift", image: "game", origin: .runtime)

    private typealias Fixture = TimeFixture

    private static func line(
        _ number: Int, _ own: Double?, _ total: Double?, _ made: (UInt64, UInt64, UInt64)? = nil
    ) -> Report.LineRow {
        var row = Report.LineRow(line: number, own: own, total: total)
        if let made { (row.allocations, row.bytes, row.totalBytes) = made }
        return row
    }

    // MARK: - Lines of functions

    @Test("the time of an inlined function is that of its own line, and counts for its caller's line in all")
    func inlined() throws {
        let time = Fixture()
        let deal = Fixture.user("deal", line: 20, isInlined: true)
        time.sample(frames: [[Fixture.user("main", line: 3)], [deal, Fixture.user("play", line: 7)]], count: 6)
        time.sample(frames: [[Fixture.user("main", line: 3)], [Fixture.user("play", line: 9)]], count: 2)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots["deal"]?.lines == [Self.line(20, 0.75, 0.75)])
        #expect(hotspots["play"]?.lines == [Self.line(9, 0.25, 0.25), Self.line(7, 0, 0.75)])
        #expect(hotspots["main"]?.lines == [Self.line(3, 0, 1)])
    }

    @Test("two functions on one line have a figure each")
    func sharedLine() throws {
        let time = Fixture()
        let closure = Fixture.user("closure #1 in sum", line: 12)
        time.sample(frames: [[Fixture.user("sum", line: 12)], [closure]], count: 3)
        time.sample(frames: [[Fixture.user("sum", line: 12)]], count: 1)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots["sum"]?.lines == [Self.line(12, 0.25, 1)])
        #expect(hotspots["closure #1 in sum"]?.lines == [Self.line(12, 0.75, 0.75)])
    }

    @Test("what functions without source allocate is made by the line that called them")
    func allocations() throws {
        let time = Fixture()
        let (main, alloc) = ([Fixture.user("main", line: 3)], [Fixture.plumbing("swift_allocObject")])
        let card = Fixture.user("Card.init()", line: 31, isInlined: true)
        time.allocate(frames: [main, [Fixture.user("deal", line: 20)], [Self.append], alloc], count: 2, bytes: 640)
        time.allocate(frames: [main, [card, Fixture.user("deal", line: 21)], alloc], count: 50, bytes: 1_600)
        time.allocate(frames: [main, [Self.append], alloc], count: 1, bytes: 16)
        let functions = try #require(time.report().allocations?.functions)
        #expect(functions.map(\.function) == ["Card.init()", "deal", "main"])
        #expect(functions.map(\.bytes) == [1_600, 640, 16])
        #expect(functions.map(\.allocations) == [50, 2, 1])
        #expect(functions.map(\.totalBytes) == [1_600, 2_240, 2_256])
        #expect(functions[0].lines == [Self.line(31, nil, nil, (50, 1_600, 1_600))])
        #expect(functions[1].lines == [Self.line(20, nil, nil, (2, 640, 640)), Self.line(21, nil, nil, (0, 0, 1_600))])
        #expect(functions[2].lines == [Self.line(3, nil, nil, (1, 16, 2_256))])
    }

    @Test("a function that calls itself allocates once in all, and one without source is not listed")
    func recursion() throws {
        let time = Fixture()
        let walk = [Fixture.user("walk", line: 5)]
        time.allocate(frames: [walk, walk, walk, [Self.append]], count: 4, bytes: 64)
        time.allocate(frames: [[Fixture.user("bare")], [Self.append]], count: 9, bytes: 900)
        let functions = try #require(time.report().allocations?.functions)
        #expect(functions.map(\.function) == ["walk"])
        #expect(functions[0].lines == [Self.line(5, nil, nil, (4, 64, 64))])
    }

    @Test("where both were recorded, the lines have time and allocations, also those that have one of them alone")
    func both() throws {
        let time = Fixture()
        time.sample(frames: [[Fixture.user("deal", line: 20)]], count: 3)
        time.sample(frames: [[Fixture.user("deal", line: 22)]], count: 1)
        time.sample(frames: [[Fixture.user("draw", line: 40)]], count: 4)
        time.allocate(frames: [[Fixture.user("deal", line: 20)]], count: 2, bytes: 64)
        time.allocate(frames: [[Fixture.user("deal", line: 25)]], count: 1, bytes: 16)
        let report = time.report()
        let hotspots = try #require(report.hotspots)
        #expect(
            hotspots["deal"]?.lines == [
                Self.line(20, 0.375, 0.375, (2, 64, 64)), Self.line(22, 0.125, 0.125, (0, 0, 0)),
                Self.line(25, 0, 0, (1, 16, 16)),
            ])
        #expect(hotspots["draw"]?.lines == [Self.line(40, 0.5, 0.5, (0, 0, 0))])
        let read = try JSONReport.read(JSONReport.render(report))
        #expect(
            read.hotspots?.functions == hotspots.functions
                && read.allocations?.functions == report.allocations?.functions)
    }

    // MARK: - On the page

    /// A source file of so many lines, for as long as `body` runs.
    private func withSource(_ count: Int, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "gameprof-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = (1...count).map { "\t    \($0 % 2 == 0 ? "    " : "")line\($0) <tag>\n" }.joined()
        try Data(text.utf8).write(to: file)
        try body(file.path)
    }

    private func listing(_ lines: [Report.LineRow], _ file: String, _ sources: SourceLines) -> SourceListing {
        SourceListing(
            lines: lines, file: file,
            columns: [.init(name: "self") { "\($0.own ?? 0)" }, .init(name: "none") { _ in "" }],
            own: { $0.own ?? 0 }, total: { $0.total ?? 0 }, sources: sources, limits: PageLimits.steps[0])
    }

    private func rows(_ listing: SourceListing) throws -> [[String: Any]] {
        try #require(listing.values?["lines"] as? [[String: Any]])
    }

    /// The numbers of rows, of those alone that have a mark.
    private static func lines(of rows: [[String: Any]], where mark: String? = nil, is value: Bool = true) -> [String] {
        let chosen = rows.filter { row in mark == nil || row[mark ?? ""] as? Bool == value }
        return chosen.compactMap { $0["line"] as? String }
    }

    private static let lines = [line(20, 0.5, 0.5), line(4, 0.2, 0.3), line(6, 0, 0.1)]

    @Test("a function's lines stand in the order of the file with those around them, and the hottest is marked")
    func excerpt() throws {
        try withSource(30) { file in
            let listing = listing(Self.lines, file, SourceLines())
            let rows = try rows(listing)
            let shown: [String] = ["2", "3", "4", "5", "6", "7", "8", "18", "19", "20", "21", "22"]
            #expect(Self.lines(of: rows) == shown)
            #expect(Self.lines(of: rows, where: "isApart") == ["18"])
            #expect(Self.lines(of: rows, where: "isAround", is: false) == ["4", "6", "20"])
            #expect(Self.lines(of: rows, where: "isHottest") == ["20"])
            let texts = rows.prefix(3).compactMap { $0["text"] as? String }
            #expect(texts == ["    line2 <tag>", "line3 <tag>", "    line4 <tag>"])
            #expect(listing.values?["heads"] as? [String] == ["self"], "a column without a figure is left out")
        }
    }

    @Test(
        "of a file that was edited since the build, of one that is shorter, and without sources there are figures alone"
    )
    func withoutText() throws {
        try withSource(30) { file in
            let now = Date().timeIntervalSince1970
            let (edited, hidden) = (SourceLines(builtAt: now - 60), SourceLines(builtAt: now + 60, areHidden: true))
            let short = [Self.line(20, 0.5, 0.5), Self.line(99, 0.1, 0.1)]
            for listing in [
                listing(Self.lines, file, edited), listing(Self.lines, file, hidden),
                listing(short, file, SourceLines()),
                listing(Self.lines, file + "x.swift", SourceLines()),
            ] {
                let rows = try rows(listing)
                #expect(rows.count == listing.lines.count)
                #expect(Self.lines(of: rows, where: "isAround").isEmpty)
                let texts = rows.compactMap { $0["text"] as? String }
                #expect(texts.allSatisfy { $0.isEmpty })
            }
            let remark = listing(Self.lines, file, edited).values?["remark"] as? String
            #expect(remark?.contains("edited since the build") == true)
            #expect(listing(Self.lines, file, hidden).values?["remark"] as? Bool == false)
        }
    }

    @Test(
        "equal figures mark the first line, and lines that took nothing themselves are told apart by all that they called"
    )
    func hottest() throws {
        try withSource(9) { file in
            let equal = [Self.line(7, 0.5, 0.5), Self.line(3, 0.5, 0.6)]
            let calling = [Self.line(7, 0, 0.2), Self.line(3, 0, 0.1)]
            for (lines, hottest) in [(equal, "3"), (calling, "7")] {
                let rows = try rows(listing(lines, file, SourceLines()))
                #expect(Self.lines(of: rows, where: "isHottest") == [hottest])
            }
        }
    }

    @Test("a function with many lines has fewer lines around them, so that the page stays small")
    func bounded() throws {
        try withSource(200) { file in
            let lines = (1...24).map { Self.line($0 * 8, 0.01, 0.01) }
            let rows = try rows(listing(lines, file, SourceLines()))
            #expect(rows.count <= PageLimits.steps[0].sourceLines && rows.count >= 24)
        }
    }

    @Test("the functions with the most themselves show their lines, and some of those that called most")
    func chosen() {
        let own = [5.0, 4, 3, 2, 1, 0, 0]
        let total = [5.0, 4, 3, 2, 1, 9, 8]
        #expect(SourceListing.shown(own: own, total: total, limit: 3) == [0, 1, 5])
        #expect(SourceListing.shown(own: own, total: total, limit: 0).isEmpty)
    }

    @Test("the page has the lines of the source, and none where they are left out")
    func page() throws {
        try withSource(30) { file in
            let time = Fixture()
            var deal = Fixture.user("deal", line: 20)
            deal.file = file
            time.sample(frames: [[deal]], count: 3)
            time.allocate(frames: [[deal]], count: 1, bytes: 16)
            let report = time.report()
            let page = try HTMLReport.render(report)
            #expect(page.components(separatedBy: "line20 &lt;tag&gt;").count == 3, "in both tables")
            #expect(page.contains("line18 &lt;tag&gt;") && !page.contains("line17") && !page.contains("<tag>"))
            let without = try HTMLReport.render(report, options: PageOptions(showsSources: false))
            #expect(!without.contains("&lt;tag&gt;") && without.contains("class=\"hottest\""))
        }
    }
}
