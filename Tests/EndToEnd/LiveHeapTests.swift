import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof heap` on a real program: what lives, how much is retained, and through which field.
@Suite struct LiveHeapTests {
    private static func heap(_ build: SwiftProgram.Build) throws -> Report.LiveHeap {
        let program = try SwiftProgram.compile(files: ["HeapHolders.swift"], module: "HeapHolders", build: build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, ["heap", "--json", json.path, "--", program.path])
        #expect(result.output == "dealt\n")
        #expect(result.status == 0, "\(result.error)")
        return try #require(try Report(json: json).liveHeap)
    }

    @Test(
        "retained bytes, counts and fields are those of the source",
        arguments: SwiftProgram.Build.usual + [.staticOptimised])
    func holders(_ build: SwiftProgram.Build) throws {
        let heap = try Self.heap(build)
        let game = try #require(heap.holders.first { $0.type == "HeapHolders.Game" })
        #expect(game.count == 1)
        #expect(game.root?.contains("game") == true, "\(game.root ?? "no root")")
        let board = try #require(game.children.first { $0.type == "HeapHolders.Board" })
        #expect(board.field == "board")
        #expect(board.retainedBytes > 27_000 && board.retainedBytes < 35_000)
        let cards = board.children.filter { $0.type == "HeapHolders.Card" }
        #expect(Dictionary(uniqueKeysWithValues: cards.map { ($0.field ?? "", $0.count) })["cards"] == 20)
        #expect(cards.reduce(0) { $0 + $1.count } == 27, "\(cards)")
        #expect(cards.contains { $0.field == "byName" && $0.count == 5 })
        #expect(cards.contains { $0.field == "card" && $0.count == 1 })
        #expect(cards.contains { $0.field == "onChange" && $0.count == 1 })
        let cache = try #require(heap.holders.first { $0.type == "HeapHolders.Cache" })
        let images = try #require(cache.children.first)
        #expect(images.field == "pictures")
        #expect(images.ownBytes > 50_000 && images.ownBytes < 53_000)
        #expect(cache.retainedBytes - images.retainedBytes == cache.ownBytes)
        let row = try #require(heap.types.first { $0.type == "HeapHolders.Card" })
        #expect(row.count == 27)
        #expect(row.retainedBytes > 27 * 1000 && row.retainedBytes < 27 * 1200)
    }

    @Test("a stored trace shows the same heap, and one without a graph is refused")
    func storedTrace() throws {
        let program = try SwiftProgram.compile(files: ["HeapHolders.swift"], module: "HeapHolders", build: .onone)
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "heap.gptrace").path
        let direct = try Command.run(
            Products.gameprof, ["heap", "--json", "-", "--output", trace, "--", program.path])
        let stored = try Command.run(Products.gameprof, ["heap", trace, "--json", "-"])
        let first = direct.output.range(of: "\"liveHeap\"").map { direct.output[$0.lowerBound...] }
        let second = stored.output.range(of: "\"liveHeap\"").map { stored.output[$0.lowerBound...] }
        #expect(first != nil && first == second)
        #expect(stored.output.contains("HeapHolders.game"), "the names of variables are in the trace")
        _ = try Command.run(
            Products.gameprof, ["record", "--instruments", "heap", "--output", trace, "--", program.path])
        let recorded = try Command.run(Products.gameprof, ["heap", trace, "--json", "-"])
        #expect(recorded.output.contains("\"HeapHolders.Game\""))
        _ = try Command.run(Products.gameprof, ["leaks", "--quiet", "--output", trace, "--", program.path])
        let small = try Command.run(Products.gameprof, ["heap", trace, "--json", "-"])
        #expect(
            small.status == 0 && small.output.contains("\"HeapHolders.Game\""), "leaks keeps the graph of a small heap")
        _ = try Command.run(Products.gameprof, ["allocations", "--quiet", "--output", trace, "--", program.path])
        let refused = try Command.run(Products.gameprof, ["heap", trace])
        #expect(refused.status == 2)
        #expect(refused.error.contains("contains no heap graph; record one with gameprof heap."))
    }

    @Test(
        "what numbers with bits of the program's own and unmanaged references keep is held, as leaks says",
        arguments: SwiftProgram.Build.usual)
    func tagged(_ build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "Tagged.swift", module: "Tagged", build: build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, ["heap", "--json", json.path, "--", program.path])
        #expect(result.output == "0\n" && result.status == 0, "\(result.error)")
        let report = try Report(json: json)
        let heap = try #require(report.liveHeap)
        #expect(report.findings.isEmpty && heap.unheld == nil, "\(String(describing: heap.unheld))")
        let nodes = try #require(heap.types.first { $0.type == "Tagged.TreeNode" })
        #expect(nodes.count == 301 && nodes.retainedBytes == 301 * 32)
    }

    @Test("a trace whose heap was to be searched and was not is said to be incomplete")
    func unsearched() throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "killed.gptrace").path
        _ = try Command.run(
            Products.gameprof,
            ["record", "--instruments", "heap", "--output", trace, "--", "/bin/sh", "-c", "kill -KILL $$"])
        for command in [
            ["heap", trace], ["heap", trace, "--snapshot", "1"], ["heap", "diff", trace, trace],
            ["export", trace, "--format", "hprof"],
        ] {
            let run = try Command.run(Products.gameprof, command, directory: folder.url)
            #expect(run.status == 4 && run.output.isEmpty)
            #expect(run.error.contains("\(trace) contains no heap graph; gameprof report \(trace) shows why."))
        }
        let report = try Command.run(Products.gameprof, ["report", trace, "--text"])
        #expect(report.output.contains("Leaks were not searched for"))
    }

    @Test("objects of a type are shown with what holds them and what they retain", arguments: SwiftProgram.Build.usual)
    func detail(_ build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(files: ["HeapHolders.swift"], module: "HeapHolders", build: build)
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "heap.gptrace").path
        let json = folder.url.appending(path: "report.json")
        _ = try Command.run(Products.gameprof, ["heap", "--quiet", "--output", trace, "--", program.path])
        _ = try Command.run(Products.gameprof, ["heap", trace, "--why", "Card", "--json", json.path])
        let details = try #require(try Report(json: json).liveHeap?.details)
        let detail = try #require(details.first)
        #expect(details.count == 1 && detail.type == "HeapHolders.Card" && detail.count == 27)
        #expect(detail.incoming.contains { $0.type == "HeapHolders.Board" && $0.field == "cards[…]" && $0.count == 20 })
        #expect(detail.outgoing.contains { $0.field == "board" && $0.ownership == "weak" })
        #expect(detail.ways.reduce(0) { $0 + $1.instances } == 27)
        #expect(detail.ways.first?.instances == 20)
        #expect(detail.retained.contains { $0.allocatedBy?.frames.contains { $0.function.contains("deal()") } == true })
        let text = try Command.run(Products.gameprof, ["heap", trace, "--why", "Card", "--no-color"])
        #expect(text.output.contains("20 of 27 held like this:"), "\(text.output)")
        #expect(text.output.contains("Board.cards[…]"), "\(text.output)")
    }

    @Test("two traces are compared by type and by holder")
    func comparison() throws {
        let program = try SwiftProgram.compile(
            files: ["Forgotten.swift", "Common.swift"], module: "Forgotten", build: .onone)
        let folder = try TemporaryFolder()
        let traces = ["stored-token", "event-bus"].map { folder.url.appending(path: "\($0).gptrace").path }
        for (trace, name) in zip(traces, ["stored-token", "event-bus"]) {
            _ = try Command.run(Products.gameprof, ["heap", "--quiet", "--output", trace, "--", program.path, name])
        }
        let json = folder.url.appending(path: "diff.json")
        let result = try Command.run(Products.gameprof, ["heap", "diff"] + traces + ["--json", json.path])
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("ChatScreen"))
        let comparison = try JSONDecoder().decode(HeapComparison.self, from: Data(contentsOf: json))
        #expect(comparison.types.first { $0.type == "Forgotten.ChatScreen" }?.added == 60)
        #expect(comparison.types.first { $0.type == "Forgotten.SettingsScreen" }?.removed == 60)
        #expect(!comparison.isOneRun)
        let html = folder.url.appending(path: "diff.html")
        let page = try Command.run(Products.gameprof, ["heap", "diff"] + traces + ["--html", html.path])
        #expect(page.status == 0, "\(page.error)")
        let text = try String(contentsOf: html, encoding: .utf8)
        #expect(text.contains("ChatScreen") && text.utf8.count < 2_000_000)
        let both = try Command.run(Products.gameprof, ["heap", "diff"] + traces + ["--html", "-", "--json", "-"])
        #expect(both.status == 2, "\(both.error)")
        let refused = try Command.run(Products.gameprof, ["heap", "diff", traces[0]])
        #expect(refused.status == 2 && refused.error.contains("contains only one heap"), "\(refused.error)")
    }
}
