import Foundation
import GameprofHeap
import Testing

@testable import GameprofAnalysis

/// Programs with a recorder that waits, and `gameprof attach`.
@Suite(.serialized) struct AttachTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func dormant(_ program: URL, _ arguments: [String] = []) throws -> WaitingProgram {
        try WaitingProgram(Products.gameprof, ["record", "--dormant", "--", program.path] + arguments)
    }

    private func attach(to pid: String, _ options: [String] = ["--for", "1s"]) throws -> CommandResult {
        try Command.run(Products.gameprof, ["attach", pid, "--output", trace] + options)
    }

    private var trace: String { folder.url.appending(path: "a.gptrace").path }

    private func report() throws -> Report {
        let json = folder.url.appending(path: "report.json")
        let run = try Command.run(Products.gameprof, ["report", trace, "--json", json.path])
        #expect(run.status == 0, "\(run.error)")
        return try Report(json: json)
    }

    private func count(of folder: String, in pid: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/\(folder)").count
    }

    /// Starts an attach that ends when it is asked to, and waits until it records.
    private func begin(_ pid: String, output: String? = nil) throws -> Process {
        let (tool, said) = (Process(), Pipe())
        tool.executableURL = Products.gameprof
        tool.arguments = ["attach", pid, "--output", output ?? trace]
        tool.standardError = said
        try tool.run()
        let sentence = String(decoding: said.fileHandleForReading.availableData, as: UTF8.self)
        #expect(sentence.contains("Recording process \(pid) until Ctrl-C."))
        return tool
    }

    /// Until the process has left the mark by which a waiting recorder is found.
    private func waitForRecorder(in pid: pid_t) {
        // Foundation's own reading of such a file ends after its first pages.
        func isThere() -> Bool { ProcessFacts.text("/proc/\(pid)/maps")?.contains("gameprof-dormant") == true }
        for _ in 0..<500 where !isThere() { usleep(20_000) }
        #expect(isThere())
    }

    /// Until the recorder's thread is gone, or there.
    private func wait(for pid: String, threads: Int) throws {
        for _ in 0..<200 where try count(of: "task", in: pid) != threads { usleep(20_000) }
        #expect(try count(of: "task", in: pid) == threads)
    }

    @Test(
        "each time the allocations, the functions and the files of that time are recorded",
        arguments: SwiftProgram.Build.usual)
    func everything(_ build: SwiftProgram.Build) throws {
        let program = try dormant(
            try SwiftProgram.compile(files: ["Attached.swift"], module: "Attached", build: build))
        for _ in 0..<3 {
            let run = try attach(to: program.pid)
            #expect(run.status == 0, "\(run.error)")
            let report = try report()
            #expect(report.findings.isEmpty, "\(report.findings)")
            #expect(report.capture.notes.contains { $0.hasPrefix("The recording began while the program ran:") })
            let types = try #require(report.allocations).byType
            let card = try #require(types.first { $0.type == "Attached.Card" })
            #expect(card.counts.allocations > 100 && card.counts.liveCount <= 500)
            #expect(!types.contains { $0.type == "Attached.Veteran" }, "it was made before")
            let hotspots = try #require(report.hotspots)
            #expect(hotspots.samples > 50 && hotspots.total("mix(_:)") > 0.5, "\(hotspots.samples)")
            #expect(hotspots.threads.filter { $0.samples > 5 }.count == 3)
            let file = try #require(report.files?.byFile.first { $0.name == "/proc/self/stat" })
            #expect(file.reads > 100)
        }
        #expect(try program.finish() == "done\n")
    }

    @Test func `a waiting recorder has no thread and no file, and none is left behind`() throws {
        let program = try dormant(try CProgram.compile("Dormant.c"))
        let files = try count(of: "fd", in: program.pid)
        try wait(for: program.pid, threads: 2)
        #expect(try attach(to: program.pid).status == 0)
        try wait(for: program.pid, threads: 2)
        #expect(try count(of: "fd", in: program.pid) == files)
        program.process.terminate()
    }

    @Test func `a look from outside reads no trace of a recording, and misses nothing after one`() throws {
        let program = try dormant(
            try SwiftProgram.compile(files: ["Attached.swift"], module: "Attached", build: .optimised))
        for isOver in [false, true] {
            let tool = try begin(program.pid)
            if isOver {
                tool.interrupt()
                tool.waitUntilExit()
                try FileManager.default.removeItem(atPath: trace)
            }
            let look = try Command.run(Products.gameprof, ["leaks", "--text", "--pid", program.pid])
            #expect(look.status == 0 && look.output.contains("No leaks among"), "\(look.output)")
            if !isOver {
                tool.interrupt()
                tool.waitUntilExit()
            }
        }
        #expect(try program.finish() == "done\n")
    }

    @Test func `a killed attach ends the recording, and the next one records`() throws {
        let program = try dormant(try CProgram.compile("Dormant.c"))
        for _ in 0..<3 {
            let tool = try begin(program.pid)
            try wait(for: program.pid, threads: 3)
            kill(tool.processIdentifier, SIGKILL)
            tool.waitUntilExit()
            try wait(for: program.pid, threads: 2)
        }
        #expect(try attach(to: program.pid).status == 0)
        #expect(try #require(try report().allocations).totals.allocations > 100)
        #expect(program.process.isRunning)
    }

    @Test func `while one records another is refused`() throws {
        let program = try dormant(try CProgram.compile("Dormant.c"))
        let first = try begin(program.pid, output: trace + ".first")
        let second = try attach(to: program.pid)
        #expect(second.status == 4 && second.error.contains("Another gameprof attach records the process."))
        first.interrupt()
        first.waitUntilExit()
        #expect(first.terminationStatus == 0)
    }

    @Test("a program is reached wherever its threads are", arguments: ["busy", "masked", "handled"])
    func places(_ state: String) throws {
        let program = try dormant(try CProgram.compile("Dormant.c"), [state])
        for _ in 0..<2 {
            let run = try attach(to: program.pid)
            #expect(run.status == 0, "\(run.error)")
            #expect(try #require(try report().allocations).totals.allocations > 100)
        }
        guard state != "busy" else { return }
        try program.input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        program.process.waitUntilExit()
        #expect(program.process.terminationStatus == 3)
    }

    @Test func `what a program becomes waits too, also where it was recorded meanwhile`() throws {
        let program = try dormant(try CProgram.compile("Dormant.c"), ["replaced"])
        let tool = try begin(program.pid)
        // So long the program allocates, which nothing outside of it shows.
        usleep(300_000)
        try program.goOn("become another")
        tool.waitUntilExit()
        #expect(tool.terminationStatus == 0)
        #expect(try #require(try report().allocations).totals.allocations > 100)
        #expect(try attach(to: program.pid).status == 0)
        #expect(try #require(try report().allocations).totals.allocations > 100)
    }

    @Test func `a process that was not prepared is refused with what to do`() throws {
        let program = try WaitingProgram(try CProgram.compile("Dormant.c"))
        let run = try attach(to: program.pid)
        #expect(run.status == 2)
        #expect(run.error.contains("start the program with gameprof record --dormant"), "\(run.error)")
        #expect(program.process.isRunning)
        #expect(try attach(to: "999999999").status == 2)
        #expect(try attach(to: program.pid, ["--instruments", "leaks"]).status == 2)
    }

    @Test func `twenty times on and off fail no request of a server`() throws {
        let server = try Server(20, of: trace)
        #expect(server.requests > 1_000 && server.failures == 0, "\(server)")
        #expect(server.grownBytes < 8 << 20, "\(server)")
    }

    @Test func `the doctor says whether a recorder waits`() throws {
        let program = try dormant(try CProgram.compile("Dormant.c"))
        let doctor = try Command.run(Products.gameprof, ["doctor", program.pid])
        #expect(doctor.output.contains("attach        a recorder waits for gameprof attach"), "\(doctor.output)")
    }

    @Test func `GAMEPROF=dormant prepares a program that preloads the recorder`() throws {
        let library = Products.gameprof.deletingLastPathComponent().appending(
            path: "GameProfiler_RecorderLibrary.resources/libGameRecorder.so")
        let program = try WaitingProgram(
            URL(filePath: "/usr/bin/env"),
            ["GAMEPROF=dormant", "LD_PRELOAD=\(library.path)", try CProgram.compile("Dormant.c").path])
        #expect(try attach(to: program.pid, ["--for", "300ms", "--instruments", "allocations"]).status == 0)
        let found = try report()
        #expect(found.capture.instruments == [.allocations])
        #expect(try #require(found.allocations).totals.allocations > 100)
    }

    @Test func `retains and releases of a part of the run are counted where the program was started for that`() throws {
        let program = try SwiftProgram.compile(files: ["Attached.swift"], module: "Attached", build: .optimised)
        let options = ["--instruments", "time", "--for", "500ms"]
        let counted = try WaitingProgram(
            Products.gameprof, ["record", "--dormant", "--arc", "--", program.path])
        var releases: [UInt64] = []
        for _ in 0..<2 {
            #expect(try attach(to: counted.pid, options + ["--arc"]).status == 0)
            let counting = try #require(try report().referenceCounting)
            #expect(counting.functions.contains { $0.function == "look()" }, "\(counting)")
            releases.append(counting.releases)
        }
        #expect(releases.allSatisfy { $0 > 100 }, "\(releases)")
        #expect(try attach(to: counted.pid, ["--instruments", "allocations", "--for", "300ms"]).status == 0)
        #expect(try report().referenceCounting == nil, "another instrument does not count")
        #expect(try attach(to: counted.pid, options).status == 0)
        #expect(try report().referenceCounting == nil)
        #expect(try counted.finish() == "done\n")

        let plain = try dormant(program)
        #expect(try attach(to: plain.pid, options + ["--arc"]).status == 0)
        let report = try report()
        #expect(report.referenceCounting == nil)
        #expect(report.capture.notes.contains { $0.contains("not started with gameprof record --dormant --arc") })
        let refused = try attach(to: plain.pid, ["--arc", "--instruments", "files"])
        #expect(refused.status == 2 || refused.status == 64, "\(refused.error)")
        #expect(try plain.finish() == "done\n")
    }

    /// A cell of a probe is written without a call.
    @Test func `a linked recorder records probes each time, and says that it sees no files`() throws {
        let game = Process()
        game.executableURL = Products.animatedGame
        game.arguments = ["900"]
        game.environment = ["GAMEPROF": "dormant"]
        game.standardOutput = FileHandle.nullDevice
        try game.run()
        defer { kill(game.processIdentifier, SIGKILL) }
        waitForRecorder(in: game.processIdentifier)
        for _ in 0..<2 {
            let run = try attach(to: "\(game.processIdentifier)")
            #expect(run.status == 0, "\(run.error)")
            let report = try report()
            #expect(report.capture.instruments == [.allocations, .time] && report.files == nil)
            #expect(report.probes?.contains { $0.name == "simulate" } == true)
        }
        let files = try attach(to: "\(game.processIdentifier)", ["--for", "100ms", "--instruments", "files"])
        #expect(files.status == 2 && files.error.contains("does not see its files"), "\(files.error)")
    }
}

/// The same for longer: `make soak`.
@Suite(.enabled(if: LongTests.soak)) struct AttachSoakTests {
    @Test func `three hundred times on and off fail no request of a server, and leave no memory`() throws {
        let folder = try TemporaryFolder()
        let server = try Server(300, of: folder.url.appending(path: "a.gptrace").path)
        #expect(server.requests > 1_000_000 && server.failures == 0, "\(server)")
        #expect(server.grownBytes < 8 << 20, "\(server)")
    }
}

/// A server with a dormant recorder, which four clients ask without a pause while a recording is switched on and off.
private struct Server {
    let requests: Int, failures: Int, longestMilliseconds: Int
    /// Anonymous memory, since the first recordings.
    let grownBytes: Int

    init(_ times: Int, of trace: String) throws {
        let program = try SwiftProgram.compile(files: ["LookedAt.swift"], module: "LookedAt", build: .optimised)
        let server = try PipedProgram(
            Products.gameprof, ["record", "--dormant", "--", program.path, "server", "16"])
        let pid = server.process.processIdentifier
        defer { kill(pid, SIGKILL) }
        let client = try PipedProgram(program, ["client", server.line])
        var memory: [Int] = []
        for turn in 0..<times {
            let run = try Command.run(
                Products.gameprof,
                ["attach", "\(pid)", "--for", "100ms", "--quiet", "--output", trace])
            #expect(run.status == 0, "\(run.error)")
            if turn >= times / 2 { memory.append(try server.anonymousMemory()) }
        }
        let figures = try client.figures()
        try #require(figures.count == 3)
        #expect(server.process.isRunning)
        (requests, failures, longestMilliseconds) = (figures[0], figures[1], figures[2])
        grownBytes = (memory[memory.count - 1] - memory[0]) << 10
        print("\(times) recordings: \(self)")
    }
}
