import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis

/// An optimised game that asks its recorder for its own figures.
@Suite struct LinkedFiguresTests {
    @Test(
        "figures of the running process are the true ones, and those of the trace",
        arguments: [LinkedGame.recording, .recordingStatic], ["allocations,time", "allocations,leaks,time"])
    func figuresAgree(_ game: LinkedGame, _ instruments: String) throws {
        let folder = try TemporaryFolder()
        let run = try Command.run(
            game.executable(), ["figures"], environment: ["GAMEPROF": instruments, "GAMEPROF_SAMPLE": "128;seed=3"],
            directory: folder.url)
        #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
        #expect(run.output == "200 heap.pb\ntrue\n200 cpu.pb\n200 metrics.txt\nplayed\n")
        func file(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

        let heap = try PprofReader(file("heap.pb"))
        var boards = heap
        boards.samples = heap.samples.filter { $0.labels["type"] == "LinkedGame.Board" }
        // One in five is sampled: 2,000 ± 84 live, 20,000 ± 270 in all.
        #expect((1_600...2_400).contains(boards.sum("inuse_objects")), "\(boards.sum("inuse_objects"))")
        #expect((18_500...21_500).contains(boards.sum("alloc_objects")), "\(boards.sum("alloc_objects"))")
        #expect(boards.samples.contains { $0.functions.contains { $0.hasPrefix("writeFigures()") } })

        let json = folder.url.appending(path: "report.json")
        _ = try Command.run(
            Products.gameprof, ["report", "LinkedGame.gptrace", "--json", json.path, "--quiet"], directory: folder.url)
        let report = try Report(json: json)
        let reported = try #require(report.allocations?.byType.first { $0.type == "LinkedGame.Board" }).counts
        // What is rounded is rounded for each stack in one, for all in the other.
        #expect(abs(Int(reported.allocations) - Int(boards.sum("alloc_objects"))) <= boards.samples.count)
        #expect(abs(Int(reported.liveCount) - Int(boards.sum("inuse_objects"))) <= boards.samples.count)

        let cpu = try PprofReader(file("cpu.pb"))
        #expect(cpu.sum("samples") > 0)
        let metrics = String(decoding: try file("metrics.txt"), as: UTF8.self)
        #expect(metrics.contains("\ngameprof_live_objects{type=\"LinkedGame.Board\"} "))
        #expect(metrics.hasSuffix("\n# EOF\n"))
    }

    @Test func figuresOfAPreloadedRecorderAreServedToo() throws {
        let folder = try TemporaryFolder()
        let run = try Command.run(
            Products.gameprof,
            [
                "record", "--instruments", "allocations,time", "--sample", "128", "--output", "p.gptrace", "--",
                try LinkedGame.recording.executable().path, "figures",
            ], directory: folder.url)
        #expect(run.status == 0 && run.output.contains("200 heap.pb\n"), "\(run.output) \(run.error)")
        let heap = try PprofReader(Data(contentsOf: folder.url.appending(path: "heap.pb")))
        #expect(heap.samples.contains { $0.labels["type"] == "LinkedGame.Board" })
        #expect(heap.samples.contains { $0.functions.contains { $0.hasPrefix("writeFigures()") } })
    }
}
