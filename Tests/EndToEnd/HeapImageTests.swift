import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof heap` and `leaks` on core files and on running processes that were not started under gameprof.
@Suite struct HeapImageTests {
    private static let untouched = "read 1000\ngo on, ticking\n"

    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Waiting.swift"], module: "Waiting", build: build)
    }

    private static func report(_ arguments: [String], status: Int32 = 1) throws -> Report {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, arguments + ["--quiet", "--json", json.path])
        #expect(result.status == status, "\(result.error)")
        return try Report(json: json)
    }

    /// Objects of the program's types, living and lost.
    private static func counts(_ report: Report) -> [String: Int] {
        var result: [String: Int] = [:]
        for row in report.liveHeap?.types ?? [] { result[row.type, default: 0] += row.count }
        for finding in report.findings {
            for (type, count) in finding.objects { result[type, default: 0] += count }
        }
        return result.filter { $0.key.hasPrefix("Waiting.") }
    }

    private static let known = [
        "Waiting.Card": 7 * 13 + 3, "Waiting.Button": 7, "Waiting.Screen": 7, "Waiting.Derived": 1,
        "Waiting.Node": 1000, "Waiting.Box<Swift.Int>": 50,
    ]

    private static func checkCycle(_ report: Report) throws {
        let cycle = try #require(report.findings.first { $0.kind == .retainCycle })
        #expect(report.findings.count == 1)
        #expect(cycle.count == 5)
        #expect(
            cycle.references.map { "\($0.from).\($0.field ?? "?") → \($0.to)" } == [
                "Waiting.Screen.drawable → Waiting.Button", "Waiting.Button.action → Waiting.Screen",
            ])
        #expect(cycle.objects["Waiting.Screen"] == 5)
    }

    @Test(
        "the heap of a process and of its core file is the recorded one, and the process runs on",
        arguments: SwiftProgram.Build.allCases)
    func sameHeap(_ build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        let recorded = try Self.report(["heap"], program: program)
        let waiting = try WaitingProgram(program)
        let running = try Self.report(["heap", "--pid", waiting.pid])
        let folder = try TemporaryFolder()
        let core = try waiting.core(in: folder)
        #expect(try waiting.finish() == Self.untouched)
        let stored = try Self.report(["heap", core])
        for report in [recorded, running, stored] {
            #expect(Self.counts(report) == Self.known)
            try Self.checkCycle(report)
        }
        #expect(running.findings[0].signature == recorded.findings[0].signature)
        #expect(running.capture.notes.contains { $0.contains("was paused for") }, "\(running.capture.notes)")
        let holders = try #require(stored.liveHeap?.holders)
        let fields = Set(holders.flatMap(\.children).flatMap { [$0] + $0.children }.compactMap(\.field))
        #expect(fields.isSuperset(of: ["next", "cards", "list"]), "\(fields)")
        try Self.checkCycle(try Self.report(["leaks", core]))
    }

    private static func report(_ arguments: [String], program: URL) throws -> Report {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, arguments + ["--quiet", "--json", json.path, "--", program.path])
        #expect(result.status == 1, "\(result.error)")
        return try Report(json: json)
    }

    @Test("a process that is looked at again and again, and from which gameprof is killed, is unharmed")
    func killed() throws {
        let waiting = try WaitingProgram(try Self.program(.optimised))
        for turn in 0..<20 {
            let look = Process()
            look.executableURL = Products.gameprof
            look.arguments = ["heap", "--pid", waiting.pid, "--quiet", "--json", "/dev/null"]
            look.standardError = FileHandle.nullDevice
            look.standardOutput = FileHandle.nullDevice
            try look.run()
            usleep(UInt32(1000 * turn * 2))
            kill(look.processIdentifier, SIGKILL)
            look.waitUntilExit()
        }
        let status = try String(contentsOfFile: "/proc/\(waiting.pid)/status", encoding: .utf8)
        #expect(status.contains("TracerPid:\t0"))
        #expect(!status.contains("State:\tT") && !status.contains("State:\tt"), "\(status)")
        _ = try Self.report(["leaks", "--pid", waiting.pid])
        #expect(try waiting.finish() == Self.untouched)
    }

    @Test("two core files are compared like two traces")
    func compared() throws {
        let waiting = try WaitingProgram(try Self.program(.onone))
        let folder = try TemporaryFolder()
        let core = try waiting.core(in: folder)
        _ = try waiting.finish()
        let result = try Command.run(Products.gameprof, ["heap", "diff", core, core])
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.hasPrefix("before  Waiting, snapshot 1"), "\(result.output)")
        #expect(result.output.contains("No type changed."), "\(result.output)")
    }

    @Test(
        "what cannot be looked at is said in a sentence",
        arguments: [
            (["heap", "--pid", "4194304"], Int32(2), "There is no process 4194304."),
            (["leaks", "--pid", "0"], 2, "--pid takes a process id."),
            (["heap", "--pid", "1", "ls"], 2, "--pid 1 reads a process; do not name a program as well."),
            (
                ["heap", "--program", "/bin/ls", "/bin/ls"], 2,
                "--program /bin/ls can only be used with --pid or a core file."
            ),
        ])
    func refused(_ arguments: [String], _ status: Int32, _ sentence: String) throws {
        let result = try Command.run(Products.gameprof, arguments)
        #expect(result.status == status)
        #expect(result.error.contains(sentence), "\(result.error)")
    }

    @Test("what no verdict and no object is known of is said in a sentence")
    func said() throws {
        let waiting = try WaitingProgram(
            try SwiftProgram.compile(files: ["UntypedBlocks.swift"], module: "UntypedBlocks", build: .optimised))
        let leaks = try Self.report(["leaks", "--pid", waiting.pid], status: 0)
        // A register may still name the last one, and libc have lost one of its own.
        let note = try #require(leaks.capture.notes.first { $0.hasPrefix("No live object refers to 6") })
        #expect(note.contains(" of 1.5 KB)"), "\(note)")
        let heap = try Command.run(
            Products.gameprof,
            ["heap", "--pid", waiting.pid, "--text", "--why", "Crate<Int>", "--why", "Box", "--why", "Main"])
        _ = try waiting.finish()
        for line in ["Main.shared  strong →  Crate<Int>", "type that matches Box.", "type that matches Main."] {
            #expect(heap.output.contains(line), "\(heap.output)")
        }
        #expect(!heap.output.contains("allocated by"))
    }

    @Test("a program of C has memory without types")
    func foreign() throws {
        let sleeping = Process()
        sleeping.executableURL = URL(filePath: "/bin/sleep")
        sleeping.arguments = ["60"]
        try sleeping.run()
        defer { sleeping.terminate() }
        let traced = try Command.run(Products.gameprof, ["heap", "--pid", "\(sleeping.processIdentifier)", "--text"])
        #expect(traced.status == 0, "\(traced.error)")
        #expect(traced.output.contains("Live heap") && traced.output.contains("memory"))
    }
}
