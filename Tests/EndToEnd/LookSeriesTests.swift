import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof leaks --pid --every`: a process that is looked at again and again.
@Suite(.serialized) struct LookSeriesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Served.swift"], module: "Served", build: build)
    }

    private var json: URL { folder.url.appending(path: "report.json") }

    private func report(_ arguments: [String]) throws -> Report {
        let result = try Command.run(Products.gameprof, arguments + ["--quiet", "--json", json.path])
        #expect(result.status == 1, "\(result.error)")
        return try Report(json: json)
    }

    private func check(_ report: Report, isGrowing: Bool = true, _ pid: String) throws {
        #expect(report.findings.map(\.kind) == [.retainCycle] && report.findings.map(\.count) == [5])
        let looks = try #require(report.snapshots)
        #expect(looks.allSatisfy { $0.problem == nil && $0.unreachableBlocks >= 10 })
        #expect(report.findings.first?.sightings?.count == looks.count)
        let note = try #require(report.capture.notes.first { $0.hasPrefix("Read from the running process \(pid), ") })
        #expect(note.contains("process \(pid), \(looks.count) times in "), "\(note)")
        guard isGrowing else {
            #expect(report.grew == nil, "\(report.grew ?? [])")
            return
        }
        let grew = try #require(report.grew)
        // What comes and goes is no growth.
        #expect(grew.map(\.type) == ["Served.Session"], "\(grew)")
        #expect(grew[0].holder == "Served.SessionStore" && grew[0].field == "audit")
        #expect(grew[0].added > 40 && grew[0].removed == 0 && grew[0].kept > 100 + grew[0].added - 20)
        #expect(grew[0].bytes > 500 * grew[0].kept && grew[0].share > 0.3 && grew[0].lastAddedSeconds > 0)
    }

    @Test(
        "growth is named by its holder, and what is lost is the finding of one look",
        arguments: SwiftProgram.Build.usual)
    func growing(_ build: SwiftProgram.Build) throws {
        let waiting = try WaitingProgram(try Self.program(build), ["grow"])
        let trace = folder.url.appending(path: "looks.gptrace").path
        let looks = try report(["leaks", "--pid", waiting.pid, "--every", "400ms", "--for", "4s", "--output", trace])
        try check(looks, waiting.pid)
        let one = try report(["leaks", "--pid", waiting.pid])
        #expect(looks.findings.map(\.signature) == one.findings.map(\.signature))
        let kept = try report(["report", trace])
        #expect(kept.findings == looks.findings && kept.grew == looks.grew && kept.snapshots == looks.snapshots)
        let diff = try Command.run(Products.gameprof, ["heap", "diff", trace])
        #expect(diff.status == 0 && diff.output.contains("SessionStore.audit: Session"), "\(diff.output)")
        #expect(try waiting.finish() == "ended\n")
    }

    @Test("of a process that does not grow nothing is said to have grown")
    func steady() throws {
        let waiting = try WaitingProgram(try Self.program(.optimised))
        let looks = try report(["leaks", "--pid", waiting.pid, "--every", "200ms", "--for", "2s"])
        try check(looks, isGrowing: false, waiting.pid)
        #expect(try waiting.finish() == "ended\n")
    }

    @Test(
        "a request for an end ends the looks with the report, and the end of the process does too", arguments: [0, 1])
    func ended(_ way: Int) throws {
        let waiting = try WaitingProgram(try Self.program(.optimised), ["grow"])
        let tool = Process()
        tool.executableURL = Products.gameprof
        tool.arguments = ["leaks", "--pid", waiting.pid, "--every", "300ms", "--quiet", "--json", json.path]
        try tool.run()
        sleep(4)
        // Whoever runs the tests may ignore SIGINT.
        if way == 0 { kill(tool.processIdentifier, SIGTERM) } else { waiting.end() }
        tool.waitUntilExit()
        #expect(tool.terminationStatus == 1)
        try check(try Report(json: json), waiting.pid)
        if way == 0 { #expect(try waiting.finish() == "ended\n") }
    }

    @Test(
        "an interval that makes no sense is refused in a sentence",
        arguments: [
            (["--every", "60s", "/bin/true"], "--every looks at a running process: name it with --pid PID."),
            (["--pid", "1", "--for", "60s"], "--for goes with --every."),
            (["--pid", "1", "--every", "soon"], "--every needs a time of 1 ms to 1,000,000 s, as 10m, 30s or 500ms."),
            (["--pid", "4194304", "--every", "1s"], "There is no process 4194304."),
        ])
    func refused(_ arguments: [String], _ sentence: String) throws {
        let result = try Command.run(Products.gameprof, ["leaks"] + arguments)
        #expect(result.status == 2 && result.error.contains(sentence), "\(result.error)")
    }
}
