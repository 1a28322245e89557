import Foundation
import Testing

@testable import GameprofAnalysis

/// What the report of a core file says of the crash: the same as that of a recorded crash.
@Suite struct CoreCrashTests {
    struct Way: CustomStringConvertible {
        var argument: String
        var signal: Int32
        var said: String?
        var isMain = true
        var address: String?
        var overflows = false

        var description: String { argument }
    }

    private static let ways = [
        Way(argument: "index", signal: SIGILL, said: "Index out of range"),
        Way(argument: "nil", signal: SIGILL, said: "Unexpectedly found nil"),
        Way(argument: "write", signal: SIGSEGV, address: "0x0000000000000010"),
        Way(argument: "escape", signal: SIGABRT, said: "deallocated with non-zero retain count"),
        Way(argument: "thread", signal: SIGILL, said: "Index out of range", isMain: false),
        Way(argument: "overflow", signal: SIGSEGV, overflows: true),
        Way(argument: "full thread", signal: SIGSEGV, isMain: false, overflows: true),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Crashing.swift", "LostCards.swift"], module: "Crashing", build: build)
    }

    /// Crashes as the first argument says. Nil: the kernel writes core files of this machine elsewhere.
    private func kernelCore(_ program: URL, _ way: String) throws -> String? {
        let pattern = try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
        guard !pattern.contains("|"), !pattern.contains("/") else { return nil }
        let line = "ulimit -c unlimited && exec '\(program.path)' '\(way)'"
        let environment = ["SWIFT_BACKTRACE": "enable=no"]
        _ = try Command.run(
            try CProgram.compile("Unblocked.c"), ["sh", "-c", line], environment: environment, directory: folder.url)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let core = try #require(names.first { $0.hasPrefix("core") }, "\(names)")
        return folder.url.appending(path: core).path
    }

    /// The same by a debugger.
    private func debuggerCore(_ program: URL, _ way: String) throws -> String {
        let core = folder.url.appending(path: "core.7").path
        let result = try Command.run(
            try CProgram.compile("Unblocked.c"),
            [
                "timeout", "300", "gdb", "-batch", "-nx", "-ex", "set environment SWIFT_BACKTRACE enable=no", "-ex",
                "run", "-ex",
                "gcore \(core)", "--args", program.path, way,
            ])
        #expect(FileManager.default.fileExists(atPath: core), "\(result.output)\(result.error)")
        return core
    }

    private func report(_ arguments: [String], status: Int32 = 1) throws -> Report {
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, arguments + ["--quiet", "--json", json.path])
        #expect(result.status == status, "\(result.error)")
        return try Report(json: json)
    }

    private func check(_ report: Report, _ way: Way) throws {
        let crash = try #require(report.crash)
        #expect(crash.signal == Int(way.signal) && (crash.thread == "main") == way.isMain, "\(crash)")
        let functions = crash.stack?.frames.map(\.function) ?? []
        #expect(functions.contains { $0.contains("crash(_:holding:in:)") }, "\(functions)")
        let frame = crash.stack?.frames.first { $0.function.contains("crash(_:holding:in:)") }
        #expect(frame?.file?.hasSuffix("Crashing.swift") == true && frame?.line ?? 0 > 0)
        if let said = way.said { #expect(crash.message?.contains(said) == true, "\(crash.message ?? "nothing")") }
        #expect((crash.stackOverflow == true) == way.overflows)
        if let address = way.address { #expect(crash.address == address) }
        #expect(way.signal != SIGABRT || crash.address == nil)
        let threads = try #require(report.threads)
        #expect(threads[0].stack.frames == crash.stack?.frames && threads[0].threads.first == crash.thread)
        #expect(threads.flatMap(\.threads).contains("main"))
        if !way.isMain {
            let main = try #require(threads.first { $0.threads.contains("main") })
            #expect(main.stack.frames.contains { $0.function.contains("static Program.main()") }, "\(main)")
        }
        let lost = report.findings.filter { $0.kind == .retainCycle }
        #expect(lost.map(\.count) == [5], "\(report.findings)")
    }

    @Test("a core file is told with the crash, as a recorded crash is", arguments: ways, SwiftProgram.Build.usual)
    func crash(_ way: Way, _ build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        guard let core = try kernelCore(program, way.argument) else { return }
        try check(try report(["leaks", core]), way)
    }

    @Test("a core file of a debugger says the same", arguments: SwiftProgram.Build.usual)
    func debugger(_ build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        try check(try report(["leaks", try debuggerCore(program, "thread")]), Self.ways[4])
    }

    @Test("the text begins with the crash and shows the other threads, and the page and a kept trace have both")
    func shown() throws {
        let core = try debuggerCore(try Self.program(.onone), "thread")
        let (page, trace) = (folder.url.appending(path: "r.html").path, folder.url.appending(path: "r.gptrace").path)
        let result = try Command.run(
            Products.gameprof, ["heap", core, "--text", "--html", page, "--output", trace])
        let lines = result.output.split(separator: "\n").map(String.init)
        let crash = try #require(lines.firstIndex { $0.hasPrefix("✗ Crash: signal 4 (Illegal instruction)") })
        let threads = try #require(lines.firstIndex { $0.hasPrefix("Where the other threads stood") })
        let finding = try #require(lines.firstIndex { $0.contains("Retain cycle") })
        #expect(crash < threads && threads < finding, "\(result.output)")
        #expect(lines[threads + 1].hasPrefix("  thread main"), "\(lines[threads + 1])")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("id=\"crash\"") && html.contains("id=\"threads\"") && html.contains("thread main"))
        let kept = try report(["report", trace])
        try check(kept, Self.ways[4])
    }

    @Test("tasks of a core file are shown behind its crash")
    func tasks() throws {
        let core = try debuggerCore(try Self.program(.onone), "index")
        let result = try Command.run(Products.gameprof, ["tasks", core])
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.contains("✗ Crash: signal 4 (Illegal instruction)"), "\(result.error)")
        #expect(result.error.contains("Index out of range"), "\(result.error)")
    }

    @Test("a core file that zstd has compressed is read as the other, and nothing of it is left behind")
    func packed() throws {
        let core = try debuggerCore(try Self.program(.optimised), "index")
        let plain = try report(["leaks", core])
        let packed = folder.url.appending(path: "core.Crashing.0.77.1234.99.zst").path
        let made = try Command.run(URL(filePath: "/usr/bin/env"), ["zstd", "-q", core, "-o", packed])
        try #require(made.status == 0, "\(made.error)")
        let temporary = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["leaks", packed, "--quiet", "--json", json.path],
            environment: ["TMPDIR": temporary.url.path])
        #expect(result.status == 1, "\(result.error)")
        let unpacked = try Report(json: json)
        #expect(unpacked.findings == plain.findings && unpacked.crash == plain.crash)
        #expect(unpacked.threads == plain.threads && unpacked.capture.notes.contains { $0.contains(packed) })
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.url.path) == [])
        // Cut off, damaged, and of another program.
        let bytes = try Data(contentsOf: URL(filePath: packed))
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: packed))
        #expect(try Command.run(Products.gameprof, ["leaks", packed, "--quiet"]).status != 0)
        var damaged = bytes
        damaged.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 64, with: Data(repeating: 0xff, count: 64))
        for (contents, sentence) in [
            (damaged, "is damaged"), (Data([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 0]), "is compressed with xz"),
            (Data(), "is not a core file."),
        ] {
            try contents.write(to: URL(filePath: packed))
            let refused = try Command.run(Products.gameprof, ["leaks", packed, "--quiet"])
            #expect(refused.status == 2 && refused.error.contains(sentence), "\(refused.error)")
        }
    }

    @Test("files of a container are found below its root, for code and for names", arguments: SwiftProgram.Build.usual)
    func root(_ build: SwiftProgram.Build) throws {
        let original = try Self.program(build)
        let place = try TemporaryFolder()
        let moved = place.url.appending(path: "Crashing")
        try FileManager.default.copyItem(at: original, to: moved)
        guard let core = try kernelCore(moved, "index") else { return }
        let root = try TemporaryFolder()
        let below = root.url.appending(path: place.url.path)
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: moved, to: below.appending(path: "Crashing"))
        let blind = try Command.run(Products.gameprof, ["leaks", core, "--text"])
        #expect(blind.output.contains("is missing or has changed"), "\(blind.output)")
        try check(try report(["leaks", core, "--symbols", root.url.path]), Self.ways[0])
    }
}
