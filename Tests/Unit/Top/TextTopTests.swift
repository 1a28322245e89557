import Testing

@testable import GameprofAnalysis
@testable import GameprofReport

@Suite struct TextTopTests {
    private static func moment() -> TopMoment {
        var moment = TopMoment(process: 4711, program: "server", seconds: 1)
        (moment.residentBytes, moment.threadCount, moment.descriptors) = (96 << 20, 9, 42)
        moment.functions = (0..<40).map {
            TopMoment.Function(
                name: "Parser.step\($0)(_:)", module: "Server", own: 0.4 / Double($0 + 1), total: Double($0) / 100)
        }
        moment.threads = [.init(name: "main", share: 0.2), .init(name: "NIO-ELT-0", share: 0.95)]
        var heap = TopHeap()
        (heap.bytes, heap.blocks, heap.grownBytes, heap.pause) = (5 << 20, 1_204, 1 << 20, 0.004)
        heap.types = [("Order", 12, 700), ("Item", 900, 400), ("Cart", 3, 400)].map {
            TopHeap.TypeRow(type: "Server.\($0.0)", count: $0.1, bytes: $0.2)
        }
        heap.types[2].grownBytes = 300
        moment.heap = heap
        return moment
    }

    private static func text(
        _ moment: TopMoment = moment(), _ change: (inout TextTop.View) -> Void = { _ in }, width: Int = 80
    ) -> TextTop {
        var view = TextTop.View()
        change(&view)
        return TextTop(moment, view, TextStyle(), width: width)
    }

    @Test(arguments: [(80, 24), (200, 50), (40, 8), (20, 3)])
    func `a screen has as many lines as the terminal, and none is longer than it is wide`(width: Int, height: Int) {
        for table in [nil] + TextTop.Table.allCases {
            let lines = Self.text(Self.moment(), { $0.table = table }, width: width).screen(
                height: height, at: "12:00:00")
            #expect(lines.count == height && lines.allSatisfy { $0.count <= width }, "\(lines)")
        }
    }

    @Test func `the heading says what the process uses, and since when its heap has grown`() {
        let lines = Self.text().screen(height: 24, at: "12:00:00")
        #expect(lines[0].hasPrefix("server (4711) · 1.15 processors · 96 MB · 9 threads · 42 descriptors"))
        #expect(lines[0].hasSuffix("12:00:00"))
        #expect(
            lines[1] == "Heap 5.0 MB in 1,204 blocks, +1.0 MB since the first look · stopped for 4.0 ms", "\(lines[1])")
    }

    @Test func `types come by bytes, growth or count, and equal ones by their names`() {
        func types(_ order: TextTop.Order) -> [String?] {
            let text = Self.text { ($0.table, $0.order) = (.types, order) }
            return (0..<3).map(text.type)
        }
        #expect(types(.first) == ["Server.Order", "Server.Item", "Server.Cart"])
        #expect(types(.second) == ["Server.Cart", "Server.Order", "Server.Item"])
        #expect(types(.third) == ["Server.Item", "Server.Order", "Server.Cart"])
    }

    @Test func `a row without the text of the filter is left out, in upper and lower case alike`() {
        let text = Self.text { ($0.table, $0.filter) = (.functions, "STEP7") }
        #expect(text.count(of: .functions) == 1 && text.count(of: .types) == 0)
        #expect(text.screen(height: 10, at: "").contains { $0.contains("step7(_:)") })
    }

    @Test func `a marked row below the screen is scrolled to`() {
        let lines = Self.text { ($0.table, $0.selected) = (.functions, 30) }.screen(height: 12, at: "")
        #expect(lines.contains { $0.hasPrefix("▸") && $0.contains("step30(_:)") }, "\(lines)")
    }

    @Test func `what a program names cannot command the terminal`() {
        var moment = Self.moment()
        moment.program = "\u{1b}]0;x\u{7}"
        moment.functions = [.init(name: "f\u{1b}[2J()", module: "m\u{202e}", own: 1, total: 1)]
        moment.heap?.types = [TopHeap.TypeRow(type: "T\u{9b}1m", count: 1, bytes: 1)]
        for line in Self.text(moment).screen(height: 24, at: "") {
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) })
            #expect(!line.unicodeScalars.contains("\u{202e}"))
        }
    }

    @Test func `what holds a type is cut to the screen, and its name commands no terminal either`() {
        let text = Self.text {
            ($0.table, $0.ways) = (
                .types, ("T\u{1b}]52;x", [String](repeating: String(repeating: "→", count: 300), count: 30))
            )
        }
        let lines = text.screen(height: 12, at: "")
        #expect(lines.count == 12 && lines.allSatisfy { $0.count <= 80 && !$0.contains("\u{1b}") }, "\(lines)")
    }

    @Test func `without a look at the heap the reason stands in its place`() {
        var moment = Self.moment()
        (moment.heap, moment.heapProblem) = (nil, "Process 4711 may not be read.")
        #expect(Self.text(moment).screen(height: 9, at: "")[1] == "Heap and tasks: Process 4711 may not be read.")
    }
}
