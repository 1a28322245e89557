import Foundation
import Testing

@testable import GameprofAnalysis

/// Mappings that nothing refers to and threads that nobody can join are found, exactly counted; others never are.
@Suite struct OutsideMallocTests {
    private static func findings(_ shape: String, _ build: SwiftProgram.Build) throws -> [Finding] {
        let program = try SwiftProgram.compile(script: "OutsideMalloc.swift", module: "OutsideMalloc", build: build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, ["leaks", "--json", json.path, "--", program.path, shape])
        #expect(result.status == 0 && result.output == "done\n", "\(result.error)")
        return try Report(json: json).findings
    }

    @Test("mappings whose owners died are found by their maker", arguments: SwiftProgram.Build.usual)
    func lost(_ build: SwiftProgram.Build) throws {
        for shape in ["lost", "lost-shared"] {
            let findings = try Self.findings(shape, build)
            let finding = try #require(findings.first)
            #expect(findings.count == 1 && finding.kind == .lostMapping && finding.severity == .warning)
            #expect(finding.count == 10 && finding.bytes == 20 << 20, "\(finding)")
            #expect(finding.isAllocated(by: "Loader.load(_:)"), "\(finding)")
            #expect(finding.fix?.contains("munmap(address, length) for what Loader.load(_:) maps") == true)
        }
    }

    @Test("lost mappings beside kept ones are counted exactly", arguments: SwiftProgram.Build.usual)
    func someLost(_ build: SwiftProgram.Build) throws {
        #expect(try Self.findings("some-lost", build).map(\.count) == [30])
    }

    @Test("mappings that the program has the address of are no finding", arguments: SwiftProgram.Build.usual)
    func kept(_ build: SwiftProgram.Build) throws {
        for shape in ["kept", "kept-ends", "ring", "unmapped", "moved", "aligned", "aligned-unmapped"] {
            #expect(try Self.findings(shape, build).map(\.title) == [], "\(shape)")
        }
    }

    @Test("threads that nobody can join are found by their maker", arguments: SwiftProgram.Build.usual)
    func unjoined(_ build: SwiftProgram.Build) throws {
        let findings = try Self.findings("unjoined", build)
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.kind == .unjoinedThread && finding.severity == .warning)
        #expect(finding.count == 40 && finding.isAllocated(by: "Voices.start(_:)"), "\(finding)")
        #expect(finding.message.contains("40 threads that Voices.start(_:) made have ended"), "\(finding.message)")
    }

    @Test("threads that may be joined, or were, are no finding", arguments: SwiftProgram.Build.usual)
    func joined(_ build: SwiftProgram.Build) throws {
        for shape in ["kept-handles", "joined", "detached"] {
            #expect(try Self.findings(shape, build).map(\.title) == [], "\(shape)")
        }
    }
}
