import Foundation
import Testing

/// By default the first objects of each class and stack, and a sample of the others, have pages of their own.
@Suite struct ChosenObjectsTests {
    struct Use: CustomStringConvertible, Sendable {
        var name: String
        var type: String
        var member: String?
        /// Poison finds it too where the compiler retains the object before it reads the number.
        var isRetained = false
        var description: String { name }
    }

    static let uses = [
        Use(name: "single", type: "StaleNumbers.Rook", member: "Rook.moves"),
        Use(name: "later", type: "StaleNumbers.Piece", member: "Piece.number"),
        Use(name: "threads", type: "StaleNumbers.Piece", member: "Piece.number"),
        Use(name: "cascade", type: "StaleNumbers.Piece", member: "Piece.number"),
        Use(name: "array", type: "StaleNumbers.Piece", member: "Piece.number"),
        Use(
            name: "storage", type: "Swift._ContiguousArrayStorage<Swift.Int>", member: "_ContiguousArrayStorage element"
        ),
        Use(name: "unsafely", type: "StaleNumbers.Clock", member: "Clock.ticks", isRetained: true),
        Use(name: "inherited", type: "StaleNumbers.Queen", member: "Queen.place", isRetained: true),
        Use(name: "generic", type: "StaleNumbers.Cell<Swift.Int>", member: "Cell.element"),
        Use(name: "tail", type: "StaleNumbers.Slots", member: nil),
        Use(name: "late-class", type: "StaleNumbers.Rook", member: "Rook.moves"),
        Use(name: "task", type: "StaleNumbers.Clock", member: "Clock.ticks"),
    ]

    private func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["StaleNumbers.swift"], module: "StaleNumbers", build: build)
    }

    @Test(arguments: uses, SwiftProgram.Build.usual)
    func `a number read from a deallocated object is found without options`(
        use: Use, build: SwiftProgram.Build
    ) throws {
        let run = try ZombieRun.record(program(build), [use.name])
        let finding = try #require(run.findings.first, "\(run.error)")
        #expect(finding.type == use.type)
        let access = try #require(finding.access)
        let isRetained = use.isRetained && access.operation == "retain"
        #expect(isRetained || (access.operation == "property read" && access.member == use.member), "\(access)")
        #expect(run.status == 1)
        for stack in [finding.allocatedBy, finding.deallocatedBy, finding.usedBy] {
            #expect(stack?.frames.contains { $0.file?.hasSuffix("StaleNumbers.swift") ?? false } ?? false, "\(finding)")
        }
    }

    @Test(arguments: uses, SwiftProgram.Build.usual)
    func `while the objects live nothing is found`(use: Use, build: SwiftProgram.Build) throws {
        let alone = try Command.run(program(build), [use.name, "healthy"])
        let run = try ZombieRun.record(program(build), [use.name, "healthy"])
        #expect(run.findings.map(\.type).isEmpty)
        #expect(run.status == 0)
        #expect(run.output == alone.output)
    }

    @Test(arguments: SwiftProgram.Build.usual, [[], ["--guard=Piece"], ["--continue"], ["--guard=none"]])
    func `weak and unowned references and the room of arrays stay as they are`(
        build: SwiftProgram.Build, options: [String]
    ) throws {
        let alone = try Command.run(program(build), ["references"])
        let run = try ZombieRun.record(program(build), ["references"], options: options)
        #expect(alone.output.contains("there 207 gone"))
        #expect(alone.output.contains("room as ever: true"))
        #expect(run.output == alone.output)
        #expect(run.findings.map(\.type).isEmpty)
        #expect(run.status == 0)
    }

    /// The page can be read again after that, so that what follows tells the method; nothing follows here.
    @Test(arguments: SwiftProgram.Build.usual, [[], ["--guard=Rook"]])
    func `a class that is read and not used is reported at the end`(
        build: SwiftProgram.Build, options: [String]
    ) throws {
        let run = try ZombieRun.record(program(build), ["first-word"], options: options)
        #expect(run.findings.map(\.type) == ["StaleNumbers.Rook"])
        #expect(run.findings.first?.access?.operation == "method call or type check")
        #expect(run.findings.first?.usedBy?.frames.contains { $0.function == "firstWord()" } ?? false)
        #expect(run.output == "value 0\n")
        #expect(run.status == 1)
    }

    /// So many pages are filled as there are numbers for; the next read ends the program.
    @Test(arguments: SwiftProgram.Build.usual)
    func `each class that is read is reported, as that of its object`(build: SwiftProgram.Build) throws {
        let run = try ZombieRun.record(program(build), ["first-words"], options: ["--guard=Rook"])
        #expect(run.findings.map(\.type) == ["StaleNumbers.Rook"])
        #expect(run.findings.map(\.count) == [65])
        #expect(run.findings.map(\.access?.operation) == ["method call or type check"])
        #expect(run.output.isEmpty)
    }

    @Test(arguments: SwiftProgram.Build.usual, ["first-word-number", "first-word-free"])
    func `a class that was read is reported though another use ends the program`(
        build: SwiftProgram.Build, use: String
    ) throws {
        let run = try ZombieRun.record(program(build), [use])
        #expect(Set(run.findings.map(\.type)) == ["StaleNumbers.Clock", "StaleNumbers.Rook"])
        #expect(run.output.isEmpty)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a method that threads call at the same moment is named`(build: SwiftProgram.Build) throws {
        let run = try ZombieRun.record(program(build), ["together"])
        let finding = try #require(run.findings.first, "\(run.error)")
        #expect(finding.type == "StaleNumbers.Bishop")
        #expect(finding.access?.member == "Bishop.move()")
        #expect(run.status == 1)
    }

    @Test func `the report says which objects had pages of their own`() throws {
        let folder = try TemporaryFolder()
        func text(_ options: [String]) throws -> String {
            try Command.run(
                Products.gameprof,
                ["zombies", "--text", "--no-color"] + options + ["--", program(.onone).path, "single", "healthy"],
                directory: folder.url
            ).output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        }
        let usual = try text([])
        #expect(usual.contains("objects had pages of their own: the first of each class and allocation stack"))
        #expect(!usual.contains("detected only in a block with pages of its own"))
        #expect(try text(["--guard=none"]).contains("detected only in a block with pages of its own"))
        #expect(try text(["--continue"]).contains("detected only in a block with pages of its own"))
    }

    @Test func `a program that needs most of the mappings gets them`() throws {
        let alone = try Command.run(program(.optimised), ["mappings"])
        let run = try ZombieRun.record(program(.optimised), ["mappings"])
        #expect(alone.output == "value 0\n")
        #expect(run.output == alone.output)
        #expect(run.findings.map(\.type).isEmpty)
    }

    @Test func `a child made by fork goes on with the objects that it has`() throws {
        let alone = try Command.run(program(.optimised), ["fork", "healthy"])
        let run = try ZombieRun.record(program(.optimised), ["fork", "healthy"])
        #expect(alone.output.contains("child 7 9"))
        #expect(run.output == alone.output)
        #expect(run.findings.isEmpty)
        #expect(run.status == 0)
    }

    /// What free left in a register has nothing to do with it.
    @Test(arguments: SwiftProgram.Build.usual)
    func `a stack without room is no use of a deallocated object`(build: SwiftProgram.Build) throws {
        let run = try ZombieRun.record(program(build), ["endless"], options: ["--propagate-exit"])
        #expect(run.findings.map(\.type).isEmpty)
        #expect(run.status == 128 + SIGSEGV)
    }
}
