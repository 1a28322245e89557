import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct TimePageTests {
    @Test func thePageHoldsTheGraphAndTheFunctions() throws {
        let page = try HTMLReport.render(TimeFixture.game.report())
        #expect(page.contains("Board.deal()"))
        #expect(page.contains("flame-data"))
        #expect(page.contains("\"kind\":\"thread\""))
        #expect(!page.contains("id=\"findings\""))
    }

    @Test(arguments: ReportFixture.hostile)
    func hostileNamesStayText(_ text: String) throws {
        let time = TimeFixture()
        time.sample("main", text, count: 3)
        time.sample(text, "x", count: 3, thread: 2)
        time.spend(thread: 1, cpu: 1_000_000, name: text)
        time.spend(thread: 2, cpu: 1_000_000, name: text)
        let page = try HTMLReport.render(time.report())
        for sign in ["<script>alert", "<img", "\u{1B}", "\u{202E}", "<\u{301}script>"] {
            #expect(!page.contains(sign))
        }
        let data = try #require(page.range(of: "class=\"flame-data\">").map { page[$0.upperBound...] })
        let json = try #require(data.range(of: "</script>").map { data[..<$0.lowerBound] })
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
    }

    @Test func aHugeProfileStaysBelowTwoMegabytes() throws {
        let time = TimeFixture()
        let long = String(repeating: "ThingWithAnEndlesslyLongName", count: 12)
        for branch in 0..<1_500 {
            time.sample("main", "\(long)\(branch % 64)", "\(long)\(branch)", "\(long)\(branch)x", count: 1 + branch % 7)
        }
        let page = try HTMLReport.render(time.report())
        #expect(page.utf8.count <= HTMLReport.sizeLimit)
        #expect(page.contains("flame-data"))
    }

    @Test func aRecursionStandsOnceInTheGraph() throws {
        let time = TimeFixture()
        time.sample("main", "walk", "walk", "walk", "walk", "visit", count: 6)
        time.sample("main", "walk", "visit", "walk", count: 4)
        let tree = try #require(time.report().hotspots?.callTree)
        let data = FlameData(tree, kind: "cpu", nodeLimit: 100, textLength: 100)
        #expect(
            data.nodes.map { $0[1] < 0 ? "all" : data.functions[$0[1]].name }.sorted() == [
                "all", "main", "visit", "visit", "walk", "walk",
            ])
        let boxes = FlameDrawing(data).values["boxes"] as? [[String: Any]] ?? []
        #expect(
            boxes.compactMap { $0["full"] as? String }.sorted() == [
                "all: 100.0 %", "main: 100.0 %", "visit: 100.0 %", "walk: 100.0 %", "walk: 40.0 %",
            ])
    }

    @Test func thePageBeginsWithWhatTookLongest() throws {
        func verdict(_ fill: (TimeFixture) -> Void) throws -> String {
            let time = TimeFixture()
            fill(time)
            let hotspots = try #require(time.report().hotspots)
            return try #require(HotspotHeadline.sentence(hotspots) { $0 })
        }
        func lock(_ time: TimeFixture, count: Int) {
            var mutex = TimeFixture.user("pthread_mutex_lock")
            mutex.origin = .library
            time.sample(frames: [[TimeFixture.user("main")], [mutex]], count: count, kind: .waiting)
        }
        #expect(try verdict { $0.sample("main", "deal", count: 40) } == "100 % of the CPU time in deal")
        #expect(
            try verdict { $0.sample("main", "deal", count: 4) }.hasSuffix(
                "of CPU time, which is too little for a profile"))
        let waiting = try verdict {
            $0.sample("main", "deal", count: 40)
            lock($0, count: 30)
        }
        #expect(waiting == "0.30 s of waiting in main: lock")
        let computing = try verdict {
            $0.sample("main", "deal", count: 40)
            lock($0, count: 3)
        }
        #expect(computing == "100 % of the CPU time in deal")
        let idle = try verdict {
            $0.sample("main", "deal", count: 40)
            var condition = TimeFixture.user("pthread_cond_wait")
            condition.origin = .library
            $0.sample(frames: [[TimeFixture.user("serve")], [condition]], count: 300, kind: .waiting)
        }
        #expect(idle == "100 % of the CPU time in deal", "a thread that waits for work costs nothing")
    }

    /// A generic helper of the standard library, specialised into the program's own file.
    private static func helper(_ name: String) -> SymbolicatedFrame {
        SymbolicatedFrame(function: name, module: "Swift", image: "game", origin: .runtime)
    }

    @Test("the headline names the user's function that called the library, and where in the library the time went")
    func headlineOfLibraryTime() throws {
        let time = TimeFixture()
        let unbox = Self.helper("_ConcreteHashableBox._unbox<A>()")
        let hash = Self.helper("AnyHashable._rawHashValue(seed:)")
        time.sample(
            frames: [[TimeFixture.user("main")], [TimeFixture.user("deal", line: 7)], [hash], [unbox]], count: 40)
        time.sample(frames: [[TimeFixture.user("main")], [TimeFixture.user("deal", line: 9)], [hash]], count: 10)
        time.sample("main", "deal", count: 5)
        time.sample("main", "draw", count: 45)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots.functions.first?.function == "draw", "by self time alone")
        let hot = try #require(hotspots.hottest)
        #expect(hot.function == "deal" && hot.share == 0.55 && hot.line == 7)
        #expect(hot.called?.function == unbox.function && hot.called?.share == 0.4)
        let sentence = "55 % of the CPU time in deal, 40 % in _ConcreteHashableBox._unbox<A>() called by it"
        #expect(HotspotHeadline.sentence(hotspots) { $0 } == sentence)
        #expect(try HTMLReport.render(time.report()).contains("40 % in _ConcreteHashableBox._unbox&lt;A&gt;() called"))
        let text = TextReport.render(time.report(), instrument: .time)
        #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(sentence))
    }

    @Test(
        "the headline tells time in the kernel, of which there are no samples, from that of functions",
        arguments: [
            (0.05, "100 % of the CPU time in deal"), (0.3, "100 % of the CPU time outside the kernel in deal"),
            (0.8, "80 % of the CPU time in the kernel, without a sample; of the rest, 100 % in deal"),
        ])
    func headlineOfKernelTime(share: Double, sentence: String) throws {
        let time = TimeFixture()
        time.sample("main", "deal", count: 40)
        var hotspots = try #require(time.report().hotspots)
        (hotspots.cpuSeconds, hotspots.systemSeconds, hotspots.unsampledSeconds) = (1, share, share)
        #expect(HotspotHeadline.sentence(hotspots) { $0 } == sentence)
        hotspots.unsampledSeconds = nil
        #expect(HotspotHeadline.sentence(hotspots) { $0 } == "100 % of the CPU time in deal", "samples stand for it")
    }

    @Test("of a program that waited nearly all the time the headline says what for, or how to learn it")
    func headlineOfWaiting() throws {
        let time = TimeFixture()
        time.sample("main", "deal", count: 40)
        var poll = TimeFixture.user("epoll_wait")
        poll.origin = .library
        var hotspots = try #require(time.report().hotspots)
        (hotspots.cpuSeconds, hotspots.offCPU) = (0.04, nil)
        let unseen = "40 ms of CPU time in 10.0 s: the program waited; --wall shows what it waited for"
        #expect(HotspotHeadline.sentence(hotspots, wallSeconds: 10) { $0 } == unseen)
        #expect(HotspotHeadline.sentence(hotspots, wallSeconds: 1) { $0 } == "100 % of the CPU time in deal")
        time.sample(frames: [[TimeFixture.user("serve")], [poll]], count: 900, kind: .waiting)
        hotspots = try #require(time.report().hotspots)
        hotspots.cpuSeconds = 0.04
        let sentence = try #require(HotspotHeadline.sentence(hotspots, wallSeconds: 10) { $0 })
        #expect(sentence.contains("of waiting in serve"), "\(sentence)")
    }

    @Test("where closures of the function took more, the headline has the share of the rows too")
    func headlineOfClosures() throws {
        let time = TimeFixture()
        time.sample("main", "deal", count: 60)
        time.sample("main", "deal", "closure #1 in deal", count: 30)
        time.sample("main", "draw", count: 10)
        let hotspots = try #require(time.report().hotspots)
        #expect(HotspotHeadline.sentence(hotspots) { $0 } == "60 % of the CPU time in deal (90 % with all it calls)")
    }

    @Test(
        "what a function takes itself is no library's, and time without the user's code blames the library's function")
    func headlineWithoutLibrary() throws {
        let time = TimeFixture()
        time.sample("main", "deal", count: 60)
        time.sample(
            frames: [[TimeFixture.user("main")], [TimeFixture.user("deal")], [Self.helper("hash(into:)")]], count: 40)
        #expect(time.report().hotspots?.hottest?.called == nil)
        let pool = TimeFixture()
        pool.sample(frames: [[TimeFixture.user("_start")], [Self.helper("drain()")]], count: 20)
        let hotspots = try #require(pool.report().hotspots)
        #expect(hotspots.hottest == nil)
        #expect(HotspotHeadline.sentence(hotspots) { $0 } == "100 % of the CPU time in drain()")
    }

    /// "read" stands in "thread".
    @Test(arguments: [
        ("pthread_join", "thread"), ("__pthread_clockjoin_ex", "thread"), ("pthread_barrier_wait", "barrier"),
        ("__pthread_rwlock_rdlock_full64", "lock"), ("__pthread_cond_wait_common", "condition"),
        ("__GI___read", "input or output"), ("Process.waitUntilExit()", "process"), ("RunLoop.run(until:)", "run loop"),
    ])
    func aWaitHasItsReason(_ function: String, _ reason: String) {
        #expect(WaitReason.name(of: ["__futex_abstimed_wait_common64", function]) == reason)
    }

    @Test func theTextNamesTheHotFunctionAndItsCallers() {
        let text = TextReport.render(TimeFixture.game.report(), instrument: .time)
        #expect(text.contains("150 samples · 1 lost"))
        #expect(text.contains("└ Game.play()"))
        #expect(text.contains("waiting"))
    }
}
