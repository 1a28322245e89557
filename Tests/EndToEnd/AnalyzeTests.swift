import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof analyze` on GameLab's own sources, joined with recordings of its faults. `make analyzer-test` runs it: the
/// analyzer takes minutes to build.
@Suite(.enabled(if: Products.hasAnalyzer, "gameprof-analyze is not built: make analyzer")) struct AnalyzeTests {
    struct Fault: CustomStringConvertible {
        var name: String
        var rule: String
        var type: String

        var description: String { name }
    }

    static let faults = [
        Fault(name: "dialog-cycle", rule: "stored-closure", type: "DialogOwner"),
        Fault(name: "undo-cycle", rule: "stored-closure", type: "HoldingPuzzle"),
        Fault(name: "observer-cycle", rule: "notification", type: "ScoreKeeper"),
        Fault(name: "tree-cycle", rule: "back-reference", type: "TreeNode"),
        Fault(name: "retain-cycle", rule: "mutual-reference", type: "Container"),
        Fault(name: "attribute-leak", rule: "unmanaged", type: "Portrait"),
    ]

    private static func analyze(_ folder: TemporaryFolder, _ arguments: [String]) throws -> (Analysis, CommandResult) {
        let json = folder.url.appending(path: "suspects.json")
        let result = try Command.run(
            Products.gameprof, ["analyze", "--json", json.path] + arguments,
            environment: ["GAMEPROF_ANALYZE_CACHE": "none"])
        return (try JSONDecoder().decode(Analysis.self, from: Data(contentsOf: json)), result)
    }

    @Test(arguments: faults) func `a run confirms the cause of its fault and nothing else`(_ fault: Fault) throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "fault.gptrace").path
        _ = try Command.run(
            Products.gameprof,
            ["record", "--instruments", "allocations,leaks", "--quiet", "--output", trace, "--"]
                + [Products.GameLabBuild.debug.executable.path, "fault", fault.name])
        let page = folder.url.appending(path: "page.html")
        let (suspects, result) = try Self.analyze(
            folder, [Products.package.appending(path: "Sources/GameLab").path, trace, "--html", page.path])
        #expect(result.status == 1, "\(result.error)")
        let confirmed = suspects.entries.filter { $0.verdict?.status == .confirmed }
        #expect(confirmed.map(\.suspect.rule) == [fault.rule])
        #expect(confirmed.first.map { $0.suspect.type == fault.type && ($0.verdict?.count ?? 0) > 0 } == true)
        #expect(try String(contentsOf: page, encoding: .utf8).contains(fault.type))
    }

    @Test func `the games' model has no suspect of high confidence`() throws {
        let folder = try TemporaryFolder()
        let (suspects, result) = try Self.analyze(folder, [Products.package.appending(path: "Sources/GameModel").path])
        #expect(result.status == 0, "\(result.error)")
        #expect(suspects.entries.allSatisfy { $0.suspect.confidence != .high })
    }

    /// What a build tool leaves must be no resource, and no code, of the target that is built.
    @Test func `a build's stamp is a Swift file without code`() throws {
        let folder = try TemporaryFolder()
        let stamp = folder.url.appending(path: "Stamp.swift")
        let analyzer = Products.package.appending(path: "Analyzer/.build/release/gameprof-analyze")
        let result = try Command.run(
            analyzer,
            ["--no-cache", "--format", "diagnostics", "--exit-zero", "--stamp", stamp.path, "--"]
                + [Products.package.appending(path: "Sources/GameModel").path])
        #expect(result.status == 0, "\(result.error)")
        let lines = try String(contentsOf: stamp, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("//"))
    }

    @Test func `a path that is not there is refused in a sentence`() throws {
        let result = try Command.run(Products.gameprof, ["analyze", "/nowhere/Sources"])
        #expect(result.status == 2)
        #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    }
}
