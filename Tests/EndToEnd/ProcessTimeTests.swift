import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof time --pid` on processes that nobody has prepared.
@Suite(.serialized) struct ProcessTimeTests {
    private func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Observed.swift"], module: "Observed", build: build)
    }

    /// Percentage of all stacks that reached their outermost frame.
    private func wholeShare(_ run: TimeRun) throws -> Double {
        let note = try #require(run.notes.first { $0.hasSuffix("were followed to their outermost frame.") })
        return try #require(note.split(separator: " ").first.flatMap { Double($0) })
    }

    @Test(
        "the hot function of all threads is named, also of one that began later, and the stacks are whole",
        arguments: SwiftProgram.Build.usual, ["any", "stops"])
    func hotFunction(_ build: SwiftProgram.Build, _ source: String) throws {
        let observed = try WaitingProgram(try program(build), ["threads"])
        let run = try TimeRun(process: observed.pid, options: ["--for", "4s", "--source", source])
        #expect(try observed.finish().hasSuffix("done\n"))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.hotspots.samples > 20)
        #expect(run.hotspots.lost == 0)
        #expect(run.hotspots.total("mix(_:)") >= 0.9)
        #expect(run.hotspots.total("computes()") >= 0.9)
        #expect(try wholeShare(run) >= 97)
        let busy = run.hotspots.threads.filter { $0.samples > 2 }
        #expect(busy.count == 3, "\(run.hotspots.threads)")
        let isPerf = run.hotspots.method == "Sampled from outside by task-clock perf events of each thread."
        if source == "stops" { #expect(!isPerf) }
    }

    @Test(
        "awaiting callers take the place of the executor", arguments: SwiftProgram.Build.usual, ["any", "stops"])
    func asyncCallers(_ build: SwiftProgram.Build, _ source: String) throws {
        let observed = try WaitingProgram(try program(build), ["async"])
        let run = try TimeRun(process: observed.pid, options: ["--for", "2s", "--source", source])
        #expect(try observed.finish() == "done\n")
        #expect(run.status == 0, "\(run.error)")
        let callers = build == .onone ? ["inner()", "middle()", "outer()"] : ["outer()"]
        for caller in callers { #expect(run.hotspots.total(caller) > 0.8, "\(caller)") }
        #expect(try wholeShare(run) >= 97)
    }

    @Test("of a stack deeper than its copy the outer frames are read from the process")
    func deepStacks() throws {
        let observed = try WaitingProgram(try program(.onone), ["deep"])
        let run = try TimeRun(process: observed.pid, options: ["--for", "1s"])
        #expect(try observed.finish() == "done\n")
        #expect(run.hotspots.total("descends(_:)") > 0.9)
        #expect(try wholeShare(run) >= 97)
    }

    @Test("waiting threads show what they wait for", arguments: SwiftProgram.Build.usual)
    func waits(_ build: SwiftProgram.Build) throws {
        let observed = try WaitingProgram(try program(build), ["idle"])
        let run = try TimeRun(process: observed.pid, options: ["--wall", "--for", "2s"])
        let said = Set(try observed.finish().split(separator: "\n"))
        #expect(said == ["locked", "woken", "slept", "read 120", "done"])
        #expect(run.status == 0, "\(run.error)")
        let waits = Dictionary(
            (run.hotspots.offCPU ?? []).map { ($0.function, $0) }, uniquingKeysWith: { first, _ in first })
        for (function, cause) in [
            ("waitsForLock()", "lock"), ("waitsForSemaphore()", "semaphore"), ("sleepsOnAndOn()", "sleep"),
            ("readsFromPipe(_:)", "input or output"),
        ] {
            let row = try #require(waits[function], "\(waits.keys)")
            #expect(row.waitsFor?[cause] ?? 0 > 1, "\(function): \(row.waitsFor ?? [:])")
        }
    }

    @Test("the kept trace is one like others: report, dump, diff and export read it")
    func keptTrace() throws {
        let observed = try WaitingProgram(try program(.onone), ["threads"])
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "kept.gptrace").path
        let run = try TimeRun(process: observed.pid, options: ["--for", "1s", "--output", trace])
        _ = try observed.finish()
        #expect(run.status == 0, "\(run.error)")
        let report = try Command.run(Products.gameprof, ["report", trace, "--text"])
        #expect(report.status == 0 && report.output.contains("mix(_:)"), "\(report.error)")
        let dump = try Command.run(Products.gameprof, ["dump", trace])
        #expect(dump.status == 0 && dump.output.contains("source=\"a running process\""))
        let diff = try Command.run(Products.gameprof, ["diff", trace, trace])
        #expect(diff.status == 0, "\(diff.error)")
        let export = try Command.run(
            Products.gameprof, ["export", trace, "--format", "collapsed", "--output", "-"])
        #expect(export.status == 0 && export.output.contains("mix(_:)"), "\(export.error)")
    }

    @Test("a program goes on untouched when the tool is killed at any moment", arguments: ["any", "stops"])
    func killedTool(_ source: String) throws {
        let observed = try WaitingProgram(try program(.optimised), ["threads"])
        for turn in 0..<20 {
            let tool = Process()
            tool.executableURL = Products.gameprof
            tool.arguments = ["time", "--pid", observed.pid, "--wall", "--source", source, "--quiet", "--text"]
            tool.standardOutput = FileHandle.nullDevice
            try tool.run()
            usleep(UInt32(turn) * 40_000 + UInt32.random(in: 0..<40_000))
            kill(tool.processIdentifier, SIGKILL)
            tool.waitUntilExit()
        }
        usleep(100_000)
        let status = try String(contentsOfFile: "/proc/\(observed.pid)/status", encoding: .utf8)
        #expect(status.contains("TracerPid:\t0\n") && !status.contains("State:\tt") && !status.contains("State:\tT"))
        #expect(try observed.finish().hasSuffix("done\n"))
    }

    @Test("waiting calls end as they do without the tool", arguments: ["any", "stops"])
    func unharmed(_ source: String) throws {
        let program = try CProgram.compile("Stopped.c")
        let alone = try WaitingProgram(program, ["calls"]).finish()
        let waiting = try WaitingProgram(program, ["calls"])
        let run = try TimeRun(process: waiting.pid, options: ["--wall", "--for", "1s", "--source", source])
        #expect(run.status == 0, "\(run.error)")
        #expect(try waiting.finish() == alone)
    }

    @Test("a request for an end ends the sampling, and the report is made", arguments: ["any", "stops"])
    func interrupted(_ source: String) throws {
        let observed = try WaitingProgram(try program(.optimised), ["threads"])
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let tool = Process()
        tool.executableURL = Products.gameprof
        tool.arguments = [
            "time", "--pid", observed.pid, "--for", "30s", "--source", source, "--quiet", "--json", json.path,
        ]
        try tool.run()
        sleep(2)
        // Whoever runs the tests may ignore SIGINT.
        kill(tool.processIdentifier, SIGTERM)
        tool.waitUntilExit()
        #expect(tool.terminationStatus == 0)
        let report = try Report(json: json)
        #expect(report.target.wallSeconds < 20)
        #expect(report.hotspots?.total("mix(_:)") ?? 0 > 0.9)
        #expect(try observed.finish().hasSuffix("done\n"))
    }

    @Test("the end of the process ends the sampling")
    func endedProcess() throws {
        let observed = try WaitingProgram(try program(.optimised), ["threads"])
        let process = observed.process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { kill(process, SIGKILL) }
        let run = try TimeRun(process: observed.pid, options: ["--for", "100s"])
        #expect(run.status == 0, "\(run.error)")
        #expect(run.notes.contains { $0.hasPrefix("The process ended after") }, "\(run.notes)")
        #expect(run.hotspots.total("mix(_:)") > 0.9)
    }

    @Test("a process that may not be sampled is refused with a sentence that names what is missing")
    func refused() throws {
        let gone = try Command.run(Products.gameprof, ["time", "--pid", "2147483647"])
        #expect(gone.status == 2 && gone.error.contains("There is no process 2147483647."), "\(gone.error)")
        let named = try Command.run(Products.gameprof, ["time", "--for", "1s", "true"])
        #expect(named.status == 2 && named.error.contains("--for goes with --pid"), "\(named.error)")
        let both = try Command.run(Products.gameprof, ["time", "--pid", "1", "--follow", "true"])
        #expect(both.status == 2 && both.error.contains("--follow controls how a program is recorded"), "\(both.error)")
        guard geteuid() == 0, access("/usr/bin/setpriv", X_OK) == 0 else { return }
        let observed = try WaitingProgram(try program(.optimised), ["threads"])
        let unprivileged = ["--reuid", "65534", "--regid", "65534", "--clear-groups", Products.gameprof.path]
        let result = try Command.run(
            URL(filePath: "/usr/bin/setpriv"), unprivileged + ["time", "--pid", observed.pid, "--text"],
            environment: ["TMPDIR": "/tmp"])
        #expect(result.status == 4, "\(result.error)")
        #expect(result.error.contains("CAP_PERFMON") && result.error.contains("CAP_SYS_PTRACE"), "\(result.error)")
        let doctor = try Command.run(Products.gameprof, ["doctor", observed.pid])
        #expect(doctor.output.contains("time          sampled by"), "\(doctor.output)")
        #expect(try observed.finish().hasSuffix("done\n"))
    }
}
