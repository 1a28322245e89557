import Foundation
import GameprofReportModel
import Testing

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

    @Test("a small program is its libraries, and needs no remedy", arguments: SwiftProgram.Build.usual)
    func plain(_ build: SwiftProgram.Build) throws {
        let run = try Self.run("plain", build)
        Self.check(run, .images)
        #expect(run.footprint.remedy == nil)
    }
}
