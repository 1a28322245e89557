import Foundation
import Testing

/// What is told of a dead object is right however far from its first words it is used, or not told at all.
@Suite struct FarUsesTests {
    private func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["FarUses.swift"], module: "FarUses", build: build)
    }

    struct Use: Sendable {
        var name: String
        var type: String
        var member: String?
        var guarded: String?
    }

    static let uses = [
        Use(name: "far-property", type: "FarUses.World", member: nil, guarded: "World.lastWords"),
        Use(name: "reference-to-large", type: "FarUses.Pawn", member: "Pawn.world", guarded: "Pawn.world"),
        Use(name: "far-index", type: "FarUses.Pawn", member: "Pawn.grid", guarded: "Pawn.grid"),
        Use(name: "next-cell", type: "memory", member: nil, guarded: nil),
        Use(
            name: "array-element", type: "Swift._ContiguousArrayStorage<Swift.String>",
            member: "_ContiguousArrayStorage element", guarded: "_ContiguousArrayStorage element"),
    ]

    @Test(arguments: uses, [SwiftProgram.Build.onone, .optimised])
    func `the member that was used is named, and no other`(use: Use, build: SwiftProgram.Build) throws {
        let run = try ZombieRun.record(program(build), [use.name], options: ["--guard=none"])
        let finding = try #require(run.findings.first, "\(run.error)")
        #expect(finding.type == use.type)
        #expect(finding.access?.operation == "property read")
        #expect(finding.access?.member == use.member)
        let guarded = try ZombieRun.record(program(build), [use.name], options: ["--guard=all"])
        #expect(guarded.findings.first?.type == use.type)
        #expect(guarded.findings.first?.access?.member == use.guarded)
    }

    /// The documented miss; what came into its place in the quarantine is not reported.
    @Test(arguments: [SwiftProgram.Build.onone, .optimised])
    func `of an object that left the quarantine nothing is told`(build: SwiftProgram.Build) throws {
        let result = try text(
            program(build), "left-quarantine", options: ["--guard=none", "--quarantine", "blocks=64"])
        #expect(!result.output.contains("Zombie:"))
        #expect(result.output.contains("quarantined blocks left the quarantine"))
    }

    @Test func `that pages were used again is said`() throws {
        let result = try text(program(.optimised), "many-pages", options: ["--guard=1/1"])
        #expect(result.output.contains("nothing found"))
        #expect(result.output.contains("Pages of deallocated objects were reused"))
    }

    @Test(arguments: [[], ["--guard=all"], ["--guard=1/1"]])
    func `the allocator speaks of what is freed twice`(options: [String]) throws {
        let alone = try Command.run(
            program(.optimised), ["freed-twice"], environment: ["SWIFT_BACKTRACE": "enable=no"])
        let run = try ZombieRun.record(
            program(.optimised), ["freed-twice"], options: ["--propagate-exit"] + options)
        #expect(alone.status == -SIGABRT)
        #expect(run.status == 128 + SIGABRT)
        #expect(run.error == alone.error)
        #expect(run.findings.map(\.access?.operation) == ["free"])
    }

    @Test(arguments: [SwiftProgram.Build.onone, .optimised])
    func `each use is told though the places of the dead are used again`(build: SwiftProgram.Build) throws {
        let run = try ZombieRun.record(
            program(build), ["retained-often"], options: ["--continue", "--quarantine", "blocks=64"])
        #expect(run.findings.map(\.access?.operation) == ["retain"])
        #expect(run.findings.map(\.count) == [200])
    }

    @Test(arguments: [SwiftProgram.Build.onone, .optimised])
    func `a fault that happens again when the program goes on ends it`(build: SwiftProgram.Build) throws {
        let run = try ZombieRun.record(
            program(build), ["count-followed"], options: ["--continue", "--guard=none", "--propagate-exit"])
        #expect(run.status == 128 + SIGSEGV)
        #expect(run.findings.map(\.type) == ["FarUses.Save"])
    }

    /// Whatever else of a class lies in the registers when the object is made; actors have an alignment of their own, and
    /// metadata of generic classes is made late, in the heap.
    @Test(
        arguments: [SwiftProgram.Build.onone, .optimised],
        [
            ["Coin", "one-of-many", "--guard=1/1"], ["Coin", "one-of-many", "--guard=Coin"],
            ["Table", "actor", "--guard=1/1"], ["Sack<FarUses.Coin>", "late-type", "--guard=1/1"],
            ["Sack<FarUses.Coin>", "late-type", "--guard=Sack"],
        ])
    func `an object of the class gets a page of its own`(build: SwiftProgram.Build, use: [String]) throws {
        let run = try ZombieRun.record(program(build), [use[1]], options: Array(use.dropFirst(2)))
        #expect(run.findings.map(\.type) == ["FarUses." + use[0]])
    }

    @Test(arguments: ["written-abort", "written-null"])
    func `a program that dies of something else has its dead blocks looked at`(name: String) throws {
        let result = try text(program(.onone), name, options: ["--guard=none"])
        #expect(result.output.contains("✗ Zombie: Save.slot of a deallocated Save was written"))
        #expect(result.output.contains("run the program with --guard=Save, which stops at the write itself."))
    }

    @Test func `a program that a signal ended is not called sound without a word`() throws {
        let result = try text(program(.onone), "killed", options: ["--guard=none"])
        #expect(result.output.contains("incomplete · ended by signal 9"))
        #expect(result.output.contains("A signal ended the program before its quarantine was checked"))
    }

    private func text(_ program: URL, _ name: String, options: [String] = []) throws -> CommandResult {
        let folder = try TemporaryFolder()
        return try Command.run(
            Products.gameprof, ["zombies", "--text", "--no-color"] + options + ["--", program.path, name],
            environment: ["SWIFT_BACKTRACE": "enable=no"], directory: folder.url)
    }
}
