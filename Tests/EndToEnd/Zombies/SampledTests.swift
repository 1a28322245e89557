import Foundation
import Testing

/// `--guard=1/N` on a program in which sampled objects die so fast that they wait, poisoned, for their pages to be taken
/// away together.
@Suite struct SampledTests {
    private func record(_ mode: String, _ build: SwiftProgram.Build) throws -> ZombieRun {
        let program = try SwiftProgram.compile(files: ["Sampled.swift"], module: "Sampled", build: build)
        return try ZombieRun.record(program, [mode], options: ["--guard=1/100"])
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a healthy program is silent`(in build: SwiftProgram.Build) throws {
        let run = try record("healthy", build)
        #expect(run.findings.map(\.type).isEmpty)
        #expect(run.status == 0)
        #expect(run.output == "done\n")
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a reference of a waiting object is named when it is followed`(in build: SwiftProgram.Build) throws {
        let run = try record("follow", build)
        let finding = try #require(run.findings.first, "\(run.error)")
        #expect(finding.type.hasSuffix("Tile"))
        #expect(finding.access?.member == "Tile.board")
        #expect(finding.usedBy?.frames.contains { $0.function.hasPrefix("movesOfBoard") } ?? false)
        #expect(finding.allocatedBy?.frames.contains { $0.function.hasPrefix("makeTile") } ?? false)
        #expect(run.status == 1)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a number that is written to a waiting object is noticed when its page is taken`(
        in build: SwiftProgram.Build
    ) throws {
        let run = try record("write", build)
        let finding = try #require(
            run.findings.first { $0.access?.operation == "write after deallocation" }, "\(run.error)")
        #expect(finding.type.hasSuffix("Tile"))
        #expect(finding.access?.member == "Tile.score")
    }
}
