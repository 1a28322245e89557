import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofReport

/// The page of a live heap.
@Suite struct HeapPageTests {
    typealias Holder = Report.LiveHeap.Holder

    private static func holder(
        _ type: String, _ retained: UInt64, own: UInt64 = 16, count: Int = 1, field: String? = nil, root: String? = nil,
        children: [Holder] = []
    ) -> Holder {
        var row = Holder(type: type, count: count, ownBytes: own, retainedBytes: retained)
        row.field = field
        row.root = root
        row.children = children
        return row
    }

    private static func report(_ holders: [Holder], bytes: UInt64, types: [Report.LiveHeap.TypeRow] = []) -> Report {
        var report = ReportFixture.clean
        report.hotspots = nil
        report.allocations = nil
        var heap = Report.LiveHeap(snapshot: 1, name: "end", objects: 1234, bytes: bytes)
        heap.holders = holders
        heap.types = types
        report.liveHeap = heap
        return report
    }

    private static let game = report(
        [
            holder(
                "Game.Game", 90_000, root: "Game.current",
                children: [
                    holder(
                        "Game.Board", 80_000, own: 4096, field: "board",
                        children: [holder("Game.Card", 60_000, count: 40, field: "cards[…]")])
                ]), holder("Swift.__StringStorage", 500),
        ],
        bytes: 100_000,
        types: [.init(type: "Game.Card", count: 40, shallowBytes: 640, retainedBytes: 60_000)])

    @Test("the first line says how much lives and what holds most of it")
    func verdict() {
        #expect(
            PageVerdict(Self.game).sentence
                == "Nothing found; 98 KB live in 1,234 objects, 90 % held by Game (Game.current)")
        let spread = Self.report([Self.holder("Game.Game", 10)], bytes: 100_000)
        #expect(PageVerdict(spread).sentence == "Nothing found; 98 KB live in 1,234 objects")
    }

    @Test("without scripts the page has the drawing, the tree with its fields, and the holders of each type")
    func staticContents() throws {
        let page = try HTMLReport.render(Self.game)
        let body = try #require(page.range(of: "<section id=\"heap\"").map { String(page[$0.lowerBound...]) })
        #expect(body.contains("<title>board: Board: 80.0 %</title>"))
        #expect(body.contains("<span class=\"field\">cards[…]:</span> <b>Card</b>"))
        #expect(body.contains("<span class=\"number\">40</span> <span class=\"function\">Board.cards[…]</span>"))
        #expect(body.contains("<b>String</b>"))
    }

    @Test("a type opens to its paths, its references with fields and who allocated what it retains")
    func detail() throws {
        var report = Self.game
        var detail = Report.LiveHeap.Detail(
            asked: "Game.Card", type: "Game.Card", count: 40, shallowBytes: 640, retainedBytes: 60_000)
        detail.ways = [
            HeldBy(
                root: .init(kind: .global, name: "Game.current"),
                references: [
                    Reference(from: "Game.current", field: "", to: "Game.Game"),
                    Reference(from: "Game.Game", field: "board", to: "Game.Board"),
                ], instances: 25)
        ]
        detail.wayObjects = 30
        detail.incoming = [
            .init(type: "Game.Board", field: "cards[…]", ownership: "strong", count: 40, objects: 40),
            .init(type: "Game.<b>", field: "peek", ownership: "weak", count: 9, objects: 3),
        ]
        detail.outgoing = [.init(type: "Game.Board", field: "board", ownership: "unowned", count: 40, objects: 40)]
        detail.retained = [.init(type: "Game.Image", count: 12, bytes: 4096)]
        detail.retainedOmitted = 5
        report.liveHeap?.types[0].detail = detail
        report.liveHeap?.typesOmitted = 3
        let page = try HTMLReport.render(report)
        for text in [
            "25 of 30 held like this", "Game.board", "5 more objects held by other paths.",
            "The paths of 30 of 40 objects were examined.", "Board.cards[…]", "&gt;.peek", "weak, 3 objects",
            "board: Board", "unowned", "Retain 59 KB, allocated by", "12 × ", "5 more",
            "Paths and references are shown for 1 type, those that retain the most;",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("Game.<b>"))
    }

    @Test("a report without a graph of the heap has no such section")
    func absent() throws {
        #expect(try !HTMLReport.render(ReportFixture.clean).contains("id=\"heap\""))
    }

    private static func longDetail(_ name: String) -> Report.LiveHeap.Detail {
        var detail = Report.LiveHeap.Detail(asked: name, type: name, count: 1_000_000)
        let reference = Reference(from: name, field: name, to: name)
        detail.ways = (0..<10).map { _ in
            HeldBy(
                root: .init(kind: .global, name: name), references: [Reference](repeating: reference, count: 1_000),
                instances: 7)
        }
        detail.incoming = [Report.LiveHeap.ReferenceRow](
            repeating: .init(type: name, field: name, ownership: "conservative", count: 9, objects: 3), count: 12)
        detail.outgoing = detail.incoming
        detail.retained = [Report.LiveHeap.RetainedRow](
            repeating: .init(type: name, count: 9, bytes: 300), count: 12)
        return detail
    }

    @Test("the page of a heap with twenty thousand rows keeps its size and says what was cut")
    func largeHeap() throws {
        var bytes: UInt64 = 0
        func holders(_ depth: Int) -> [Holder] {
            (0..<12).map { index in
                let name = "Game.Type\(index)<" + String(repeating: "Generic.Argument, ", count: 8) + "\(depth)>"
                let children = depth < 3 ? holders(depth + 1) : []
                let row = Self.holder(
                    name, children.reduce(UInt64(100 + index)) { $0 + $1.retainedBytes }, field: "field\(index)",
                    children: children)
                bytes += 100
                return row
            }
        }
        let all = holders(0)
        let types = (0..<5000).map { number in
            let name = "Game.T\(number)" + String(repeating: "x", count: 900)
            var row = Report.LiveHeap.TypeRow(type: name, count: 200, shallowBytes: 10, retainedBytes: 20)
            if number < 50 { row.detail = Self.longDetail(name) }
            return row
        }
        let report = Self.report(all, bytes: all.reduce(0) { $0 + $1.retainedBytes }, types: types)
        let page = try HTMLReport.render(report)
        #expect(page.utf8.count <= HTMLReport.sizeLimit)
        #expect(page.contains("smaller rows of the tree are in the JSON report."))
        #expect(page.contains("more types are not listed; the totals count them."))
        #expect(page.contains("references in the middle are left out.") && page.contains("held by other paths."))
    }

    @Test("names from the program are escaped in the tree, the drawing and the table")
    func hostileNames() throws {
        let evil = "Game.<script>alert(1)</script>\u{1b}"
        let page = try HTMLReport.render(
            Self.report(
                [Self.holder(evil, 900, field: evil, root: evil)], bytes: 1000,
                types: [.init(type: evil, count: 1, shallowBytes: 1, retainedBytes: 900)]))
        #expect(!page.contains("<script>alert") && !page.contains("\u{1b}"))
        #expect(page.contains("&lt;script&gt;alert(1)"))
    }

    @Test("rows are cut from the smallest, and none is shown without its holder")
    func largestRows() {
        let heap = Self.game.liveHeap
        let tree = HeapTree(heap ?? Report.LiveHeap(snapshot: 1, name: "", objects: 0, bytes: 0))
        #expect(tree.rows.map(\.holder.type) == ["Game.Game", "Game.Board", "Game.Card", "Swift.__StringStorage"])
        #expect(tree.largest(2) == [true, true, false, false])
        let equal = Self.report(
            [Self.holder("A", 10, children: [Self.holder("B", 10, children: [Self.holder("C", 10)])])], bytes: 10)
        #expect(equal.liveHeap.map { HeapTree($0).largest(2) } == [true, true, false])
    }
}
