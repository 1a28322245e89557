import Foundation
import Testing

@testable import GameprofAnalysis

/// Why living objects live: the shortest strong way from a root, by the names of the source.
@Suite struct WhyTests {
    private static func compile(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Living.swift"], module: "Living", build: build)
    }

    private func ask(
        _ types: [String], _ build: SwiftProgram.Build, _ arguments: [String] = [], status: Int32 = 0
    ) throws -> [LiveObjects] {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["leaks", "--quiet", "--json", json.path] + types.flatMap { ["--why", $0] }
                + ["--", Self.compile(build).path] + arguments)
        #expect(result.status == status, "\(result.error)")
        return try Report(json: json).why ?? []
    }

    /// "from.path → to" of each reference.
    private func lines(_ way: HeldBy) -> [String] {
        way.references.map { reference in
            let dot = reference.path.isEmpty || reference.path.hasPrefix("[") ? "" : "."
            return "\(reference.from)\(dot)\(reference.path) → \(reference.to)".replacing("Living.", with: "")
        }
    }

    @Test(arguments: SwiftProgram.Build.usual + [.staticOptimised])
    func `objects are led back to the variables that hold them`(in build: SwiftProgram.Build) throws {
        let answers = try ask(["Board", "Living.Card", "Box", "Deep*", "Nothing"], build)
        let byType = Dictionary(grouping: answers) { $0.type?.replacing("Living.", with: "") ?? "none: \($0.asked)" }
        #expect(Set(byType.keys) == ["Board", "Card", "Box<Card>", "DeepNode", "none: Nothing"])

        let board = try #require(byType["Board"]?.first)
        #expect(board.instances == 3)
        #expect(board.ways.map(lines) == [["Game.shared → Game", "Game.boards[…] → Board"]])
        #expect(board.ways.first?.root.kind == .global)

        let ways = Set(try #require(byType["Card"]?.first).ways.map { lines($0).joined(separator: ", ") })
        #expect(
            ways == [
                "Game.shared → Game, Game.boards[…] → Board, Board.cards[…] → Card",
                "Game.shared → Game, Game.boards[…] → Board, Board.byName[…] → Card",
                "boxed → Box<Card>, Box<Card>.value → Card", "table[…] → Card",
            ])
        let deep = try #require(byType["DeepNode"]?.first)
        #expect(deep.instances == 1_000)
        #expect(deep.ways.allSatisfy { lines($0).first == "deepList → DeepNode" })
    }

    @Test func `what only a function holds is led back to its frame`() throws {
        let local = try #require(ask(["Local"], .onone, ["local"]).first)
        let way = try #require(local.ways.first)
        #expect(way.root.kind == .stack || way.root.kind == .register)
        #expect(way.root.name.contains("play") || way.root.name.contains("run"), "\(way.root.name)")
    }

    @Test("of a type whose objects are all leaked the answer says so", arguments: SwiftProgram.Build.usual)
    func leakedType(_ build: SwiftProgram.Build) throws {
        let answer = try #require(ask(["Lost"], build, ["lose"], status: 1).first)
        #expect(answer.instances == 0)
        #expect(answer.message.contains("1 object is leaked"), "\(answer.message)")
    }

    @Test("C memory that shows a dead object's type and count is no instance", arguments: SwiftProgram.Build.usual)
    func deadObjectInMemory(_ build: SwiftProgram.Build) throws {
        let answer = try #require(ask(["Board"], build, ["dead"]).first)
        #expect(answer.instances == 3)
    }

    @Test("a buffer of standard output is no way in where a function holds the object")
    func standardOutput() throws {
        let answer = try #require(ask(["Printed"], .onone, ["printed"]).first)
        let way = try #require(answer.ways.first)
        #expect([.stack, .register].contains(way.root.kind), "\(way.root.name)")
    }

    @Test func `a type that no living object has is said so, on a stored trace too`() throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "living.gptrace").path
        let recorded = try Command.run(
            Products.gameprof, ["record", "--why", "Nothing", "-o", trace, "--", Self.compile(.onone).path])
        #expect(recorded.status == 0, "\(recorded.error)")
        let report = try Command.run(Products.gameprof, ["report", trace, "--text"])
        #expect(report.output.contains("No live object has a type that matches Nothing."))
    }
}
