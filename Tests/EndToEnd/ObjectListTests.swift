import Foundation
import Testing

@testable import GameprofAnalysis

/// `--objects`: each object of a type, with its lifetime and its maker.
@Suite struct ObjectListTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var json: URL { folder.url.appending(path: "report.json") }
    private var trace: URL { folder.url.appending(path: "kept.gptrace") }

    private func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Listed.swift"], module: "Listed", build: build)
    }

    private func run(_ arguments: [String]) throws -> CommandResult {
        try Command.run(Products.gameprof, arguments, directory: folder.url)
    }

    @Test(
        "each object has its address, lifetime, bytes and maker; a kept trace has the same list",
        arguments: [SwiftProgram.Build.onone, .optimised])
    func list(_ build: SwiftProgram.Build) throws {
        let listed = try run(
            [
                "allocations", "--objects", "Card", "--output", trace.path, "--json", json.path, "--",
                program(build).path, "5",
            ])
        #expect(listed.status == 0, "\(listed.error)")
        let objects = try #require(try Report(json: json).allocations?.objects)
        #expect(objects.total == 7 && objects.live == 1 && objects.rows.count == 7)
        #expect(Set(objects.rows.map(\.type)) == ["Listed.Card"])
        let (first, second) = (objects.rows[0], objects.rows[1])
        #expect(first.function?.contains("makeKept") == true && first.diedSeconds == nil)
        #expect(second.function?.contains("makeLasting") == true && second.line != nil)
        #expect(try #require(second.diedSeconds) - second.bornSeconds > 0.019)
        #expect(first.address != second.address)
        #expect(objects.rows.allSatisfy { $0.bytes == 24 && $0.address.hasPrefix("0x") })
        #expect(objects.rows.dropFirst(2).allSatisfy { $0.function?.contains("makePassing") == true })
        #expect(objects.rows.dropFirst(2).allSatisfy { $0.diedSeconds ?? 0 >= $0.bornSeconds })
        #expect(listed.error.contains("Objects: Card, 7 allocated, 1 live at the end"), "\(listed.error)")

        #expect(try run(["report", trace.path, "--json", json.path, "--quiet"]).status == 0)
        #expect(try Report(json: json).allocations?.objects == objects)
    }

    @Test("of more than ten thousand those that lived longest are listed, and the report says so")
    func limit() throws {
        let listed = try run(
            ["allocations", "--objects", "Card", "--json", json.path, "--", program(.optimised).path, "30000"])
        let objects = try #require(try Report(json: json).allocations?.objects)
        #expect(objects.total == 30_002 && objects.rows.count == 10_000)
        #expect(objects.rows[0].diedSeconds == nil && objects.rows[1].function?.contains("makeLasting") == true)
        #expect(listed.error.contains("20,002 more objects not listed"), "\(listed.error)")
    }

    @Test("a name that no object has is said")
    func none() throws {
        let listed = try run([
            "allocations", "--objects", "Crad", "--json", json.path, "--", program(.optimised).path, "5",
        ])
        let report = try Report(json: json)
        #expect(report.allocations?.objects == nil)
        #expect(report.capture.notes.contains { $0.contains("--objects") }, "\(listed.error)")
    }
}
