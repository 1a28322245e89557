import Foundation
import Testing

@testable import GameprofAnalysis

/// Looks at processes and core files that are kept as traces.
@Suite struct KeptLookTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Served.swift"], module: "Served", build: build)
    }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func gameprof(_ arguments: String...) throws -> CommandResult {
        try Command.run(Products.gameprof, arguments, directory: folder.url)
    }

    private func report(_ arguments: [String], status: Int32 = 1) throws -> Report {
        let json = path("report.json")
        let result = try Command.run(Products.gameprof, arguments + ["--quiet", "--json", json])
        #expect(result.status == status, "\(result.error)")
        return try Report(json: URL(filePath: json))
    }

    /// The report of a kept look is that of the look.
    private func check(_ look: Report, _ trace: String) throws {
        let kept = try report(["report", trace])
        #expect(kept.findings == look.findings && kept.heap == look.heap && kept.threads == look.threads)
        #expect(kept.findings.map(\.count) == [5] && kept.findings.map(\.kind) == [.retainCycle])
        #expect(kept.capture == look.capture && kept.environment["source"] == look.environment["source"])
        #expect(kept.crash == look.crash && kept.target.arguments == look.target.arguments)
        // That of gameprof leaks shows no heap.
        #expect(kept.liveHeap?.types == look.liveHeap?.types && kept.liveHeap?.holders == look.liveHeap?.holders)
    }

    @Test(
        "a kept look at a process is a trace like others: report, heap diff and diff read it",
        arguments: SwiftProgram.Build.usual)
    func process(_ build: SwiftProgram.Build) throws {
        let waiting = try WaitingProgram(try Self.program(build))
        let (one, two) = (path("one.gptrace"), path("two.gptrace"))
        try check(try report(["heap", "--pid", waiting.pid, "--output", one]), one)
        try waiting.goOn("more")
        try check(try report(["leaks", "--pid", waiting.pid, "-o", two]), two)
        for later in [[two], ["--pid", waiting.pid]] {
            let result = try Command.run(Products.gameprof, ["heap", "diff", one] + later)
            #expect(result.status == 0, "\(result.error)")
            let grown = result.output.split(separator: "\n").first { $0.contains("SessionStore.audit: Session") }
            #expect(grown?.firstMatch(of: #/\+[0-9]+ KB +100 +200 +Sess/#) != nil, "\(result.output)")
        }
        let diff = try gameprof("diff", one, two, "--fail-on", "leaks")
        #expect(diff.status == 0 && diff.output.contains("0 new, 0 gone, 1 in both"), "\(diff.output)\(diff.error)")
        let dump = try gameprof("dump", one)
        #expect(dump.status == 0 && dump.output.contains("source=\"a running process\""), "\(dump.error)")
        #expect(try waiting.finish() == "ended\n")
    }

    @Test("a kept core file is compared with its process", arguments: SwiftProgram.Build.usual)
    func core(_ build: SwiftProgram.Build) throws {
        let waiting = try WaitingProgram(try Self.program(build))
        let core = try waiting.core(in: folder)
        let trace = path("core.gptrace")
        try check(try report(["heap", core, "--output", trace]), trace)
        try waiting.goOn("more")
        for earlier in [core, trace] {
            let result = try gameprof("heap", "diff", earlier, "--pid", waiting.pid)
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains("SessionStore.audit: Session"), "\(result.output)")
        }
        _ = try waiting.finish()
    }

    @Test("what was not read of a process is not read in its trace, and nothing is said to be lost")
    func unread() throws {
        let program = try SwiftProgram.compile(files: ["Unread.swift"], module: "Unread", build: .optimised)
        let waiting = try WaitingProgram(program, ["hidden"])
        let trace = path("hidden.gptrace")
        let look = try report(["leaks", "--pid", waiting.pid, "--output", trace], status: 4)
        let kept = try report(["report", trace], status: 4)
        #expect(look.capture.problems.first?.hasPrefix("There is no conclusion about leaks:") == true)
        #expect(look.findings.map(\.severity) == [.warning] && kept.findings == look.findings)
        #expect(kept.capture == look.capture && kept.heap == nil)
        _ = try waiting.finish()
    }

    @Test("what cannot be kept or compared is said in a sentence, and nothing is left behind")
    func refused() throws {
        let waiting = try WaitingProgram(try Self.program(.optimised))
        for (arguments, sentence) in [
            (["leaks", "--pid", waiting.pid, "--output", "/no/such/folder/t"], "/no/such/folder does not exist"),
            (["heap", "diff", "--pid", waiting.pid], "heap diff compares traces."),
            (
                ["heap", "diff", "a.gptrace", "b.gptrace", "--pid", "7"],
                "compares one trace or core file with process 7."
            ),
            (["heap", "diff", "a.gptrace", "--pid", "7", "--snapshot", "1,2"], "it cannot be combined with --pid."),
            (["heap", "diff", "a.gptrace", "--program", "/bin/ls"], "can only be used with --pid or a core file."),
        ] {
            let result = try Command.run(
                Products.gameprof, arguments, environment: ["TMPDIR": folder.url.path], directory: folder.url)
            #expect(result.status == 2 && result.error.contains(sentence), "\(result.status) \(result.error)")
        }
        // A small disk for what is temporary would do the same.
        let line =
            "ulimit -f 1; exec '\(Products.gameprof.path)' leaks --pid \(waiting.pid) --quiet -o t.gptrace --json r.json"
        let full = try Command.run(
            URL(filePath: "/bin/sh"), ["-c", line], environment: ["TMPDIR": folder.url.path], directory: folder.url)
        #expect(full.status == 4 && full.error.contains("cannot be written"), "\(full.status) \(full.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        _ = try waiting.finish()
    }
}
