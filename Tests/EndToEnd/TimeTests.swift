import Foundation
import Testing

/// `gameprof time` on real programs.
@Suite struct TimeTests {
    /// The book's first time bandit: the helper that walks, and the sum that calls it, not the runtime.
    @Test(arguments: [Products.GameLabBuild.debug, .release])
    func theQuadraticSumIsBlamedOnItsHelperAndItsCaller(_ build: Products.GameLabBuild) throws {
        // The unoptimised walk takes four times as long.
        let presses = build == .debug ? "13" : "14"
        let run = try TimeRun(build.executable, ["fault", "compute-sum", "--presses", presses])
        #expect(run.status == 0)
        let hot = try #require(run.hotspots.functions.first)
        #expect(hot.function == "DemoList.element(at:)")
        #expect(hot.own > 0.5)
        #expect(hot.total > 0.9)
        #expect(hot.callers.contains("DemoList.sum()"))
        #expect(hot.file?.hasSuffix("ComputeSum.swift") == true)
        #expect(run.hotspots.functions.allSatisfy { !$0.function.hasPrefix("swift_") })
        #expect(run.hotspots.lost == 0)
    }

    /// Parts of known size: the program measures them by its own clock.
    @Test(arguments: SwiftProgram.Build.usual, [1, 8])
    func sharesAreWithinTwoPointsOfTheTruth(_ build: SwiftProgram.Build, _ threads: Int) throws {
        let program = try SwiftProgram.compile(files: ["TimeSplit.swift"], module: "TimeSplit", build: build)
        let run = try TimeRun(program, ["\(threads)"])
        #expect(run.hotspots.samples > 300)
        let names = [
            "seventy": "seventy(_:)", "thirty": "thirty(_:)", "hotClosure": "closure #1 in hotClosure(_:seed:)",
            "hotGeneric": "hotGeneric<A>(_:_:)", "quadraticSum": "quadraticSum(_:_:)",
            "shortDescent": "shortDescent(_:)", "longDescent": "longDescent(_:)",
        ]
        let truth = run.output.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == 2 }
        for line in truth where line[0] != "checksum" {
            let share = try #require(Double(line[1]))
            let name = try #require(names[String(line[0])])
            #expect(abs(run.hotspots.total(name) - share) < 0.02, "\(name): \(run.hotspots.total(name)), not \(share)")
        }
        // The walk's reference counting is the walk's.
        #expect(run.hotspots.total("element(_:_:)") > 0.9 * run.hotspots.total("quadraticSum(_:_:)"))
        #expect(run.hotspots.own("element(_:_:)") > 0.9 * run.hotspots.total("element(_:_:)"))
        #expect(run.hotspots.total("work(_:rounds:scale:)") > 0.98)
        let busy = run.hotspots.threads.filter { $0.samples > 10 }
        #expect(busy.count == threads)
    }

    /// Waiting calls, masks, handlers, children and threads are as they are without the tool.
    @Test(
        arguments: ["perf", "signal", "timer"],
        [
            ["wait"], ["block"], ["handle"], ["trap"], ["replace", "12"], ["fork"], ["threads", "64", "10", "1"],
            ["threads", "8", "1", "20"], ["descriptors"],
        ])
    func theProgramNoticesNothing(_ source: String, _ arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            Products.gameprof,
            ["time", "--source", source, "--wall", "--quiet", "--propagate-exit", "--text", "--"]
                + [try CProgram.compile("Sampling.c").path] + arguments, directory: folder.url)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("well\n"), "\(result.output)")
    }

    /// One on which this process may run.
    private static func firstProcessor() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /Cpus_allowed_list:\s*(\d+)/).flatMap { Int($0.1) })
    }

    @Test func `threads that share a processor are recorded as ready without one, and the page shows it`() throws {
        let folder = try TemporaryFolder()
        let run = try Command.run(
            URL(filePath: "/usr/bin/taskset"),
            [
                "-c", "\(try Self.firstProcessor())", Products.gameprof.path, "time", "--wall", "--output", "a.gptrace",
                "--html", "page.html",
                "--",
                try CProgram.compile("Sampling.c").path, "threads", "4", "300", "1",
            ], directory: folder.url)
        #expect(run.status == 0, "\(run.error)")
        let dump = try Command.run(Products.gameprof, ["dump", "a.gptrace"], directory: folder.url).output
        let waited = dump.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /unscheduled +microseconds=(\d+)/).flatMap { Int($0.1) }
        }.reduce(0, +)
        // Four threads compute for 0.3 s each, and three of them wait meanwhile.
        #expect(waited > 1_000_000, "\(waited)")
        let page = try String(contentsOf: folder.url.appending(path: "page.html"), encoding: .utf8)
        #expect(page.contains("ready, without a processor\""))
    }

    @Test("time in the kernel belongs to the function that called it", arguments: SwiftProgram.Build.usual)
    func kernelTime(build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "KernelTime.swift", module: "KernelTime", build: build)
        let run = try TimeRun(program)
        // The share of the CPU time that the program measured itself, and that no read was cut short.
        let truth = try #require(Double(run.output.split(separator: "\n").first ?? ""), "\(run.output)")
        let share = run.hotspots.total("readZeros(_:)")
        #expect(abs(share - truth) < 0.08, "\(share), not \(truth): \(run.notes)")
        #expect(run.hotspots.unsampledSeconds ?? 0 < 0.15 * run.hotspots.cpuSeconds, "\(run.notes)")
    }

    @Test("a recording of time takes no signal for heap snapshots")
    func noStopSignal() throws {
        let run = try TimeRun(
            CProgram.compile("SignalTaker.c"), ["look"], options: ["--propagate-exit"])
        #expect(run.status == 0)
        #expect(run.output == "well\n")
    }

    /// Every Swift program has such a stack: a trap that came while another was handled ended the program.
    @Test func trapsMayFollowEachOtherOnASmallStack() throws {
        let run = try TimeRun(
            CProgram.compile("Sampling.c"), ["small-stack"], options: ["--rate", "10000", "--propagate-exit"])
        #expect(run.status == 0)
        #expect(run.output == "well\n")
        #expect(run.hotspots.total("handle_on_a_small_stack") > 0.95)
    }

    /// Even a thread that blocks all signals is sampled, and every short thread has its time.
    @Test func allThreadsAreSampled() throws {
        let program = try CProgram.compile("Sampling.c")
        let blocking = try TimeRun(program, ["block"])
        #expect(blocking.hotspots.total("compute") > 0.9)
        #expect(blocking.hotspots.samples > 60)
        let short = try TimeRun(program, ["threads", "8", "3", "20"])
        #expect(short.hotspots.threads.count > 8)
        #expect(short.hotspots.cpuSeconds > 0.45)
        #expect(Double(short.hotspots.samples) > 0.6 * 1000 * short.hotspots.cpuSeconds)
    }

    /// However many are about to begin at one moment.
    @Test func theLastThreadOfACrowdIsSampled() throws {
        let run = try TimeRun(CProgram.compile("Sampling.c"), ["crowd", "400", "300"])
        #expect(run.output == "well\n")
        #expect(run.hotspots.total("lasting") > 0.5)
    }

    /// Of a thread shorter than a period one sample in some is taken, not none.
    @Test(arguments: [400, 1500])
    func shortThreadsHaveTheirShare(microseconds: Int) throws {
        let run = try TimeRun(CProgram.compile("Sampling.c"), ["short", "\(microseconds)"])
        let truth = try #require(run.output.split(separator: "\n").first.flatMap { Double($0) })
        let (brief, lasting) = (run.hotspots.total("brief"), run.hotspots.total("lasting"))
        let share = brief / (brief + lasting)
        #expect(abs(share - truth) < 0.08, "\(share), not \(truth)")
    }

    /// Whichever thread they run on; what has no name is in no row.
    @Test func queuesAndTasksHaveTheirNames() throws {
        let program = try SwiftProgram.compile(files: ["Works.swift"], module: "Works", build: .optimised)
        let run = try TimeRun(program)
        let shares = Dictionary(
            uniqueKeysWithValues: (run.hotspots.work ?? []).map { ("\($0.kind) \($0.name)", $0.share) })
        // libdispatch's own queue computes for a moment in some runs.
        let own = shares.keys.filter { !$0.hasPrefix("queue com.apple.libdispatch-") }
        #expect(Set(own) == ["queue game.board", "queue game.scores", "task solver"])
        // 500, 200 and 400 of 1,300 milliseconds.
        for (name, truth) in [("queue game.board", 0.385), ("queue game.scores", 0.154), ("task solver", 0.308)] {
            let share = try #require(shares[name])
            #expect(abs(share - truth) < 0.03, "\(name): \(share), not \(truth)")
        }
        #expect(run.output == "done\n")
        // Nothing that concerns blocks and objects, which are not looked at.
        #expect(
            run.notes.allSatisfy { $0.hasPrefix("Sampled by") || $0.contains("in the kernel without a sample") },
            "\(run.notes)")
    }

    @Test func tasksOfAStaticProgramHaveTheirNames() throws {
        let run = try TimeRun(
            SwiftProgram.compile(files: ["Works.swift"], module: "Works", build: .staticOptimised))
        #expect(run.hotspots.work?.map(\.name) == ["solver"])
    }

    @Test func waitingIsToldByStackAndReason() throws {
        let program = try SwiftProgram.compile(files: ["Waits.swift"], module: "Waits", build: .optimised)
        let run = try TimeRun(program, options: ["--wall"])
        let waits = Dictionary(uniqueKeysWithValues: (run.hotspots.offCPU ?? []).map { ($0.function, $0) })
        let expected = [
            ("waitForLock(_:)", "lock"), ("sleepAWhile()", "sleep"), ("waitForSemaphore(_:)", "semaphore"),
            ("readPipe(_:)", "input or output"), ("waitForCondition(_:)", "condition"),
        ]
        for (name, reason) in expected {
            let row = try #require(waits[name], "\(name) does not wait: \(waits.keys)")
            #expect((0.2...0.5).contains(row.own), "\(name): \(row.own) s")
            #expect(row.waitsFor?.keys.sorted() == [reason])
        }
    }

    @Test("between two looks at a waiting thread no time is left out")
    func waitingTimeIsWhole() throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "waits.gptrace").path
        let program = try SwiftProgram.compile(files: ["Waits.swift"], module: "Waits", build: .optimised)
        let recorded = try Command.run(
            Products.gameprof, ["record", "--instruments", "time", "--wall", "-o", trace, "--", program.path])
        #expect(recorded.status == 0, "\(recorded.error)")
        let dump = try Command.run(Products.gameprof, ["dump", trace]).output
        let period = try #require(dump.firstMatch(of: #/wait-period=(\d+)/#).flatMap { Int($0.output.1) })
        var looks: [Substring: (weight: Int, first: Int, last: Int, count: Int)] = [:]
        for match in dump.matches(of: #/\nwait .*?weight=(\d+) stack=(\d+) time=(\d+)/#) {
            let (weight, time) = (Int(match.output.1) ?? 0, Int(match.output.3) ?? 0)
            let known = looks[match.output.2] ?? (0, time, time, 0)
            looks[match.output.2] = (known.weight + weight, known.first, time, known.count + 1)
        }
        let long = looks.values.filter { $0.count >= 10 }
        #expect(!long.isEmpty)
        for look in long { #expect(look.weight >= (look.last - look.first) / period, "\(look)") }
    }

    /// An async function has the callers that await it, not the executor that happens to run it.
    @Test(arguments: [SwiftProgram.Build.optimised, .staticOptimised])
    func awaitingCallersAreShown(_ build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(
            files: ["Awaiting.swift"], module: "Awaiting", build: build,
            extraFlags: ["-Xcc", "-fno-omit-frame-pointer"])
        let run = try TimeRun(program)
        let names = run.hotspots.functions.map(\.function)
        let work = try #require(run.hotspots.functions.first { $0.function == "work(_:)" })
        #expect(work.total > 0.9)
        #expect(abs(run.hotspots.total("middle(_:)") - 0.5) < 0.1, "\(run.hotspots.total("middle(_:)"))")
        #expect(abs(run.hotspots.total("throughActor(_:_:)") - 0.5) < 0.1)
        // A sample may fall on the few instructions between two calls.
        #expect(abs(run.hotspots.total("leaf(_:)") - run.hotspots.total("middle(_:)")) < 0.03)
        #expect(!names.contains { $0.hasPrefix("swift_job_run") })
    }

    /// What one sample remembers for the next is no longer true in it. The standard error of each share is 0.01 (2,000 samples).
    @Test func awaitingCallersAndQueuesAreThoseOfTheSample() throws {
        let tasks = try TimeRun(
            SwiftProgram.compile(
                files: ["Awaiting.swift"], module: "Awaiting", build: .optimised,
                extraFlags: ["-Xcc", "-fno-omit-frame-pointer"]), ["changing"])
        #expect(abs(tasks.hotspots.total("red(_:)") - 0.7) < 0.05, "\(tasks.hotspots.total("red(_:)"))")
        #expect(abs(tasks.hotspots.total("blue(_:)") - 0.3) < 0.05, "\(tasks.hotspots.total("blue(_:)"))")
        let queues = try TimeRun(
            SwiftProgram.compile(files: ["Works.swift"], module: "Works", build: .optimised), ["changing"])
        let shares = Dictionary(
            uniqueKeysWithValues: (queues.hotspots.work ?? []).map { ($0.name, $0.share) })
        #expect(abs((shares["game.red"] ?? 0) - 0.7) < 0.05, "\(shares)")
        #expect(abs((shares["game.blu"] ?? 0) - 0.3) < 0.05, "\(shares)")
    }

    /// A frame may have no frame pointer yet: a sample there ended the program.
    @Test func anAsyncFunctionMayBeInterruptedAtItsFirstInstruction() throws {
        let program = try SwiftProgram.compile(
            files: ["ShortAwaits.swift"], module: "ShortAwaits", build: .optimised,
            extraFlags: ["-Xcc", "-fno-omit-frame-pointer"])
        for _ in 0..<3 {
            let run = try TimeRun(program, options: ["--rate", "10000", "--propagate-exit"])
            #expect(run.status == 0)
            #expect(run.output == "done\n")
        }
    }

    @Test("samples of code without frame pointers end no program that sleeps in async functions")
    func sleepingTasks() throws {
        let program = try SwiftProgram.compile(files: ["ShortSleeps.swift"], module: "ShortSleeps", build: .optimised)
        for rate in ["1000", "10000", "10000", "10000", "10000", "10000"] {
            let run = try TimeRun(program, options: ["--rate", rate, "--propagate-exit"])
            #expect(run.status == 0)
            #expect(run.output == "done\n")
        }
    }

    @Test func anOddRateOrSourceIsRefused() throws {
        for options in [["--rate", "0"], ["--rate", "10001"], ["--source", "magic"]] {
            let result = try Command.run(Products.gameprof, ["time"] + options + ["--", "/bin/true"])
            #expect(result.status == 2)
        }
    }
}
