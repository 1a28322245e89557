import Foundation
import RecorderLibrary
import Testing

@testable import GameprofAnalysis

/// What resident memory is: the sum is the kernel's, and the program's cause comes first.
@Suite struct FootprintTests {
    private struct Run {
        var footprint: Report.Footprint
        /// As the program read it from /proc/self/smaps_rollup.
        var counted: UInt64
        var text: String
    }

    private static func run(_ shape: String, _ build: SwiftProgram.Build, _ arguments: [String] = []) throws -> Run {
        let program = try SwiftProgram.compile(script: "Footprints.swift", module: "Footprints", build: build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["footprint", "--json", json.path, "--", program.path, shape] + arguments)
        #expect(result.status == 0, "\(result.error)")
        let kib = try #require(result.output.split(separator: "\n").last.flatMap { UInt64($0) })
        return Run(
            footprint: try #require(try Report(json: json).footprint), counted: kib << 10, text: result.error)
    }

    private static func check(_ run: Run, _ cause: Report.Footprint.Cause) {
        let footprint = run.footprint
        #expect(footprint.parts.reduce(0) { $0 + $1.bytes } == footprint.residentBytes)
        // Of the kernel's sum at the same moment, which has nothing that its mappings have not.
        #expect(footprint.bytes(of: .kernel) < footprint.residentBytes / 100)
        // The program looks before the recorder's end, which touches up to 3 MB of code and tables.
        let since = Int64(footprint.residentBytes) - Int64(run.counted)
        #expect(since > -Int64(run.counted / 100) && since < 3 << 20 + Int64(run.counted / 100), "\(since)")
        #expect(footprint.cause == cause, "\(footprint)")
        #expect(run.text.contains(footprint.summary.prefix(20)), "\(run.text)")
    }

    @Test("free memory of threads' arenas is trimmable", arguments: SwiftProgram.Build.usual)
    func slack(_ build: SwiftProgram.Build) throws {
        let run = try Self.run("slack", build)
        Self.check(run, .trimmable)
        #expect(run.footprint.arenas.count >= 4 && run.footprint.remedy?.contains("malloc_trim(0)") == true)
        #expect(run.footprint.bytes(of: .live) < 4 << 20)
    }

    @Test("survivors between freed neighbours are named with their maker", arguments: SwiftProgram.Build.usual)
    func checkerboard(_ build: SwiftProgram.Build) throws {
        let run = try Self.run("checkerboard", build)
        Self.check(run, .pinned)
        let first = try #require(run.footprint.pinnedBy.first)
        #expect(first.type == "Footprints.Keepsake" && first.pages > 7_000)
        #expect(first.allocatedBy?.telling.contains { $0.function == "Level.burst()" } == true)
        #expect(run.footprint.summary.contains("Keepsake made in Level.burst()"), "\(run.footprint.summary)")
    }

    @Test("stacks, files and anonymous mappings are told apart", arguments: SwiftProgram.Build.usual)
    func mappings(_ build: SwiftProgram.Build) throws {
        let stacks = try Self.run("stacks", build)
        Self.check(stacks, .stacks)
        #expect(stacks.footprint.parts.first { $0.kind == .stacks }?.largest.first?.count ?? 0 >= 60)
        let threads = try #require(stacks.footprint.threads?.first)
        #expect(threads.count == 60 && threads.stackBytes >= 60 * (4 << 20), "\(threads)")
        #expect(threads.residentBytes < threads.stackBytes / 2 && threads.createdBy != nil)
        #expect(stacks.footprint.threads?.contains { $0.name == "main" && $0.createdBy == nil } == true)
        #expect(stacks.text.contains("60 × "), "\(stacks.text)")
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "map.bin")
        try Data(repeating: 3, count: 48 << 20).write(to: file)
        let mapped = try Self.run("file", build, [file.path])
        Self.check(mapped, .files)
        #expect(mapped.footprint.parts.first { $0.kind == .files }?.clean ?? 0 >= 48 << 20)
        let anonymous = try Self.run("anonymous", build)
        Self.check(anonymous, .anonymous)
        #expect(anonymous.footprint.bytes(of: .anonymous) >= 64 << 20)
        #expect(anonymous.footprint.summary.contains("mapAnonymous(_:)"), "\(anonymous.footprint.summary)")
    }

    @Test("capacity of collections that nothing uses is named with its maker", arguments: SwiftProgram.Build.usual)
    func unused(_ build: SwiftProgram.Build) throws {
        let run = try Self.run("capacity", build)
        Self.check(run, .live)
        let unused = try #require(run.footprint.unused)
        #expect(unused.map { $0.type.contains("Dictionary") } == [false, true], "\(unused)")
        // 2,097,152 words; three of four of 1,048,576 places for a key and a value.
        #expect((16_500_000..<17_500_000).contains(unused.first?.bytes ?? 0), "\(unused)")
        #expect((12_000_000..<13_000_000).contains(unused.last?.bytes ?? 0), "\(unused)")
        #expect(unused.allSatisfy { $0.allocatedBy?.telling.contains { $0.function.hasPrefix("Tables.fill") } == true })
        #expect(run.footprint.summary.contains("unused capacity") && run.footprint.remedy != nil)
    }

    @Test("what of large blocks nobody has touched is named with its maker", arguments: SwiftProgram.Build.usual)
    func untouched(_ build: SwiftProgram.Build) throws {
        let run = try Self.run("reserved", build)
        // Inlined, the four calls are four stacks.
        let rows = try #require(run.footprint.untouched)
        #expect(rows.allSatisfy { $0.type.contains("UInt8") } && rows.reduce(0) { $0 + $1.count } == 4, "\(rows)")
        #expect((265_000_000..<266_500_000).contains(rows.reduce(0) { $0 + $1.bytes }), "\(rows)")
        let words = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("254 MB of live blocks are not resident (never written to, or swapped out): 254 MB of ["),
            "\(run.text)")
    }

    @Test(
        "the memory of a process that runs already is what it is in a recorded one",
        arguments: zip(
            ["slack", "checkerboard", "stacks", "anonymous", "capacity", "plain"],
            [Report.Footprint.Cause.trimmable, .pinned, .stacks, .anonymous, .live, .images]))
    func running(_ shape: String, _ cause: Report.Footprint.Cause) throws {
        let program = try SwiftProgram.compile(script: "Footprints.swift", module: "Footprints", build: .optimised)
        let waiting = try WaitingProgram(program, [shape, "wait"])
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, ["footprint", "--pid", waiting.pid, "--json", json.path])
        #expect(result.status == 0, "\(result.error)")
        // It has done nothing since.
        let rollup = try String(contentsOfFile: "/proc/\(waiting.pid)/smaps_rollup", encoding: .utf8)
        let counted = try #require(rollup.split(separator: "\n").first { $0.hasPrefix("Rss:") })
        _ = try waiting.finish()
        let footprint = try #require(try Report(json: json).footprint)
        #expect(footprint.residentBytes == UInt64(counted.filter(\.isNumber)).map { $0 << 10 })
        Self.check(Run(footprint: footprint, counted: footprint.residentBytes, text: result.error), cause)
        #expect(footprint.bytes(of: .recorder) == 0)
        if shape == "checkerboard" {
            let first = try #require(footprint.pinnedBy.first)
            #expect(first.type == "Footprints.Keepsake" && first.pages > 7_000)
        }
        if shape == "capacity" {
            let unused = try #require(footprint.unused)
            #expect((16_500_000..<17_500_000).contains(unused.first?.bytes ?? 0), "\(unused)")
            #expect((12_000_000..<13_000_000).contains(unused.last?.bytes ?? 0), "\(unused)")
        }
    }

    @Test(
        "the memory of a program whose recorder was alone is what it is with the tool beside it",
        arguments: zip(
            ["slack", "checkerboard", "stacks", "anonymous", "capacity"],
            [Report.Footprint.Cause.trimmable, .pinned, .stacks, .anonymous, .live]))
    func alone(_ shape: String, _ cause: Report.Footprint.Cause) throws {
        let beside = try Self.run(shape, .optimised).footprint
        let program = try SwiftProgram.compile(script: "Footprints.swift", module: "Footprints", build: .optimised)
        let folder = try TemporaryFolder()
        let (trace, json) = (folder.url.appending(path: "t.gptrace"), folder.url.appending(path: "report.json"))
        let library = try #require(RecorderLibrary.url)
        _ = try Command.run(
            program, [shape],
            environment: ["GAMEPROF": "leaks", "GAMEPROF_TRACE": trace.path, "LD_PRELOAD": library.path])
        _ = try Command.run(Products.gameprof, ["report", trace.path, "--quiet", "--json", json.path])
        let alone = try #require(try Report(json: json).footprint)
        #expect(alone.cause == cause && alone.arenas.count == beside.arenas.count, "\(alone)")
        for kind in [Report.Footprint.Kind.live, .allocatorFree, .stacks] {
            let (own, other) = (alone.bytes(of: kind), beside.bytes(of: kind))
            #expect(max(own, other) - min(own, other) < 2 << 20, "\(kind): \(own), \(other)")
        }
        // Two runs: a page more or less may be touched.
        let (own, other) = (alone.pinnedBy.first?.pages ?? 0, beside.pinnedBy.first?.pages ?? 0)
        #expect(max(own, other) - min(own, other) <= 1, "\(own), \(other)")
        #expect(alone.pinnedBy.first?.type == beside.pinnedBy.first?.type)
        #expect(alone.unused?.map(\.type) == beside.unused?.map(\.type))
    }

    @Test("address space and limits stand beside resident memory, of a recorded and of a running process")
    func limits() throws {
        let program = try SwiftProgram.compile(script: "Footprints.swift", module: "Footprints", build: .optimised)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        func check(_ result: CommandResult, _ bytes: UInt64?) throws {
            #expect(result.status == 0, "\(result.error)")
            let footprint = try #require(try Report(json: json).footprint)
            #expect(footprint.limits?.addressSpace == bytes && footprint.limits?.data == nil)
            let overcommit = try String(contentsOfFile: "/proc/sys/vm/overcommit_memory", encoding: .utf8)
            #expect((footprint.limits?.overcommit).map { "\($0)\n" } == overcommit)
            let space = try #require(footprint.addressSpaceBytes)
            #expect(space > footprint.residentBytes && bytes.map { space < $0 } != false)
            let words = result.error.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(
                words.contains("Address space: ") && words.contains("ulimit -v 8.0 GB") == (bytes != nil), "\(words)")
        }
        let limited = "ulimit -v 8388608; exec \(program.path) plain"
        try check(
            Command.run(Products.gameprof, ["footprint", "--json", json.path, "--", "/bin/sh", "-c", limited]),
            8_388_608 << 10)
        try check(
            Command.run(Products.gameprof, ["footprint", "--json", json.path, "--", program.path, "plain"]), nil)
        let waiting = try WaitingProgram(
            URL(filePath: "/bin/sh"), ["-c", "ulimit -v 8388608; exec \(program.path) plain wait"])
        try check(
            Command.run(Products.gameprof, ["footprint", "--pid", waiting.pid, "--json", json.path]), 8_388_608 << 10)
        let footprint = try #require(try Report(json: json).footprint)
        let status = try String(contentsOfFile: "/proc/\(waiting.pid)/status", encoding: .utf8)
        let size = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmSize:") })
        #expect(footprint.addressSpaceBytes == UInt64(size.filter(\.isNumber)).map { $0 << 10 })
        _ = try waiting.finish()
    }

    @Test("a core file says nothing of the machine's memory, in a sentence")
    func core() throws {
        let folder = try TemporaryFolder()
        let core = folder.url.appending(path: "core.1")
        try Data([0x7f]).write(to: core)
        let result = try Command.run(Products.gameprof, ["footprint", core.path])
        #expect(result.status == 2 && result.error.contains("A core file does not show"), "\(result.error)")
    }

    @Test("a small program is its libraries, and needs no remedy", arguments: SwiftProgram.Build.usual)
    func plain(_ build: SwiftProgram.Build) throws {
        let run = try Self.run("plain", build)
        Self.check(run, .images)
        #expect(run.footprint.remedy == nil)
    }
}
