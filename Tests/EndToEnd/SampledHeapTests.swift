import Foundation
import GameprofBasics
import Testing

@testable import GameprofAnalysis

/// `--sample`: estimates against the exact recording of the same program.
@Suite struct SampledHeapTests {
    private static let program = Result {
        try SwiftProgram.compile(files: ["SampledHeap.swift"], module: "SampledHeap", build: .onone)
    }

    private struct Run {
        var report: Report
        var status: Int32
        var page: String
        var text: String
    }

    private func record(_ command: String, _ options: [String] = [], _ arguments: [String] = []) throws -> Run {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let page = folder.url.appending(path: "report.html")
        let result = try Command.run(
            Products.gameprof,
            [command, "--json", json.path, "--html", page.path] + options
                + ["--", try Self.program.get().path] + arguments)
        return Run(
            report: try Report(json: json), status: result.status, page: try String(contentsOf: page, encoding: .utf8),
            text: result.error)
    }

    private func row(_ report: Report, _ type: String) throws -> AllocationCounts {
        try #require(report.allocations?.byType.first { $0.type == "SampledHeap.\(type)" }).counts
    }

    /// 5 standard errors: one of 1.7 million figures is outside.
    private func expect(
        _ figure: AllocationFigure, of sampled: AllocationCounts, is truth: UInt64,
        _ location: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let own = try #require(sampled.sampled?.figures[figure], sourceLocation: location)
        let difference = abs(Double(sampled[figure]) - Double(truth))
        #expect(
            difference <= 5 * own.variance.squareRoot() + 1, "\(figure): \(sampled[figure]), in truth \(truth)",
            sourceLocation: location)
        let interval = try #require(sampled.interval(figure))
        #expect(interval.contains(sampled[figure]))
    }

    @Test("totals and types of a sampled recording are near those of the exact one, each with its interval")
    func estimates() throws {
        let exact = try record("allocations")
        let sampled = try record("allocations", ["--sample", "16k"])
        #expect(sampled.status == 0 && exact.report.allocations?.sampled == nil)
        let allocations = try #require(sampled.report.allocations)
        let truth = try #require(exact.report.allocations)
        #expect(allocations.sampled?.meanBytes == 16384)
        for figure in [AllocationFigure.allocations, .bytes, .liveCount, .liveBytes, .temporary] {
            try expect(figure, of: allocations.totals, is: truth.totals[figure])
        }
        let cards = try row(sampled.report, "Card")
        try expect(.allocations, of: cards, is: 20000)
        try expect(.liveCount, of: cards, is: 20000)
        try expect(.liveBytes, of: cards, is: try row(exact.report, "Card").liveBytes)
        let moves = try row(sampled.report, "Move")
        try expect(.allocations, of: moves, is: 200_000)
        try expect(.temporary, of: moves, is: 200_000)
        #expect(moves.liveCount == 0)
        // 20,000 cards of 48 bytes: 59 samples, of 960,000 bytes.
        let samples = try #require(cards.sampled).samples
        #expect((20...110).contains(samples))
        #expect(allocations.timeline.allSatisfy { $0.interval != nil })
        #expect(allocations.byStack.allSatisfy { $0.counts.sampled != nil })
        // Stacks begin at the caller of malloc, not in the recorder.
        let functions = allocations.byStack.flatMap { $0.allocatedBy.frames.map(\.function) }
        #expect(functions.count > 10)
        #expect(!functions.contains { $0.hasPrefix("gp_") || $0.hasSuffix("_malloc") && $0.contains("sampled") })
        for output in [sampled.text, sampled.page] {
            #expect(output.contains("one for 16 KB on average"))
            #expect(output.contains("95 of 100"))
            #expect(output.contains("Blocks of 0 bytes"))
        }
    }

    @Test("types that the runtime makes late have their names in a sample", arguments: [[], ["--guard=1/2"]])
    func lateTypes(_ options: [String]) throws {
        let run = try record("allocations", ["--sample", "16k"] + options, ["shelves"])
        for type in ["Shelf<SampledHeap.Book>", "Bag<SampledHeap.Book, Swift.Int>"] {
            try expect(.liveCount, of: row(run.report, type), is: 20000)
        }
    }

    @Test("a mean of one byte is the exact recording")
    func meanOfOne() throws {
        let run = try record("allocations", ["--sample", "1"])
        #expect(run.report.allocations?.sampled == nil)
        #expect(try row(run.report, "Card").allocations == 20000)
        #expect(try row(run.report, "Move").allocations == 200_000)
    }

    @Test("leaks are found among all blocks when only some are sampled, and none in a program without")
    func leaks() throws {
        let exact = try record("leaks", [], ["cycles"])
        let sampled = try record("leaks", ["--sample", "64k"], ["cycles"])
        #expect(sampled.status == 1)
        #expect(sampled.report.errors.map(\.kind) == exact.report.errors.map(\.kind))
        #expect(sampled.report.errors.map(\.objects) == exact.report.errors.map(\.objects))
        #expect(sampled.report.errors.reduce(0) { $0 + ($1.objects["SampledHeap.Player"] ?? 0) } == 120)
        #expect(sampled.report.capture.notes.contains { $0.hasPrefix("Blocks are sampled") })
        #expect(try record("leaks", ["--sample", "64k"]).status == 0)
    }

    @Test("a limit on memory is not measured by a sample")
    func limits() throws {
        let folder = try TemporaryFolder()
        let budget = folder.url.appending(path: "budget.yml")
        let trace = folder.url.appending(path: "run.gptrace")
        try "scenarios:\n  game:\n    allocations: 10\n".write(
            to: budget, atomically: true, encoding: .utf8)
        let program = try Self.program.get().path
        let recorded = try Command.run(
            Products.gameprof,
            ["record", "--instruments", "allocations", "--sample", "64k", "--output", trace.path, "--", program])
        #expect(recorded.status == 0)
        let checked = try Command.run(Products.gameprof, ["check", trace.path, "--budget", budget.path])
        #expect(checked.status == 4, "\(checked.error)")
        #expect(checked.error.contains("its counts are estimates"))
    }

    @Test("a pprof file of a sample says so, and how sure its sums are")
    func pprof() throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "run.gptrace")
        let profile = folder.url.appending(path: "run.pb")
        let program = try Self.program.get().path
        _ = try Command.run(
            Products.gameprof,
            ["record", "--instruments", "allocations", "--sample", "64k", "--output", trace.path, "--", program])
        let result = try Command.run(
            Products.gameprof, ["export", trace.path, "--format", "pprof", "--output", profile.path])
        #expect(result.status == 0)
        #expect(result.error.contains("one for 64 KB on average"))
        let bytes = try Data(contentsOf: profile)
        #expect(bytes.range(of: Data("in 95 of 100 recordings".utf8)) != nil)
    }

    @Test("sizes that cannot be are refused with a sentence", arguments: ["0", "-5", "x", "512q", "99999999G"])
    func refused(size: String) throws {
        let result = try Command.run(Products.gameprof, ["allocations", "--sample", size, "--", "/bin/true"])
        #expect(result.status == 2)
    }
}
