import Foundation
import Testing

@testable import GameprofAnalysis

/// What a trace says of the machine that recorded it, and of the process's memory there.
@Suite struct MachineTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: path), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("a report names the machine, its system and the versions that recorded")
    func environment() throws {
        let report = try RecordedReport.leaks(of: Products.GameLabBuild.release.executable, ["play", "puzzle"]).report
        let facts = report.environment
        #expect(facts["kernel"] == (try Self.text("/proc/sys/kernel/osrelease")))
        let system = try #require(facts["system"])
        #expect(try Self.text("/etc/os-release").contains("PRETTY_NAME=\"\(system)\""))
        let memory = try #require(try Self.text("/proc/meminfo").firstMatch(of: /MemTotal: +(\d+) kB/)?.output.1)
        #expect(facts["memory"] == UInt64(memory).map { "\($0 << 10)" })
        #expect(facts["cores"] == "\(ProcessInfo.processInfo.activeProcessorCount)")
        #expect(facts["online"].flatMap(Int.init) ?? 0 >= 1)
        #expect(facts["processor"]?.isEmpty == false)
        #expect(try #require(facts["swift"]).contains(/^\d+\.\d+(\.\d+)?$/))
        #expect(facts["recorder"] == facts["gameprof"] && facts["loading"] == "preloaded")
        let started = try Date(try #require(facts["started"]), strategy: .iso8601)
        #expect((0..<3600).contains(Date().timeIntervalSince(started)))
    }

    @Test("a program without Swift has no Swift version")
    func withoutSwift() throws {
        let program = try CProgram.compile("Resident.c")
        #expect(try RecordedReport.leaks(of: program).report.environment["swift"] == nil)
    }

    @Test("resident memory rises and falls with what the program uses", arguments: ["allocations", "time"])
    func resident(instrument: String) throws {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        let program = try CProgram.compile("Resident.c")
        let result = try Command.run(
            Products.gameprof, [instrument, "--quiet", "--json", json.path, "--", program.path])
        #expect(result.status == 0 && result.output == "done\n", "\(result.error)")
        let memory = try #require(try Report(json: json).residentMemory)
        #expect(memory.peakBytes >= 128 << 20)
        #expect(memory.points.map(\.seconds) == memory.points.map(\.seconds).sorted())
        #expect(memory.points.map(\.bytes).max() == memory.peakBytes)
        #expect(try #require(memory.points.first).bytes < memory.peakBytes / 2)
        #expect(try #require(memory.points.last).bytes < memory.peakBytes / 2)
    }

    @Test("a program that takes the recorder's descriptors away runs as ever")
    func withoutDescriptors() throws {
        let program = try CProgram.compile("Resident.c")
        let result = try Command.run(
            Products.gameprof, ["allocations", "--quiet", "--json", "/dev/null", "--", program.path, "close"])
        #expect(result.output == "done\n", "\(result.error)")
    }
}
