import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport

@Suite struct PageVerdictTests {
    private func report(_ instruments: [Instrument], heap: Bool = false) -> Report {
        var report = Report(target: .init(executable: "/bin/game"), capture: .init(instruments: instruments))
        if heap { report.heap = .init() }
        return report
    }

    @Test func `a hotspot is neither good nor bad`() {
        var time = TimeFixture.game.report()
        #expect(PageVerdict(time).kind == .neutral)
        time.heap = .init()
        #expect(PageVerdict(time).kind == .neutral)
    }

    @Test func `what was not measured is never good`() {
        #expect(PageVerdict(report([.leaks])).kind == .unmeasured)
        #expect(PageVerdict(report([.leaks], heap: true)).kind == .good)
        var warned = report([.leaks])
        warned.findings = [Finding(kind: .retainCycle, severity: .warning, signature: "1", title: "A", type: "A")]
        #expect(PageVerdict(warned).kind == .unmeasured)
        #expect(PageVerdict(warned).sentence == "Not measured: no conclusion about leaks; 1 warning")
        var cut = report([.leaks], heap: true)
        cut.capture.dropped = 3
        #expect(PageVerdict(cut).kind == .unmeasured)
        var killed = report([.zombies])
        #expect(PageVerdict(killed).kind == .good)
        killed.target.exit = .init(signal: 9)
        #expect(PageVerdict(killed).kind == .unmeasured)
        #expect(PageVerdict(report([.allocations])).kind == .neutral)
    }

    @Test func `a report without findings does not say that nothing was found where something grew`() {
        var grown = report([.leaks], heap: true)
        #expect(TextSummary.verdict(grown) == "nothing found")
        grown.grew = [Report.Grown(type: "Game.Card")]
        #expect(TextSummary.verdict(grown) == "no leak, but growth")
        #expect(PageVerdict(grown).sentence.hasPrefix("No leak, but growth"))
    }

    @Test(
        "a verdict names only what was looked for",
        arguments: [
            ([.leaks, .allocations], true, false, "nothing found"), ([.leaks], true, true, "no leak, but growth"),
            ([.allocations, .time, .files], false, true, "growth; leaks were not looked for"),
            ([.allocations], false, true, "growth; leaks were not looked for"),
            ([.allocations, .time, .files], false, false, "no descriptor leak found"),
            ([.files], false, false, "no descriptor leak found"), ([.zombies], false, false, "nothing found"),
            ([.leaks, .files], true, false, "nothing found"),
        ] as [([Instrument], Bool, Bool, String)])
    func lookedFor(_ instruments: [Instrument], heap: Bool, grew: Bool, _ expected: String) throws {
        var looked = report(instruments, heap: heap)
        if grew { looked.grew = [Report.Grown(type: "Game.Card")] }
        if instruments.contains(.files) { looked.files = Report.Files() }
        #expect(TextSummary.verdict(looked) == expected)
        let page = try HTMLReport.render(looked)
        if !heap {
            #expect(!page.lowercased().contains("no leak") && !page.contains("Nothing leaks"))
            let isGood = !grew && looked.capture.instruments.contains { [.files, .zombies].contains($0) }
            #expect((PageVerdict(looked).kind == .good) == isGood)
        }
    }

    @Test func `many descriptors of one function that are open are stated, and are not good`() throws {
        var open = report([.files])
        var files = Report.Files()
        let stack = CallStack(frames: [CallStack.Frame(function: "readNotes()")])
        files.neverClosed = [
            .init(
                kind: .file, count: 300, opened: 600, files: ["a"], firstSeconds: 0, lastSeconds: 1, stack: stack,
                heldBy: nil)
        ]
        open.files = files
        let sentence = "300 descriptors that readNotes() opened are still open"
        #expect(TextSummary.verdict(open) == sentence)
        #expect(PageVerdict(open).kind == .neutral && PageVerdict(open).sentence.hasPrefix(sentence))
        #expect(try HTMLReport.render(open).contains("<p class=\"neutral\">\(sentence).</p>"))
        open.heap = .init()
        #expect(TextSummary.verdict(open) == "no leak, but \(sentence)")
    }

    @Test func `what stayed after a memory warning is told, and is not good`() {
        var warned = report([.leaks, .allocations], heap: true)
        let backdrop = CallStack(frames: [CallStack.Frame(function: "Backdrop.init(level:)")])
        warned.memoryWarnings = [
            .init(
                seconds: 0.5, handledSeconds: 0.6, liveBytesBefore: 2_000, liveBytesAfter: 2_000,
                byStack: [.init(type: "Array", liveCount: 2, liveBytes: 1_900, allocatedBy: backdrop)])
        ]
        let verdict = PageVerdict(warned)
        #expect(verdict.kind == .neutral)
        let told =
            "Nothing found; after the memory warning at 0.50 s 100 % stayed, 2.0 KB, most of it made in "
            + "Backdrop.init(level:)"
        #expect(verdict.sentence == told)
    }

    @Test("the page of a program that crashed begins with that, not with a cycle") func crash() {
        var crashed = report([.leaks], heap: true)
        crashed.findings = [Finding(kind: .retainCycle, signature: "1", title: "Retain cycle: A ⇄ B", type: "A")]
        crashed.crash = Report.Crash(signal: 4, seconds: 1)
        crashed.crash?.stack = CallStack(frames: [CallStack.Frame(function: "Deck.draw()", origin: .user)])
        let verdict = PageVerdict(crashed)
        #expect(verdict.kind == .error)
        #expect(verdict.sentence == "Crash: signal 4 (Illegal instruction) in Deck.draw(); besides 1 leak")
    }

    @Test("the page begins with the worst finding, its instances and bytes") func worst() {
        func finding(_ title: String, _ severity: Finding.Severity, _ count: Int, _ bytes: UInt64) -> Finding {
            var finding = Finding(kind: .retainCycle, severity: severity, signature: title, title: title, type: "A")
            (finding.count, finding.bytes) = (count, bytes)
            return finding
        }
        var leaks = report([.leaks], heap: true)
        leaks.findings = [finding("Retain cycle: Session ⇄ UserContext", .error, 71_257, 43 << 20)]
        #expect(PageVerdict(leaks).sentence == "Session ⇄ UserContext: 71,257 cycles, 43 MB")
        leaks.findings += [
            finding("Retain cycle: Card ↺", .error, 3, 96), finding("Retain cycle: Bus ↺", .warning, 1, 90_000_000),
        ]
        #expect(
            PageVerdict(leaks).sentence
                == "Session ⇄ UserContext: 71,257 cycles, 43 MB (the worst of 2 leaks, 1 warning)")
    }

    @Test("the page of allocations names the function of the user's that allocated the most bytes") func maker() {
        var allocations = report([.allocations])
        var section = Report.Allocations()
        section.totals.bytes = 1000
        func row(_ function: String, _ bytes: UInt64) -> Report.StackRow {
            var row = Report.StackRow(
                type: "A", counts: .init(),
                allocatedBy: CallStack(frames: [.init(function: "malloc", origin: .library), .init(function: function)])
            )
            row.counts.bytes = bytes
            return row
        }
        section.byStack = [row("Board.deal()", 400), row("Card.flip()", 450), row("Board.deal()", 100)]
        allocations.allocations = section
        #expect(PageVerdict(allocations).sentence.hasSuffix(", 50 % of the bytes in Board.deal()"))
    }

    @Test func `a page without a search for leaks says so without green`() throws {
        let page = try HTMLReport.render(report([.leaks]))
        #expect(page.contains("<p class=\"unmeasured\">There is no heap snapshot"))
        #expect(!page.contains("class=\"verdict good\""))
    }

    @Test(arguments: [
        (Editor.vscode, "vscode://file/src/Board.swift:41"), (.idea, "idea://open?file=/src/Board.swift&amp;line=41"),
    ])
    func `source lines are links to the editor that is asked for`(_ editor: Editor, _ link: String) throws {
        let page = try HTMLReport.render(ReportFixture.full, options: PageOptions(editor: editor))
        #expect(page.contains("href=\"\(link)\""))
        #expect(try !HTMLReport.render(ReportFixture.full).contains("://file"))
    }

    @Test func `an editor's link holds no character that ends it`() throws {
        let link = try #require(Editor.idea.link(file: "/src/a b\"<&?line=9#.swift", line: 3))
        #expect(link == "idea://open?file=/src/a%20b%22%3C%26%3Fline%3D9%23.swift&line=3")
        #expect(Editor.vscode.link(file: "relative.swift", line: 1) == nil)
    }

    @Test func `a page leads back to the page that lists it`() throws {
        let page = try HTMLReport.render(ReportFixture.clean, options: PageOptions(index: "all runs.html"))
        #expect(page.contains("<a href=\"all%20runs.html\">All reports</a>"))
    }

    @Test func `parts of the run are joined until they fit the page`() {
        let time = TimeFixture()
        for step in 0..<6 { time.sample("main", "step\(step)", count: 5) }
        let tree = time.report().hotspots?.callTree ?? .init()
        func moments(_ limit: Int) -> Report.Hotspots.CallTree.Moments {
            FlameData(tree, kind: "cpu", nodeLimit: 100, momentLimit: limit, textLength: 80).moments
        }
        func sum(_ moments: Report.Hotspots.CallTree.Moments) -> Int { moments.entries.reduce(0) { $0 + $1[2] } }
        let (fine, coarse) = (moments(10_000), moments(8))
        #expect(sum(fine) == 30_000 && sum(coarse) == 30_000)
        #expect(fine.entries.count > 8 && coarse.entries.count <= 8 && coarse.seconds > fine.seconds)
    }
}
