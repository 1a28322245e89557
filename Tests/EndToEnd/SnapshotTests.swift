import Foundation
import Testing

@testable import GameprofAnalysis

/// Heap snapshots of a program that runs on.
@Suite(.serialized) struct SnapshotTests {
    private struct Run {
        var report: Report
        var result: CommandResult
    }

    private static func swiftPrograms(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Snapshots.swift"], module: "Snapshots", build: build)
    }

    private static func leaks(_ options: [String], _ program: URL, _ arguments: [String] = []) throws -> Run {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["leaks", "--json", json.path] + options + ["--", program.path] + arguments)
        try #require(FileManager.default.fileExists(atPath: json.path), "exit \(result.status): \(result.error)")
        return Run(report: try Report(json: json), result: result)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a leak of several snapshots is one row that says when it was seen`(_ build: SwiftProgram.Build) throws {
        let run = try Self.leaks(["--snapshot-at", "0.3"], Self.swiftPrograms(build), ["growing"])
        let errors = run.report.findings.filter { $0.severity == .error }
        try #require(errors.count == 1, "\(run.report.findings)")
        #expect(errors[0].count == 3)
        #expect(errors[0].sightings?.last?.count == 3)
        #expect((run.report.snapshots?.count ?? 0) > 2)
        let first = errors[0].sightings?.first?.snapshot
        #expect(errors[0].firstSeenSeconds == run.report.snapshots?.first { $0.number == first }?.seconds)
        #expect(run.report.snapshots?.map(\.number) == Array(1...(run.report.snapshots?.count ?? 0)))
        #expect(run.report.snapshots?.last?.name == "exit")
        #expect(run.result.status == 1)
        #expect(run.result.output == "done\n")
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `what threads, tasks and queues pass around while the loader works is never called lost`(
        _ build: SwiftProgram.Build
    ) throws {
        let run = try Self.leaks(["--snapshot-at", "0.02"], Self.swiftPrograms(build), ["busy", "1.5"])
        #expect(run.report.findings.filter { $0.severity == .error }.map(\.type) == [])
        #expect(run.report.capture.problems == [])
        #expect((run.report.snapshots?.count ?? 0) > 2)
        #expect(run.result.status == 0, "\(run.result.error)")
        #expect(run.result.output == "done\n")
    }

    @Test func `no call of the program is cut short, and its own signals cut short as ever`() throws {
        let program = try CProgram.compile("Waiting.c")
        let bare = try Command.run(program)
        let run = try Self.leaks(["--snapshot-at", "0.05"], program)
        #expect(run.result.output == bare.output)
        #expect(run.report.capture.problems == [])
    }

    @Test(
        "storage with any words in it does not end the search",
        arguments: ["ffffffffffffffff", "fffffffffffffff0", "7ffffffffffffff0", "10"])
    func spoiledStorage(word: String) throws {
        let program = try SwiftProgram.compile(files: ["SpoiledStorage.swift"], module: "SpoiledStorage", build: .onone)
        let recording = try RecordedReport.leaks(of: program, [word])
        #expect(recording.status == 1)
        #expect(recording.report.errors.map(\.type) == ["SpoiledStorage.Lost"])
    }

    @Test(
        "the signal that stops threads is the program's as well",
        arguments: ["handle", "ignore", "default"], [[], ["--snapshot-at", "0.02"]])
    func programTakesStopSignal(use: String, options: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            Products.gameprof,
            ["leaks", "--quiet", "--propagate-exit", "--html", folder.url.appending(path: "r.html").path] + options
                + ["--", try CProgram.compile("SignalTaker.c").path, use])
        #expect(result.output == "well\n")
        #expect(result.status == (use == "default" ? 128 + 62 : 0))
    }

    @Test func `signals to the whole process group are the program's alone`() throws {
        let run = try Self.leaks(["--snapshot-at", "0.05"], try CProgram.compile("Grouped.c"))
        #expect(run.result.output == "done\n")
        #expect(run.report.capture.problems == [])
        #expect((run.report.snapshots ?? []).compactMap(\.problem) == [])
        #expect(run.result.status == 0, "\(run.result.error)")
    }

    @Test func `a thread that cannot be stopped is told, and nothing is concluded`() throws {
        let run = try Self.leaks([], try CProgram.compile("Deaf.c"))
        #expect(run.report.findings.isEmpty)
        #expect(run.report.capture.problems.contains { $0.contains("did not stop in time") })
        #expect(run.result.status == 4)
        #expect(run.result.output == "lost 7\n")
    }

    @Test func `where the process cannot be copied that is told, and nothing is concluded`() throws {
        let run = try Self.leaks([], try CProgram.compile("Deaf.c"), ["alone"])
        #expect(run.report.findings.isEmpty)
        #expect(
            run.report.capture.problems == ["There is no conclusion about leaks: no copy of the process could be made."]
        )
        #expect(run.result.status == 4)
        #expect(run.result.output == "lost 7\n")
    }

    @Test func `the thread that takes snapshots does not keep the program alive`() throws {
        let run = try Self.leaks(["--snapshot-at", "30"], Self.swiftPrograms(.onone), ["leave-main"])
        #expect(run.result.status == 0, "\(run.result.error)")
        #expect(run.result.output == "done\n")
    }

    @Test func `a signal to the tool asks for a snapshot and does not reach the program`() throws {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let process = Process()
        process.executableURL = Products.gameprof
        process.arguments =
            ["leaks", "--quiet", "--snapshot-at", "USR2", "--json", json.path, "--"]
            + [try Self.swiftPrograms(.onone).path, "announced"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // The program says so when it runs, and goes on for more than a second.
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        kill(process.processIdentifier, SIGUSR2)
        process.waitUntilExit()
        let report = try Report(json: json)
        #expect(report.snapshots?.map(\.name) == ["request", "exit"])
        #expect(process.terminationStatus == 1)
    }

    @Test(arguments: [["--snapshot-at", "KILL"], ["--snapshot-at", "0"], ["--snapshot-at", "often"]])
    func `what makes no sense is refused`(_ options: [String]) throws {
        let result = try Command.run(Products.gameprof, ["leaks"] + options + ["--", "/bin/true"])
        #expect(result.status == 2)
        #expect(result.error.contains("Error:"))
    }
}
