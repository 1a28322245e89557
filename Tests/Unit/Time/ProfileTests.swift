import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct ProfileTests {
    @Test(arguments: [UInt64.max, 1 << 62]) func `periods and times of a damaged trace break nothing`(period: UInt64) {
        let time = TimeFixture()
        time.period = period
        let lock = SymbolicatedFrame(
            function: "pthread_mutex_lock", module: "libc.so.6", image: "libc.so.6", origin: .library)
        time.sample("run", "search", count: 3, thread: 2)
        time.sample("run", "sort", count: 3, thread: 2)
        time.sample(frames: [[TimeFixture.user("collect")], [lock]], count: 3, kind: .waiting, holder: 2)
        time.sample("run", at: .max)
        #expect(time.report().hotspots != nil)
    }

    @Test func `who waits for a lock is told what its holder did meanwhile, the longest first`() throws {
        let time = TimeFixture()
        let lock = SymbolicatedFrame(
            function: "pthread_mutex_lock", module: "libc.so.6", image: "libc.so.6", origin: .library)
        time.spend(thread: 1, cpu: 1_000_000, name: "main")
        time.spend(thread: 2, cpu: 90_000_000, name: "worker")
        for _ in 0..<3 {
            time.sample("run", "search", thread: 2)
            time.sample("run", "sort", thread: 2)
            time.sample("run", "search", count: 2, thread: 2)
            time.sample(
                frames: [[TimeFixture.user("collect")], [lock]],
                kind: .waiting, holder: 2)
        }
        // Longer ago than a look can be late.
        time.sample("run", "before", thread: 3)
        let row = try #require(time.report().hotspots?.offCPU?.first { $0.function == "collect" })
        #expect(row.waitsFor == ["lock": 0.03])
        let held = try #require(row.heldBy)
        #expect(held.map(\.function) == ["search", "sort"] && Set(held.map(\.thread)) == ["worker"])
        #expect(
            abs(held[0].seconds - 3 * held[1].seconds) < 1e-6 && abs(held[0].seconds + held[1].seconds - 0.03) < 1e-6)
        #expect(WaitText.reasons(row) == "lock that search and others hold (thread worker)")
    }

    @Test func sharesAreThoseOfTheSamples() throws {
        let time = TimeFixture()
        time.sample("main", "hot", count: 70)
        time.sample("main", "cold", count: 30)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots.samples == 100)
        #expect(hotspots["hot"]?.own == 0.7)
        #expect(hotspots["cold"]?.own == 0.3)
        #expect(hotspots["main"]?.own == 0)
        #expect(hotspots["main"]?.total == 1)
    }

    @Test func aLineOfAnotherFileIsNoLineOfTheFunction() throws {
        let time = TimeFixture()
        time.sample(frames: [[TimeFixture.user("draw", line: 7)]], count: 2)
        var header = TimeFixture.user("draw", line: 104)
        header.file = "/src/Clock.h"
        time.sample(frames: [[header]], count: 8)
        let row = try #require(time.report().hotspots?["draw"])
        #expect(row.own == 1)
        #expect(row.line == 7)
        #expect(row.lines.map(\.line) == [7])
    }

    /// Of a stripped program only the places are known.
    @Test func theInstructionsOfAFunctionWithoutANameAreOneFunction() throws {
        let time = TimeFixture()
        for offset in ["0x1a04", "0x1a08", "0x1a3f"] {
            var frame = TimeFixture.user("game+\(offset)")
            frame.start = "game+0x1a00"
            time.sample(frames: [[TimeFixture.user("main")], [frame]], count: 10)
        }
        time.sample("main", "game+0x2000", count: 10)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots["game+0x1a00"]?.own == 0.75)
        #expect(hotspots["game+0x2000"]?.own == 0.25)
    }

    /// Libraries have specializations of the standard library's functions.
    @Test func aFunctionOfSeveralImagesIsOneFunction() throws {
        let time = TimeFixture()
        for image in ["libswiftCore.so", "libswiftSwiftOnoneSupport.so"] {
            let next = SymbolicatedFrame(
                function: "IndexingIterator.next()", module: "Swift", image: image, origin: .runtime)
            time.sample(frames: [[TimeFixture.user("main")], [next]], count: 10)
        }
        let rows = try #require(time.report().hotspots).functions.filter { $0.function == "IndexingIterator.next()" }
        #expect(rows.map(\.own) == [1])
    }

    @Test func aRecursionCountsOnce() throws {
        let time = TimeFixture()
        time.sample("main", "walk", "visit", "walk", "visit", "walk", count: 6)
        time.sample("main", "walk", count: 2)
        time.sample("main", count: 2)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots["walk"]?.total == 0.8)
        #expect(hotspots["visit"]?.total == 0.6)
        #expect(hotspots["main"]?.total == 1)
    }

    @Test func theRuntimesTimeIsThatOfTheFunctionThatNeededIt() throws {
        let time = TimeFixture()
        time.sample(
            frames: [
                [TimeFixture.user("main")], [TimeFixture.user("sum")], [TimeFixture.plumbing("swift_release")],
                [TimeFixture.plumbing("swift::RefCounts::doDecrement")],
            ], count: 9)
        time.sample(
            frames: [
                [TimeFixture.user("main")], [TimeFixture.plumbing("swift_release")], [TimeFixture.user("List.deinit")],
            ], count: 1)
        let folded = try #require(time.report().hotspots)
        #expect(folded["sum"]?.own == 0.9)
        #expect(folded["swift_release"] == nil)
        #expect(folded["List.deinit"]?.callers == ["main"])
        let whole = HotspotSectionBuilder.rows(of: time.profile(keepsRuntimeFrames: true), limit: 100)
        #expect(whole["sum"]?.own == 0)
        #expect(whole["sum"]?.total == 0.9)
        #expect(whole["swift_release"]?.total == 1)
    }

    @Test func `the rest of a function that calls its specialization is no frame of its own`() throws {
        let time = TimeFixture()
        let rest = TimeFixture.user("make", isInlined: true)
        time.sample(
            frames: [[rest, TimeFixture.user("main", line: 2)], [TimeFixture.user("make", line: 5)]], count: 10)
        let row = try #require(time.report().hotspots?["make"])
        #expect(row.total == 1)
        #expect(row.callers == ["main"])
    }

    @Test func inlinedFunctionsStandBetweenTheirCallerAndWhatTheyCall() throws {
        let time = TimeFixture()
        time.sample(
            frames: [
                [TimeFixture.user("main", line: 3)],
                [TimeFixture.user("inner", line: 30, isInlined: true), TimeFixture.user("outer", line: 20)],
                [TimeFixture.user("leaf", line: 40)],
            ], count: 4)
        let profile = time.profile()
        let leaf = try #require(profile.samples.first?.node)
        let path = profile.path(from: leaf).compactMap { profile.function(of: $0)?.name }
        #expect(path == ["leaf", "inner", "outer", "main"])
        #expect(profile.path(from: leaf).compactMap { profile.frame(of: $0)?.line } == [40, 30, 20, 3])
        #expect(profile.frame(of: profile.path(from: leaf)[1])?.isInlined == true)
    }

    @Test func whatTheOptimiserPutIntoAFunctionIsThatFunctions() throws {
        let next = SymbolicatedFrame(
            function: "IndexingIterator.next()", module: "Swift", image: "game", isInlined: true, origin: .runtime)
        let time = TimeFixture()
        time.sample(frames: [[TimeFixture.user("main")], [next, TimeFixture.user("sum", line: 9)]], count: 4)
        #expect(time.report().hotspots?["sum"]?.own == 1)
        #expect(time.report().hotspots?["sum"]?.line == 9)
    }

    @Test func linesHaveTheirShare() throws {
        let time = TimeFixture()
        for (line, count) in [(10, 3), (11, 6), (12, 1)] {
            time.sample(frames: [[TimeFixture.user("main")], [TimeFixture.user("sum", line: line)]], count: count)
        }
        let row = try #require(time.report().hotspots?["sum"])
        #expect(row.line == 11)
        #expect(row.lines.map(\.line) == [11, 10, 12])
        #expect(row.lines.map(\.own) == [0.6, 0.3, 0.1])
        #expect(row.own == 1)
    }

    @Test func threadsHaveNamesTimesAndTreesOfTheirOwn() throws {
        let hotspots = try #require(TimeFixture.game.report().hotspots)
        #expect(hotspots.threads.map(\.name) == ["main", "worker"])
        #expect(hotspots.threads.map(\.samples) == [100, 50])
        #expect(hotspots.cpuSeconds == 0.153)
        #expect(hotspots.systemSeconds == 0.002)
        #expect(hotspots.lost == 1)
        #expect(hotspots.callTree.roots.map(\.thread) == ["main", "worker", "worker"])
        #expect(hotspots.callTree.roots.map(\.kind) == ["cpu", "cpu", "waiting"])
        #expect(hotspots.callTree.roots.map { hotspots.callTree.nodes[$0.node][2] } == [100_000, 50_000, 50_000])
    }

    @Test func workersOfPoolsAreCalledByTheirPool() {
        #expect(ThreadNames.readable("oot.default-qos") == "dispatch pool (default)")
        #expect(ThreadNames.readable("-qos.overcommit") == "dispatch pool (overcommit)")
        #expect(ThreadNames.readable("qos.cooperative") == "dispatch pool (cooperative)")
        #expect(ThreadNames.readable("renderer") == "renderer")
        #expect(ThreadNames.readable("fifteen letters") == "fifteen letters")
    }

    @Test func waitingIsToldInSeconds() throws {
        let hotspots = try #require(TimeFixture.game.report().hotspots)
        #expect(hotspots["Queue.pop()"] == nil)
        let wait = try #require(hotspots.offCPU?.first)
        #expect(wait.function == "Queue.pop()")
        #expect(wait.own == 0.05)
        #expect(hotspots.idleSeconds == 0)
    }

    @Test func waitingBelongsToTheUsersFunctionAndSaysForWhat() throws {
        let time = TimeFixture()
        func library(_ name: String) -> [SymbolicatedFrame] {
            [SymbolicatedFrame(function: name, module: "libc.so.6", image: "libc.so.6", origin: .library)]
        }
        let main = [TimeFixture.user("main", line: 4)]
        time.sample(
            frames: [main, [TimeFixture.user("load")], library("usleep"), library("clock_nanosleep")], count: 30,
            kind: .waiting)
        time.sample(frames: [main, library("pthread_mutex_lock"), library("futex_wait")], count: 10, kind: .waiting)
        time.sample(
            frames: [library("start_thread"), library("_dispatch_worker_thread"), library("sem_timedwait")],
            count: 99, thread: 2, kind: .waiting)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots.offCPU?.map(\.function) == ["load", "main"])
        #expect(hotspots.offCPU?.map(\.own) == [0.3, 0.1])
        #expect(hotspots.offCPU?.map(\.total) == [0.3, 0.4])
        #expect(hotspots.offCPU?.map(\.waitsFor) == [["sleep": 0.3], ["lock": 0.1]])
        #expect(hotspots.idleSeconds == 0.99)
    }

    @Test("an event loop without work stands behind what holds up the program") func idleLoops() throws {
        let time = TimeFixture()
        for (function, call, count) in [("Loop.run()", "epoll_wait", 90), ("Store.load()", "pread64", 10)] {
            let frames = [[TimeFixture.user("main")], [TimeFixture.user(function)]]
            let wait = [SymbolicatedFrame(function: call, module: "libc.so.6", image: "libc.so.6", origin: .library)]
            time.sample(frames: frames + [wait], count: count, kind: .waiting)
        }
        let rows = try #require(time.report().hotspots?.offCPU).filter { $0.own > 0 }
        #expect(rows.map(\.function) == ["Store.load()", "Loop.run()"])
        #expect(rows.last?.waitsFor == ["events": 0.9])
    }

    @Test("leaves with the same callers name them once") func sameCallers() throws {
        let time = TimeFixture()
        for leaf in ["a", "b", "c"] { time.sample("main", "play", "deal", leaf, count: 10) }
        let text = TextReport.render(time.report(), instrument: .time)
        #expect(text.components(separatedBy: "└ deal").count == 2, "\(text)")
    }

    @Test(arguments: [
        ("pthread_barrier_wait", "barrier"), ("std::thread::join()", "thread"), ("pread64", "input or output"),
        ("__libc_read", "input or output"),
    ])
    func waitingForAThreadIsNoReading(_ function: String, _ reason: String) throws {
        let time = TimeFixture()
        let frames = ["futex_wait", function].map {
            [SymbolicatedFrame(function: $0, module: "libc.so.6", image: "libc.so.6", origin: .library)]
        }
        time.sample(frames: [[TimeFixture.user("main")], frames[1], frames[0]], count: 10, kind: .waiting)
        #expect(try #require(time.report().hotspots?.offCPU?.first).waitsFor == [reason: 0.1])
    }

    @Test func callersAreThoseOfTheComputingNotOfTheWaiting() throws {
        let time = TimeFixture()
        time.sample("main", "draw", "work", count: 30)
        time.sample("main", "load", "work", count: 99, kind: .waiting)
        #expect(try #require(time.report().hotspots?["work"]).callers == ["draw", "main"])
    }

    @Test func allThreadsAreCountedThoughNotAllAreShown() throws {
        let time = TimeFixture()
        for thread in 1...40 { time.sample("work", thread: UInt32(thread)) }
        let report = time.report()
        #expect(report.hotspots?.threads.count == HotspotSectionBuilder.threadLimit)
        #expect(report.hotspots?.omittedThreads == 40 - HotspotSectionBuilder.threadLimit)
        #expect(TextReport.render(report, instrument: .time).contains("· 40 threads\n"))
        #expect(TimeFixture.game.report().hotspots?.omittedThreads == nil)
    }

    @Test func notesAreToldInTheTextToo() {
        let time = TimeFixture()
        time.sample("main", count: 100)
        time.spend(thread: 1, cpu: 150_000_000, system: 50_000_000)
        let text = TextReport.render(time.report(), instrument: .time)
        #expect(text.matches(of: /Sampled by/).count == 1)
        var report = time.report()
        report.capture.notes.append("Waiting threads are not shown.")
        #expect(TextReport.render(report, instrument: .time).contains("\nWaiting threads are not shown.\n"))
    }

    /// Whatever numbers stand in a trace.
    @Test func numbersBeyondAllReasonEndNothing() {
        let time = TimeFixture()
        time.sample("main", at: .max)
        for thread in 1...2 { time.spend(thread: UInt32(thread), cpu: .max, system: .max, lost: .max) }
        #expect(time.report().hotspots?.samples == 2)
    }

    @Test func aStackOfTheRuntimeAloneIsKept() throws {
        let time = TimeFixture()
        time.sample(frames: [[TimeFixture.plumbing("_dl_relocate")], [TimeFixture.plumbing("memcpy")]])
        #expect(try #require(time.report().hotspots).functions.map(\.function) == ["memcpy", "_dl_relocate"])
    }

    @Test func stacksThatCouldNotBeReadAreCounted() throws {
        let time = TimeFixture()
        time.sample("main", count: 3)
        time.sample(frames: [], count: 1)
        let hotspots = try #require(time.report().hotspots)
        #expect(hotspots.samples == 4)
        #expect(hotspots["main"]?.total == 0.75)
    }

    @Test func theCallTreeIsBoundedAndSaysWhatItLeavesOut() throws {
        let time = TimeFixture()
        for branch in 0..<200 { time.sample("main", "f\(branch)", "g\(branch)", count: branch + 1) }
        let tree = CallTreeRows.tree(of: time.profile(), limit: 100)
        #expect(tree.nodes.count <= 102)
        #expect(tree.omitted + tree.nodes.count == 402)
        #expect(tree.nodes.enumerated().allSatisfy { $0.element[0] < $0.offset })
        #expect(tree.nodes[0][2] == 20_100_000)
    }

    @Test func totalsAgreeWithBruteForceOnRandomStacks() {
        var generator = SeededGenerator(state: 7)
        let names = (0..<6).map { "f\($0)" }
        let time = TimeFixture()
        var own: [String: Double] = [:]
        var total: [String: Double] = [:]
        for _ in 0..<500 {
            let stack = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                names.randomElement(using: &generator) ?? ""
            }
            time.sample(frames: stack.map { [TimeFixture.user($0)] })
            own[stack[stack.count - 1], default: 0] += 1
            for name in Set(stack) { total[name, default: 0] += 1 }
        }
        for row in time.report().hotspots?.functions ?? [] {
            #expect(abs(row.own - (own[row.function] ?? 0) / 500) < 1e-5)
            #expect(abs(row.total - (total[row.function] ?? 0) / 500) < 1e-5)
        }
    }

    /// Wherever they ran; time of nothing that has a name is in no row.
    @Test func queuesAndTasksHaveTheirShares() throws {
        let time = TimeFixture()
        let board = WorkRecord(kind: .queue, name: "board")
        let solver = WorkRecord(kind: .task, name: "solver")
        time.sample("deal", count: 10, work: board)
        time.sample("deal", count: 30, thread: 2, work: board)
        time.sample("search", count: 50, thread: 2, work: solver)
        time.sample("main", count: 10)
        time.sample("pop", count: 90, thread: 2, kind: .waiting, work: board)
        time.spend(thread: 1, cpu: 400_000_000)
        time.spend(thread: 2, cpu: 600_000_000)
        let rows = try #require(time.report().hotspots?.work)
        #expect(
            rows == [
                .init(kind: .task, name: "solver", cpuSeconds: 0.5, share: 0.5),
                .init(kind: .queue, name: "board", cpuSeconds: 0.4, share: 0.4),
            ])
        #expect(TimeFixture.game.report().hotspots?.work == nil)
    }

    /// What has no queue of its own runs on those of libdispatch and of Swift's concurrency.
    @Test func poolsAreNobodysQueue() {
        let time = TimeFixture()
        for name in [
            "Swift global concurrent queue", "com.apple.root.default-qos", "com.apple.root.utility-qos.overcommit",
        ] {
            time.sample("deal", count: 10, work: WorkRecord(kind: .queue, name: name))
        }
        #expect(time.report().hotspots?.work == nil)
        time.sample("deal", count: 10, work: WorkRecord(kind: .task, name: "com.apple.root.of.all"))
        #expect(time.report().hotspots?.work?.map(\.name) == ["com.apple.root.of.all"])
    }

    @Test func whatIsCutFromWaitsAndQueuesIsCounted() throws {
        let time = TimeFixture()
        for number in 0..<350 {
            time.sample("main", "wait\(number)", count: 10, kind: .waiting)
            time.sample("deal", count: 10, work: WorkRecord(kind: .queue, name: "queue \(number)"))
        }
        let report = time.report()
        let hotspots = try #require(report.hotspots)
        #expect(hotspots.offCPU?.count == 300 && hotspots.omittedWaits == 51)
        #expect(hotspots.work?.count == 32 && hotspots.omittedWork == 318)
        let text = TextReport.render(report, instrument: .time)
        #expect(text.contains("… 331 more functions") && text.contains("… 330 more queues and tasks"), "\(text)")
        let page = try HTMLReport.render(report)
        #expect(
            page.contains("more functions are not listed.")
                && page.contains("more queues and tasks are not listed."))
    }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
