import Foundation
import Testing

@testable import GameprofAnalysis

/// What grew through the run stands in every report, and is no finding.
@Suite struct GrewTests {
    private static func grew(
        _ command: String, _ build: SwiftProgram.Build, of module: String = "Growers"
    ) throws -> [Report.Grown] {
        let program = try SwiftProgram.compile(script: "\(module).swift", module: module, build: build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, [command, "--json", json.path, "--", program.path])
        #expect(result.output == "grown\n" && result.status == 0, "\(result.error)")
        return try #require(try Report(json: json).grew)
    }

    @Test("the heap names the field that holds what grew", arguments: SwiftProgram.Build.usual)
    func holders(_ build: SwiftProgram.Build) throws {
        let rows = try Self.grew("heap", build)
        let names = rows.map { [$0.holder, $0.field].compactMap { $0 }.joined(separator: ".") + ": " + $0.type }
        for expected in [
            "Growers.ThumbnailCache.entries: Growers.Thumbnail", "Growers.PageCache.pages: Growers.Page",
            "Growers.RetryQueue.pending: Growers.Job", "Growers.Service.broker.dead: Swift._ContiguousArrayStorage<",
            "Growers.TitleIndex.titles: Swift.__StringStorage",
        ] {
            #expect(names.contains { $0.hasPrefix(expected) }, "\(expected) in \(names)")
        }
        let connections = try #require(rows.first { $0.type == "Growers.Connection" })
        #expect(connections.added == 800 && connections.removed == 0)
        #expect(!rows.contains { $0.type == "Growers.Particle" }, "it was freed before the end")
    }

    @Test(
        "objects of one declaration, and what a library shares, are named by the field of the user's",
        arguments: SwiftProgram.Build.usual)
    func shared(_ build: SwiftProgram.Build) throws {
        let rows = try Self.grew("heap", build, of: "SharedGrowers")
        let names = rows.map { [$0.holder, $0.field].compactMap { $0 }.joined(separator: ".") }
        #expect(names.contains("SharedGrowers.Tracked.samples"), "\(names)")
        #expect(rows.first { $0.type == "SharedGrowers.Quote" }?.holder == "SharedGrowers.Feed", "\(names)")
        #expect(rows.first { $0.type == "SharedGrowers.Quote" }?.field == "stream", "\(names)")
    }

    @Test("without the heap it is named by who makes it", arguments: ["leaks", "allocations"])
    func makers(_ command: String) throws {
        let rows = try Self.grew(command, .optimised)
        let types = rows.map(\.type)
        for type in ["Thumbnail", "Page", "Job", "Connection"] {
            #expect(types.contains("Growers.\(type)"), "\(type) in \(types)")
        }
        let cache = try #require(rows.first { $0.type == "Growers.Thumbnail" })
        #expect(cache.kept == 800 && cache.removed == 0)
        #expect(cache.allocatedBy?.telling.contains { $0.function == "ThumbnailCache.thumbnail(_:)" } == true)
    }
}
