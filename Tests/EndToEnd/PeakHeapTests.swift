import Foundation
import Testing

@testable import GameprofAnalysis

/// Which moment of the run `gameprof heap` shows, and what it does where memory is short.
@Suite(.serialized) struct PeakHeapTests {
    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(script: "PeakHeap.swift", module: "PeakHeap", build: build)
    }

    @Test("the heap near the peak has what the end has not", arguments: SwiftProgram.Build.usual)
    func peak(_ build: SwiftProgram.Build) throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "peak.gptrace").path
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["heap", "--snapshot-at", "peak", "--json", json.path, "--output", trace, "--", Self.program(build).path])
        #expect(result.output == "imported 400\nkept 10\n")
        #expect(result.status == 0, "\(result.error)")
        let report = try Report(json: json)
        let heap = try #require(report.liveHeap)
        #expect(heap.name == "peak")
        let pictures = try #require(heap.types.first { $0.type == "PeakHeap.Picture" })
        // The next copy is due at a quarter more, and each thread keeps 16 KiB to itself.
        #expect(pictures.count >= 315, "\(pictures.count)")
        let peak = try #require(heap.peak)
        #expect(peak.bytes > 20_000_000 && peak.bytes < 21_500_000, "\(peak.bytes)")
        #expect(peak.liveBytes <= peak.bytes && Double(peak.liveBytes) > 0.78 * Double(peak.bytes), "\(peak)")
        #expect(report.snapshots?.map(\.name) == ["peak", "exit"])
        #expect(report.capture.problems == [])
        // Whether a local variable holds it too depends on the build.
        #expect((heap.types.first { $0.type == "PeakHeap.Import" }?.retainedBytes ?? 0) > 15_000_000)

        let text = try Command.run(Products.gameprof, ["heap", trace, "--no-color"])
        #expect(text.output.contains("(peak) at "), "\(text.output)")
        #expect(text.output.contains(" live, at most 19 MB at ") || text.output.contains(" live, at most 20 MB at "))
        let number = try #require(report.snapshots?.last?.number)
        _ = try Command.run(
            Products.gameprof, ["heap", trace, "--snapshot", "\(number)", "--json", json.path])
        let end = try #require(try Report(json: json).liveHeap)
        #expect(end.name == "exit" && end.peak == nil)
        #expect(end.types.first { $0.type == "PeakHeap.Picture" }?.count == 10)
        let none = try Command.run(Products.gameprof, ["heap", trace, "--snapshot", "99"])
        #expect(
            none.status == 2 && none.output.isEmpty && none.error.contains("contains no heap graph for snapshot 99."),
            "\(none.error)")
    }

    @Test("threads that allocate at once do not hinder it, nor it them")
    func threads() throws {
        let program = try SwiftProgram.compile(files: ["Snapshots.swift"], module: "Snapshots", build: .onone)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["heap", "--snapshot-at", "peak", "--json", json.path, "--", program.path, "busy", "0.5"])
        #expect(result.output == "done\n")
        #expect(result.status == 0, "\(result.error)")
        #expect(try Report(json: json).capture.problems == [])
    }

    @Test("a heap that was asked for by a signal is shown by its number")
    func request() throws {
        let program = try SwiftProgram.compile(files: ["Snapshots.swift"], module: "Snapshots", build: .onone)
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "asked.gptrace").path
        let process = Process()
        process.executableURL = Products.gameprof
        process.arguments = [
            "heap", "--quiet", "--snapshot-at", "USR2", "--output", trace, "--html",
            folder.url.appending(path: "r.html").path, "--", program.path, "announced",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // The program says so when it runs, and goes on for more than a second.
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        kill(process.processIdentifier, SIGUSR2)
        process.waitUntilExit()
        let json = folder.url.appending(path: "report.json")
        _ = try Command.run(Products.gameprof, ["heap", trace, "--snapshot", "1", "--json", json.path])
        let report = try Report(json: json)
        #expect(report.liveHeap?.name == "request" && report.liveHeap?.snapshot == 1)
        let text = try Command.run(Products.gameprof, ["heap", trace, "--snapshot", "1", "--no-color"])
        #expect(text.output.contains("Snapshot 1 (request) at "), "\(text.output)")
    }

    /// In the program's own process the analysis takes 8 MB.
    @Test(
        "where a memory cgroup leaves too little the analysis is given up and the program ends as ever",
        .enabled(if: MemoryCgroup.canBeMade))
    func shortMemory() throws {
        let (result, report) = try heap(inMegabytes: 60)
        #expect(result.status == 4, "\(result.error)")
        #expect(report.liveHeap == nil)
        #expect(
            report.capture.problems.contains { $0.contains("memory became too short for the analysis of the heap") },
            "\(report.capture.problems)")
    }

    @Test(
        "where a memory cgroup leaves little the tool outside of it analyses the heap",
        .enabled(if: MemoryCgroup.canBeMade))
    func littleMemory() throws {
        let (result, report) = try heap(inMegabytes: 96)
        #expect(result.status == 0, "\(result.error)")
        #expect(report.liveHeap?.objects ?? 0 > 1_000_000)
    }

    /// A million nodes in a memory cgroup of this size.
    private func heap(inMegabytes size: Int) throws -> (CommandResult, Report) {
        let program = try SwiftProgram.compile(script: "ManyNodes.swift", module: "ManyNodes", build: .optimised)
        let group = try MemoryCgroup(bytes: size << 20)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["heap", "--json", json.path, "--", "sh", "-c", "echo $$ > '\(group.members)'; exec '\(program.path)'"])
        #expect(result.output == "made 1000000\n")
        let report = try Report(json: json)
        #expect(report.target.exit?.code == 0)
        return (result, report)
    }

    @Test(
        "where a memory cgroup leaves too little for the report the recording is kept and the way to read it named",
        .enabled(if: MemoryCgroup.canBeMade))
    func shortMemoryOfTheTool() throws {
        let program = try SwiftProgram.compile(script: "ManyNodes.swift", module: "ManyNodes", build: .optimised)
        let group = try MemoryCgroup(bytes: 160 << 20)
        let folder = try TemporaryFolder()
        let line = "echo $$ > '\(group.members)'; exec \"$TOOL\" heap --json r.json -- '\(program.path)'"
        let result = try Command.run(
            URL(filePath: "/bin/sh"), ["-c", line],
            environment: ["TOOL": Products.gameprof.path, "TMPDIR": folder.url.path], directory: folder.url)
        #expect(result.output == "made 1000000\n")
        #expect(result.status == 4, "\(result.error)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        // A private folder with the trace file and nothing beside it.
        #expect(left.count == 1 && left[0].hasPrefix("gameprof-kept-"), "\(left)")
        let kept = try #require(left.first)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: kept).path)
        #expect(files.count == 1 && files[0].hasPrefix("ManyNodes-") && files[0].hasSuffix(".gptrace"), "\(files)")
        let trace = try "\(kept)/\(#require(files.first))"
        #expect(result.error.contains("(the control group). The recording is kept"), "\(result.error)")
        #expect(result.error.contains("gameprof heap \(folder.url.path)/\(trace)\n"), "\(result.error)")
        let read = try Command.run(Products.gameprof, ["symbolicate", trace], directory: folder.url)
        #expect(read.status == 0, "\(read.error)")
    }
}

/// A cgroup of its own with a limit of memory, where this process may make one.
private final class MemoryCgroup {
    private let folder: URL
    /// The file that takes processes in.
    var members: String { folder.appending(path: "cgroup.procs").path }

    private static let first = URL(filePath: "/sys/fs/cgroup/memory")
    private static let second = URL(filePath: "/sys/fs/cgroup")
    private static var isFirst: Bool { access(first.appending(path: "memory.limit_in_bytes").path, W_OK) == 0 }

    static var canBeMade: Bool {
        guard let group = try? MemoryCgroup(bytes: 1 << 30) else { return false }
        return access(group.members, W_OK) == 0
    }

    init(bytes: Int) throws {
        folder = (Self.isFirst ? Self.first : Self.second).appending(path: "gameprof-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let limit = folder.appending(path: Self.isFirst ? "memory.limit_in_bytes" : "memory.max")
        do {
            let file = try FileHandle(forWritingTo: limit)
            try file.write(contentsOf: Data("\(bytes)".utf8))
        } catch {
            rmdir(folder.path)
            throw error
        }
    }

    deinit { rmdir(folder.path) }
}
