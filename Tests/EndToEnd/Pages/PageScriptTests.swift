import Foundation
import GameprofTestSupport
import Testing

/// The pages in a real browser: every control is used, and no script fails.
@Suite(.enabled(if: Browser.isInstalled)) struct PageScriptTests {
    enum Page: String, CaseIterable, CustomStringConvertible {
        case leaks, allocations, time, both, zombies, comparison, heap, heapComparison, animation
        case files, objects, memoryWarning

        var description: String { rawValue }

        private static let pages = Once<Page, URL>()

        func written() throws -> URL {
            try Self.pages.value(for: self) {
                let folder = Products.folder.appending(path: "test-pages/\(rawValue)")
                try? FileManager.default.removeItem(at: folder)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                return try write(in: folder)
            }
        }

        /// Records what the page shows and writes it.
        private func write(in folder: URL) throws -> URL {
            let page = folder.appending(path: "\(rawValue).html")
            let lab = Products.GameLabBuild.release.executable.path
            func record(_ instruments: String, _ arguments: [String], to trace: String) throws {
                _ = try Command.run(
                    Products.gameprof,
                    ["record", "--instruments", instruments, "--output", trace, "--", lab] + arguments,
                    directory: folder)
            }
            switch self {
            case .leaks: try record("leaks", ["fault", "undo-cycle"], to: "a.gptrace")
            case .allocations: try record("allocations,leaks", ["play", "both", "--seed", "1"], to: "a.gptrace")
            case .both:
                try record("time,allocations", ["fault", "compute-sum", "--presses", "13"], to: "a.gptrace")
            case .time: try record("time", ["fault", "compute-sum", "--presses", "13"], to: "a.gptrace")
            case .animation:
                let result = try Command.run(
                    Products.gameprof,
                    [
                        "record", "--instruments", "time,allocations", "--wall", "--output", "a.gptrace", "--",
                        Products.animatedGame.path, "60",
                    ], directory: folder)
                try #require(result.status == 0, "\(result.error)")
            case .zombies: try record("zombies", ["fault", "zombie"], to: "a.gptrace")
            case .files: try record("files", ["fault", "descriptor-leak"], to: "a.gptrace")
            case .objects, .memoryWarning: break
            case .heap: try record("allocations,leaks,heap", ["fault", "card-cache"], to: "a.gptrace")
            case .heapComparison:
                for (trace, games) in [("a.gptrace", "40"), ("b.gptrace", "120")] {
                    try record("allocations,leaks,heap", ["fault", "card-cache", "--presses", games], to: trace)
                }
            case .comparison:
                try record("time,allocations", ["fault", "compute-sum", "--presses", "12"], to: "a.gptrace")
                try record("time,allocations", ["fault", "compute-sum", "--presses", "13"], to: "b.gptrace")
            }
            let command =
                switch self {
                case .comparison: ["diff", "a.gptrace", "b.gptrace"]
                case .heapComparison: ["heap", "diff", "a.gptrace", "b.gptrace"]
                case .objects: ["allocations", "--objects", "*Card*"]
                case .memoryWarning: ["leaks"]
                default: ["report", "a.gptrace"]
                }
            let program: [String] =
                switch self {
                case .objects: ["--", lab, "play", "both", "--seed", "1"]
                case .memoryWarning: ["--", lab, "fault", "memory-warning"]
                default: []
                }
            _ = try Command.run(Products.gameprof, command + ["--html", page.path] + program, directory: folder)
            return page
        }
    }

    @Test(arguments: Page.allCases)
    func `every control of a page works without an error, and no page is wider than its window`(_ page: Page) throws {
        let browser = try Browser()
        for width in [420, 1200] {
            try browser.open(try page.written(), width: width)
            let content = try browser.evaluate("document.documentElement.scrollWidth") as? Int
            #expect(try #require(content) <= width)
        }
        try browser.evaluate(Self.useEveryControl)
        #expect(browser.errors == [])
        let controls = try #require(browser.evaluate("window.usedControls") as? Int)
        #expect(controls >= 3)
        if page == .time || page == .comparison || page == .heap {
            let boxes = try browser.evaluate("document.querySelectorAll('.flame-svg g.fn').length") as? Int
            #expect(try #require(boxes) > 3)
        }
    }

    @Test(arguments: Page.allCases)
    func `a narrow window shows tables and their heads whole, and a wide one graphs as wide as itself`(_ page: Page)
        throws
    {
        let browser = try Browser()
        try browser.open(try page.written(), width: 420)
        let cut = """
            [...document.querySelectorAll(".scroll:not(:has(svg)), thead th")]
              .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent)
            """
        #expect(try #require(browser.evaluate(cut) as? [String]) == [])
        try browser.open(try page.written(), width: 1600)
        let narrow = """
            [...document.querySelectorAll(".flame")]
              .filter((flame) => flame.checkVisibility() && flame.clientWidth < 1400).length
            """
        #expect(try browser.evaluate(narrow) as? Int == 0)
        #expect(browser.errors == [])
    }

    @Test(arguments: [420, 1200])
    func `the table of processes fits its window, and its links lead to pages`(_ width: Int) throws {
        let folder = try TemporaryFolder()
        let lab = Products.GameLabBuild.release.executable.path
        let line = "\(lab) fault undo-cycle; for i in 1 2 3; do /bin/true; done"
        _ = try Command.run(
            Products.gameprof, ["leaks", "--follow", "--quiet", "--html", "p.html", "--", "sh", "-c", line],
            directory: folder.url)
        let browser = try Browser()
        try browser.open(folder.url.appending(path: "p.html"), width: width)
        #expect(try #require(browser.evaluate("document.documentElement.scrollWidth") as? Int) <= width)
        let names = "[...document.querySelectorAll('#processes tbody th')].map((head) => head.textContent)"
        let shown = try #require(browser.evaluate(names) as? [String])
        #expect(shown.count == 3 && shown.contains { $0.hasPrefix("3 × true") }, "\(shown)")
        let found = "document.querySelector('#processes tr.error').textContent"
        #expect(try #require(browser.evaluate(found) as? String).hasSuffix("1 error"))
        let links = "[...document.querySelectorAll('#processes a, .entry a')].map((link) => link.getAttribute('href'))"
        let pages = try #require(browser.evaluate(links) as? [String])
        #expect(Set(pages).count == 5)
        #expect(pages.allSatisfy { FileManager.default.fileExists(atPath: folder.url.appending(path: $0).path) })
        #expect(browser.errors == [])
    }

    @Test func `a long name is wrapped behind its separators, and the text stays the same`() throws {
        let browser = try Browser()
        try browser.open(try Page.leaks.written(), width: 420)
        let parts = """
            [...document.querySelectorAll("wbr")].map((at) => at.previousSibling.data.at(-1)).filter((last) => !".:,(<_/".includes(last))
            """
        #expect(try #require(browser.evaluate("document.querySelectorAll('wbr').length") as? Int) > 0)
        #expect(try #require(browser.evaluate(parts) as? [String]) == [])
        let title = "document.querySelector('.why').textContent"
        #expect(
            try #require(browser.evaluate(title) as? String).contains("HoldingPuzzle.init(length:undoManager:center:)"))
        #expect(browser.errors == [])
    }

    @Test func `dragging on the timeline with Shift filters the graphs and tables, and Escape shows the whole run`()
        throws
    {
        let browser = try Browser()
        try browser.open(try Page.both.written())
        try browser.evaluate(Self.drag)
        func shown() throws -> [String] {
            try #require(
                browser.evaluate("[...document.querySelectorAll('.flame-svg')].map((s) => s.textContent)") as? [String])
        }
        // The script draws when the layout is known.
        try browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        let whole = try shown()
        try browser.evaluate("drag(0, 0.08)")
        #expect(try shown() != whole)
        #expect(try browser.evaluate("gp.range !== null") as? Bool == true)
        let figures = "[...document.querySelectorAll('[data-functions] td')].map((c) => c.textContent).join()"
        #expect(try #require(browser.evaluate(figures) as? String).contains("0.0 %"))
        #expect(try browser.evaluate("document.querySelectorAll('.selection:not([hidden])').length") as? Int == 1)
        let now = try #require(browser.evaluate("document.getElementById('range-now').textContent") as? String)
        #expect(now.contains(" of "))
        try browser.evaluate(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))")
        #expect(try browser.evaluate("gp.range === null") as? Bool == true)
        #expect(try shown() == whole)
        try browser.evaluate("drag(0.3, 0.9); document.getElementById('range-reset').click()")
        #expect(try browser.evaluate("gp.range === null") as? Bool == true)
        #expect(browser.errors == [])
    }

    @Test func `a chosen part and the rest of the run make up the whole`() throws {
        let browser = try Browser()
        try browser.open(try Page.both.written())
        try browser.evaluate(Self.drag)
        let counted = """
            (() => {
              const data = JSON.parse(document.querySelector('#allocations .flame-data').textContent), m = data.moments;
              const whole = data.nodes[0][3];
              let sum = 0;
              for (let i = 0; i < m.entries.length; i += 2 + m.weights) sum += m.entries[i + 3];
              return [whole, sum];
            })()
            """
        let sums = try #require(browser.evaluate(counted) as? [Int])
        #expect(sums[0] == sums[1] && sums[0] > 100)
    }

    @Test func `the waits are a tab beside the CPU time, with a graph and functions of their own`() throws {
        let browser = try Browser()
        try browser.open(try Page.animation.written())
        func visible(_ panel: String) throws -> Bool {
            try #require(browser.evaluate("document.getElementById('panel-\(panel)').offsetHeight > 0") as? Bool)
        }
        let tabs = "[...document.querySelectorAll('.tabs [role=tab]')]"
        #expect(try browser.evaluate("\(tabs).map((t) => t.textContent)") as? [String] == ["CPU time", "Waiting"])
        #expect(try visible("cpu") && !visible("waiting"))
        try browser.evaluate("\(tabs)[1].click()")
        #expect(try visible("waiting") && !visible("cpu"))
        #expect(try browser.evaluate("\(tabs)[1].getAttribute('aria-selected')") as? String == "true")
        try browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        let boxes = try browser.evaluate("document.querySelectorAll('#panel-waiting .flame-svg g.fn').length") as? Int
        #expect(try #require(boxes) > 3)
        let rows = "[...document.querySelectorAll('#panel-waiting tbody tr')].map((r) => r.textContent).join()"
        let functions = try #require(browser.evaluate(rows) as? String)
        #expect(functions.contains("FrameClock.waitForNextFrame()") && functions.contains("sleep"))
        #expect(functions.contains("PictureLoader.picture(number:)"))
        try browser.evaluate(
            "\(tabs)[1].dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))")
        #expect(try visible("cpu") && !visible("waiting"))
        #expect(browser.errors == [])
    }

    @Test func `the table of functions follows the chosen thread, and the page says what does not`() throws {
        let browser = try Browser()
        try browser.open(try Page.animation.written())
        let panel = "document.getElementById('panel-cpu')"
        let shares = "[...\(panel).querySelectorAll('[data-functions] td')].map((c) => c.textContent).join()"
        let scope = "\(panel).querySelector('.flame-scope').textContent"
        func choose(_ number: Int) throws {
            let chooser = "\(panel).querySelector('.flame-root')"
            try browser.evaluate("\(chooser).selectedIndex = \(number); \(chooser).dispatchEvent(new Event('change'))")
        }
        let whole = try #require(browser.evaluate(shares) as? String)
        try choose(1)
        #expect(try browser.evaluate(shares) as? String != whole)
        #expect(try #require(browser.evaluate(scope) as? String).contains("the other figures are of all threads"))
        try choose(0)
        #expect(try browser.evaluate(shares) as? String == whole)
        #expect(try browser.evaluate(scope) as? String == "")
        #expect(browser.errors == [])
    }

    @Test(arguments: [("#panel-cpu", 420), ("#panel-cpu", 1200), ("#allocations", 1200)])
    func `a chosen function shows its lines of source with their figures`(_ part: String, _ width: Int) throws {
        let browser = try Browser()
        try browser.open(try Page.both.written(), width: width)
        try browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        try browser.evaluate(
            """
            window.source = document.querySelector("\(part) .flame-source");
            window.press = (key) => document.querySelector("\(part) .flame-svg").dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            """)
        #expect(try browser.evaluate("source.hidden") as? Bool == true)
        // Down the heaviest path, to a function with lines of its own.
        let own = "['self', 'allocations'].includes(source.querySelector('.head .number')?.textContent)"
        try browser.evaluate("for (let i = 0; i < 60 && !(\(own)); i++) press('ArrowDown')")
        #expect(try browser.evaluate("source.checkVisibility()") as? Bool == true)
        let place = try #require(browser.evaluate("source.querySelector('h4 .place').textContent") as? String)
        let name = try #require(place.split(separator: ":").first)
        let hottest = try #require(
            browser.evaluate(
                "['.line-number', 'code'].map((part) => source.querySelector('.hottest ' + part).lastChild.textContent)"
            )
                as? [String])
        let files = FileManager.default.enumerator(at: Repository.file("Sources"), includingPropertiesForKeys: nil)
        let file = try #require(
            files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name }, "\(place) is a source of the games"
        )
        let number = try #require(Int(hottest[0]))
        let line = try String(decoding: Data(contentsOf: file), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)[number - 1]
        #expect(hottest[1].trimmingCharacters(in: .whitespaces) == line.trimmingCharacters(in: .whitespaces))
        #expect(!line.isEmpty)
        // The same lines stand in the table.
        let title = "source.querySelector('h4 .function').textContent"
        let row = "[...document.querySelectorAll('\(part) .by-function tr')].find((r) => r.dataset.name === \(title))"
        try browser.evaluate("\(row).classList.remove('extra'); \(row).querySelector('details').open = true")
        #expect(
            try browser.evaluate(
                "\(row).querySelector('.listing').textContent === source.querySelector('.listing').textContent")
                as? Bool == true)
        #expect(try #require(browser.evaluate("document.documentElement.scrollWidth") as? Int) <= width)
        try browser.evaluate("document.querySelector('\(part) [data-view=flame]').click()")
        #expect(try browser.evaluate("source.hidden") as? Bool == true)
        #expect(browser.errors == [])
    }

    @Test func `a frame's links choose its time on the timeline, and show its samples and allocations`() throws {
        let browser = try Browser()
        try browser.open(try Page.animation.written())
        for (link, section) in [("samples", "time"), ("allocations", "allocations")] {
            let button =
                "[...document.querySelectorAll('#frames .range-link')].find((b) => b.dataset.show === '\(section)')"
            #expect(try browser.evaluate("\(button).textContent") as? String == link)
            #expect(try browser.evaluate("\(button).hidden") as? Bool == false)
            try browser.evaluate("gp.choose(null); \(button).click()")
            let (from, to) = ("Number(\(button).dataset.rangeFrom)", "Number(\(button).dataset.rangeTo)")
            #expect(
                try browser.evaluate("gp.range.from <= \(from) + 1e-9 && gp.range.to >= \(to) - 1e-9") as? Bool == true)
            #expect(
                try browser.evaluate(
                    "Math.abs(document.getElementById('\(section)').getBoundingClientRect().top) < innerHeight")
                    as? Bool == true)
            // Frames outside the chosen part are not shown.
            let others = "document.querySelectorAll('#frames-0 tr.out').length"
            #expect(try #require(browser.evaluate(others) as? Int) > 0)
        }
        #expect(browser.errors == [])
    }

    @Test func `types and stacks show the chosen part of the run, whose parts make up the whole`() throws {
        let browser = try Browser()
        try browser.open(try Page.both.written())
        try browser.evaluate(Self.drag)
        func counts(_ table: String) throws -> [Double] {
            let rows =
                "[...document.querySelectorAll('#\(table) tbody tr')].sort((a, b) => a.dataset.filter < b.dataset.filter ? -1 : 1)"
            return try #require(
                browser.evaluate("\(rows).map((r) => Number(r.cells[2].dataset.value))") as? [NSNumber]
            ).map(\.doubleValue)
        }
        for table in ["by-type", "by-stack"] {
            let whole = try counts(table)
            // On a loaded machine all allocations may lie in the first half.
            var share = 1.0
            repeat {
                share /= 2
                try browser.evaluate("drag(0, \(share))")
            } while try share > 0.01 && counts(table) == whole
            let note =
                "document.querySelector('#\(table)').closest('.scroll').previousElementSibling.previousElementSibling"
            #expect(try browser.evaluate("\(note).hidden") as? Bool == false)
            #expect(try #require(browser.evaluate("\(note).textContent") as? String).contains("selected part"))
            let split = "gp.range.to"
            let first = try counts(table)
            try browser.evaluate("{ const at = \(split); gp.choose(at, 1e9); }")
            let second = try counts(table)
            #expect(first != whole && second != whole)
            // A stack of several types counts for one of them.
            #expect(zip(first, second).map { $0 + $1 }.reduce(0, +) <= whole.reduce(0, +))
            #expect(zip(first, second).map { $0 + $1 }.reduce(0, +) > 0.9 * whole.reduce(0, +))
            try browser.evaluate("gp.choose(null)")
            #expect(try counts(table) == whole)
            #expect(try browser.evaluate("\(note).hidden") as? Bool == true)
        }
        #expect(browser.errors == [])
    }

    @Test func `a long table shows its first rows until all are asked for`() throws {
        let browser = try Browser()
        try browser.open(try Page.allocations.written())
        let visible = "[...document.querySelectorAll('#by-stack tbody tr')].filter((r) => r.offsetHeight > 0).length"
        #expect(try browser.evaluate(visible) as? Int == 12)
        #expect(try #require(browser.evaluate("document.documentElement.scrollHeight") as? Int) < 5_600)
        try browser.evaluate("document.querySelector('[aria-controls=by-stack]').click()")
        #expect(try #require(browser.evaluate(visible) as? Int) > 50)
        try browser.evaluate("document.querySelector('[aria-controls=by-stack]').click()")
        #expect(try browser.evaluate(visible) as? Int == 12)
        // The filter looks into folded rows too.
        try browser.evaluate(
            "document.getElementById('filter').value = 'Puzzle'; document.getElementById('filter').dispatchEvent(new Event('input'))"
        )
        #expect(try #require(browser.evaluate(visible) as? Int) > 12)
        #expect(browser.errors == [])
    }

    @Test func `the measure decides the width of the boxes, and the tree names the same functions`() throws {
        let browser = try Browser()
        try browser.open(try Page.allocations.written())
        let drawing = "document.querySelector('.flame-drawing').textContent"
        var drawings: Set<String> = []
        for measure in 0..<5 {
            try browser.evaluate(
                "(() => { const m = document.querySelector('.flame-measure'); m.selectedIndex = \(measure); m.dispatchEvent(new Event('change')); })()"
            )
            drawings.insert(try #require(browser.evaluate(drawing) as? String))
        }
        #expect(drawings.count == 5)
        try browser.evaluate("document.querySelector('[data-view=tree]').click()")
        #expect(try #require(browser.evaluate(drawing) as? String).contains("PlayCommand.run()"))
        #expect(browser.errors == [])
    }

    @Test func `libraries and the runtime can be charged to their callers, and a function charged, dropped, followed`()
        throws
    {
        let browser = try Browser()
        try browser.open(try Page.time.written())
        try browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        try browser.evaluate(
            """
            window.hide = (origin) => document.querySelector(`[data-hide=${origin}]`).click();
            window.boxes = (kind) => document.querySelectorAll(`.flame-svg g.fn${kind}`).length;
            window.rows = (state) => document.querySelectorAll(`[data-functions=cpu] tbody tr${state}`).length;
            window.whole = document.querySelector(".flame-svg").textContent;
            window.press = (key) => document.querySelector(".flame-svg").dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            """)
        #expect(try #require(browser.evaluate("boxes('.library') + boxes('.runtime')") as? Int) > 0)
        try browser.evaluate("hide('library'); hide('runtime')")
        #expect(try browser.evaluate("boxes('.library') + boxes('.runtime')") as? Int == 0)
        #expect(try #require(browser.evaluate("boxes('.user')") as? Int) > 0)
        // What a library took stands in the rows of its callers: their own shares make up all that has such a caller. What has
        // none (the start of the program, a thread of the runtime's) depends on the machine.
        #expect(try #require(browser.evaluate("rows('.out')") as? Int) > 0)
        let own =
            "[...document.querySelectorAll('[data-functions=cpu] tbody tr:not(.out)')]"
            + ".reduce((sum, row) => sum + parseFloat(row.cells[1].textContent), 0)"
        let calledByTheUser = """
            (() => {
              const { nodes, functions } = JSON.parse(document.querySelector(".flame-data").textContent);
              const own = nodes.map((node) => node[2]), called = [];
              nodes.forEach(([caller, name, weight], i) => {
                if (caller >= 0) own[caller] -= weight;
                called[i] = caller >= 0 && (called[caller] || !["library", "runtime"].includes(functions[name][2]));
              });
              return 100 * own.reduce((sum, weight, i) => sum + (called[i] ? weight : 0), 0) / own.reduce((sum, weight) => sum + weight);
            })()
            """
        let shown = try #require(browser.evaluate(own) as? Double)
        let expected = try #require(browser.evaluate(calledByTheUser) as? Double)
        #expect(expected > 20)
        #expect(abs(shown - expected) < 1, "\(shown) % in the rows, \(expected) % in the stacks")
        try browser.evaluate("document.querySelector('.flame-all').click()")
        #expect(try browser.evaluate("document.querySelector('.flame-svg').textContent === whole") as? Bool == true)
        #expect(try browser.evaluate("rows('.out')") as? Int == 0)

        try browser.evaluate("press('h')")
        #expect(try #require(browser.evaluate("boxes('.heavy')") as? Int) > 2)
        let name = "document.querySelector('.flame-now b').textContent"
        let chosen = try #require(browser.evaluate(name) as? String)
        for key in ["c", "x"] {
            try browser.evaluate("press('ArrowDown'); press('h'); press('\(key)')")
            let taken = try #require(browser.evaluate("document.querySelector('.flame-taken').textContent") as? String)
            #expect(taken.contains(chosen))
            try browser.evaluate("document.querySelector('.flame-all').click()")
        }
        #expect(try browser.evaluate("document.querySelector('.flame-svg').textContent === whole") as? Bool == true)
        #expect(browser.errors == [])
    }

    @Test("what is charged or left out of the graph of allocations changes the stacks below it")
    func takenFromAllocations() throws {
        let browser = try Browser()
        try browser.open(try Page.allocations.written())
        try browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        try browser.evaluate(
            """
            window.hide = (origin) => document.querySelector(`#allocations [data-hide=${origin}]`).click();
            window.boxes = (kind) => document.querySelectorAll(`#allocations .flame-svg g.fn${kind}`).length;
            window.rows = () => [...document.querySelectorAll("#by-stack tbody tr")];
            window.called = (row) => row.querySelector("summary")?.textContent;
            window.names = () => rows().map(called).sort().join();
            window.whole = names();
            window.press = (control) => document.querySelector(`#allocations .flame-${control}`).click();
            window.chosen = () => { hide("library"); hide("runtime"); press("heaviest"); return document.querySelector("#allocations .flame-now b").textContent; };
            """)
        try browser.evaluate("window.top1 = chosen()")
        #expect(try browser.evaluate("boxes('.library') + boxes('.runtime')") as? Int == 0)
        #expect(try #require(browser.evaluate("boxes('.heavy')") as? Int) > 2)
        #expect(try browser.evaluate("document.querySelectorAll('.taken-note:not([hidden])').length") as? Int == 4)
        #expect(try #require(browser.evaluate("rows().filter((row) => called(row) === top1).length") as? Int) > 0)
        try browser.evaluate("press('charge')")
        #expect(try browser.evaluate("rows().filter((row) => called(row) === top1).length") as? Int == 0)
        try browser.evaluate("press('all')")
        #expect(try browser.evaluate("names() === whole") as? Bool == true)
        try browser.evaluate("chosen(); press('prune')")
        #expect(try #require(browser.evaluate("document.querySelectorAll('#by-stack tr.left-out').length") as? Int) > 0)
        try browser.evaluate("press('all')")
        #expect(try browser.evaluate("document.querySelectorAll('#by-stack tr.left-out').length") as? Int == 0)
        #expect(browser.errors == [])
    }

    @Test func `the tree of holders opens by keys, and the filter shows what it found with its holders`() throws {
        let browser = try Browser()
        try browser.open(try Page.heap.written())
        let visible = "[...document.querySelectorAll('.holder-row')].filter((row) => row.checkVisibility()).length"
        let whole = try #require(browser.evaluate(visible) as? Int)
        try browser.evaluate(
            """
            window.press = (key) => document.activeElement.dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            document.querySelector(".holders summary").focus();
            press("ArrowLeft");
            """)
        let closed = try #require(browser.evaluate(visible) as? Int)
        #expect(closed < whole)
        try browser.evaluate("press('ArrowRight')")
        #expect(try browser.evaluate(visible) as? Int == whole)
        try browser.evaluate("press('Home')")
        #expect(
            try browser.evaluate("document.activeElement === document.querySelector('.holders summary')") as? Bool
                == true)
        try browser.evaluate(
            """
            const field = document.getElementById("filter");
            field.value = "cardimage"; field.dispatchEvent(new Event("input"));
            """)
        let names = """
            [...document.querySelectorAll(".holder-row .holder-name")].filter((row) => row.checkVisibility())
              .map((row) => row.textContent)
            """
        let found = try #require(browser.evaluate(names) as? [String])
        #expect(found.contains { $0.contains("CardImage") } && found.count < whole)
        try browser.evaluate("field.value = ''; field.dispatchEvent(new Event('input'))")
        #expect(try browser.evaluate(visible) as? Int == whole)
        #expect(browser.errors == [])
    }

    @Test(arguments: [420, 1200]) func `a type of the heap opens to its paths and references, within the window`(
        _ width: Int
    ) throws {
        let browser = try Browser()
        try browser.open(try Page.heap.written(), width: width)
        let row =
            "[...document.querySelectorAll('#heap-types tr[data-filter]')].find((r) => r.dataset.filter.endsWith('.CardImage'))"
        #expect(try browser.evaluate("\(row).querySelector('.way').checkVisibility()") as? Bool == false)
        try browser.evaluate("\(row).querySelector('summary').click()")
        #expect(try browser.evaluate("\(row).querySelector('.way').checkVisibility()") as? Bool == true)
        let text = try #require(browser.evaluate("\(row).innerText") as? String)
        for part in ["held like this", "Referred to by", "allocated by", "strong →"] {
            #expect(text.contains(part), "\(part): \(text)")
        }
        try browser.evaluate("for (const one of document.querySelectorAll('#heap-types details')) one.open = true")
        let content = try browser.evaluate("document.documentElement.scrollWidth") as? Int
        #expect(try #require(content) <= width)
        #expect(browser.errors == [])
    }

    @Test func `the first finding is open, and a link to a closed one opens it`() throws {
        let browser = try Browser()
        try browser.open(try Page.leaks.written())
        let first = "document.querySelector('.finding')"
        #expect(try browser.evaluate("\(first).open") as? Bool == true)
        let opened = try browser.evaluate(
            """
            \(first).open = false;
            new Promise((done) => {
              addEventListener("hashchange", () => done(\(first).open));
              location.hash = \(first).id;
            })
            """)
        #expect(opened as? Bool == true)
    }

    private static let drag = """
        window.drag = (from, to, shiftKey = true) => {
          const canvas = document.querySelector("#timeline canvas"), box = canvas.getBoundingClientRect();
          const send = (type, share) => canvas.dispatchEvent(new PointerEvent(type, {
            button: 0, bubbles: true, shiftKey, clientX: box.left + share * box.width, clientY: box.top + 4 }));
          send("pointerdown", from); send("pointermove", to); send("pointerup", to);
        };
        """

    /// Opens all that folds, presses every button and every key that a page knows, chooses every option and types.
    private static let useEveryControl = """
        (() => {
          let used = 0;
          const press = (target, key) =>
            target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
          for (const summary of document.querySelectorAll("summary")) { summary.click(); used += 1; }
          for (const select of document.querySelectorAll("select")) {
            for (const option of select.options) {
              select.value = option.value;
              select.dispatchEvent(new Event("input", { bubbles: true }));
              select.dispatchEvent(new Event("change", { bubbles: true }));
              used += 1;
            }
          }
          for (const button of document.querySelectorAll("button")) { button.click(); used += 1; }
          for (const input of document.querySelectorAll("input")) {
            for (const text of ["a", "no such thing", ""]) {
              input.value = text;
              input.dispatchEvent(new Event("input", { bubbles: true }));
            }
            used += 1;
          }
          for (const button of document.querySelectorAll("[data-view=icicle]")) button.click();
          for (let step = 0; step < 3; step += 1) {
            const box = document.querySelector(".flame-svg g.fn:last-of-type");
            if (!box) break;
            box.dispatchEvent(new MouseEvent("mouseenter"));
            box.dispatchEvent(new MouseEvent("click", { bubbles: true }));
            for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "Escape"]) {
              press(document.querySelector(".flame-svg"), key);
            }
            used += 1;
          }
          for (const key of ["/", "Escape", "ArrowDown", "ArrowUp"]) press(document.activeElement, key);
          window.usedControls = used;
        })()
        """
}
