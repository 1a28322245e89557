import Foundation
import Testing

/// `--guard=1/n`: sampled blocks on pages of their own, in programs that go on after a use. Nearly every block is a sample
/// here (p = 1 − e^(−S/2)), and each sample is guarded.
@Suite struct GuardedSamplesTests {
    struct Use: CustomStringConvertible, Sendable {
        var name: String
        var operation: String
        var type = "GuardedUses.Card"
        var member: String?
        var description: String { name }
    }

    static let dense = ["--sample", "2", "--guard=1/1"]
    static let commands = ["allocations", "leaks"]

    /// What they read lies where the allocator's free writes nothing: unrecorded they print the same.
    static let uses = [
        Use(name: "read", operation: "property read", member: "Card.number"),
        Use(name: "write", operation: "property write", member: "Card.number"),
        Use(name: "memory", operation: "property read", type: "memory"),
        Use(name: "threads", operation: "property read", member: "Card.number"),
    ]

    private func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["GuardedUses.swift"], module: "GuardedUses", build: build)
    }

    private func record(
        _ program: URL, _ use: [String], command: String = "allocations", options: [String] = dense
    ) throws -> ZombieRun {
        try ZombieRun.record(program, use, command: command, options: options)
    }

    @Test(arguments: uses, SwiftProgram.Build.usual)
    func `a use is reported with three stacks, and the program goes on as unrecorded`(
        use: Use, build: SwiftProgram.Build
    ) throws {
        let program = try program(build)
        let alone = try Command.run(program, [use.name])
        #expect(alone.status == 0)
        for command in Self.commands {
            let run = try record(program, [use.name], command: command)
            let finding = try #require(run.findings.first { $0.kind == .zombie }, "\(run.error)")
            #expect(finding.type == use.type)
            #expect(finding.severity == .error)
            #expect(finding.access?.operation == use.operation)
            #expect(finding.access?.member == use.member)
            for stack in [finding.allocatedBy, finding.deallocatedBy, finding.usedBy] {
                #expect(
                    stack?.frames.contains { $0.file?.hasSuffix("GuardedUses.swift") ?? false } ?? false, "\(finding)")
            }
            #expect(run.output == alone.output)
            #expect(run.status == 1)
            let own = try record(program, [use.name], command: command, options: Self.dense + ["--propagate-exit"])
            #expect(own.status == 0)
        }
    }

    /// Unrecorded they end by a crash, or by the allocator's check.
    @Test(
        arguments: [
            ("method", "42", ["method call or type check"]), ("releases", "released", ["release", "retain"]),
            ("retains", "41", ["retain", "property read"]), ("free", "freed", ["free"]),
            ("realloc", "12", ["realloc"]),
        ], SwiftProgram.Build.usual)
    func `a use that would not be survived is reported, and the program goes on`(
        use: (name: String, output: String, operations: [String]), build: SwiftProgram.Build
    ) throws {
        let run = try record(program(build), [use.name])
        let finding = try #require(run.findings.first, "\(run.error)")
        #expect(use.operations.contains(finding.access?.operation ?? ""), "\(finding)")
        #expect(run.output == use.output + "\n")
        #expect(run.findings.count == 1)
        #expect(run.status == 1)
    }

    @Test(arguments: ["read", "method", "memory", "threads", "serve"], SwiftProgram.Build.usual)
    func `while the objects live nothing is found`(use: String, build: SwiftProgram.Build) throws {
        let alone = try Command.run(program(build), [use, "healthy"])
        for command in Self.commands {
            let run = try record(program(build), [use, "healthy"], command: command)
            #expect(run.findings.filter { $0.kind == .zombie }.isEmpty)
            #expect(run.output == alone.output)
            #expect(run.status == 0)
        }
    }

    /// What is on guarded pages is searched like other memory, and deallocated blocks hold nothing.
    @Test(arguments: ["retain-cycle", "attribute-leak", "undo-cycle", "tree-cycle"])
    func `leaks of guarded objects are found`(fault: String) throws {
        let program = Products.GameLabBuild.debug.executable
        let usual = try record(program, ["fault", fault], command: "leaks", options: [])
        let run = try record(program, ["fault", fault], command: "leaks")
        #expect(run.findings.map(\.signature) == usual.findings.map(\.signature))
        #expect(run.findings.map(\.count) == usual.findings.map(\.count))
        #expect(run.output == usual.output)
        #expect(run.status == usual.status)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `workers that answer requests go on after each of their uses`(build: SwiftProgram.Build) throws {
        let alone = try Command.run(program(build), ["serve"])
        let run = try record(program(build), ["serve"])
        #expect(run.output == alone.output)
        #expect(!run.findings.isEmpty)
        for finding in run.findings {
            #expect(finding.type == "GuardedUses.Card")
            #expect(finding.access?.member == "Card.number")
        }
        #expect(run.status == 1)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a child made by fork uses and frees what it has, and reports nothing`(build: SwiftProgram.Build) throws {
        let alone = try Command.run(program(build), ["fork"])
        #expect(alone.output == "child 41 199\n768 40\n")
        let run = try record(program(build), ["fork"])
        #expect(run.output == alone.output)
        #expect(run.findings.isEmpty)
        #expect(run.status == 0)
    }

    @Test func `without the option, and with 0, no block is guarded`() throws {
        for options in [["--sample", "2"], ["--sample", "2", "--guard=1/0"]] {
            let run = try record(program(.optimised), ["read"], options: options)
            #expect(run.findings.isEmpty)
            #expect(run.output == "41\n")
            #expect(run.status == 0)
        }
    }

    @Test(arguments: [["--guard=1/1"], ["--guard=1/1", "--sample", "1"], ["--guard=1/x"]])
    func `an option that cannot be is refused with a sentence`(options: [String]) throws {
        for command in ["allocations", "leaks", "record"] {
            let result = try Command.run(Products.gameprof, [command] + options + ["--", "/bin/true"])
            #expect(result.status == 2)
            #expect(result.error.contains("--guard"))
        }
    }

    @Test func `the report says how many blocks were guarded`() throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            Products.gameprof,
            ["allocations", "--text", "--no-color"] + Self.dense + ["--", program(.onone).path, "read"],
            directory: folder.url)
        let text = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: " ")
        #expect(text.contains("sampled blocks had pages of their own"))
        #expect(text.contains("Zombie: "))
        #expect(text.contains("1 zombie"))
    }

    @Test(arguments: [
        "own-handler", "raw-handler", "blocked", "sizes", "beside", "threads", "fork", "end", "many", "jump",
    ])
    func `memory, signals, threads and children are as unrecorded`(use: String) throws {
        let program = try CProgram.compile("GuardedMemory.c")
        let alone = try Command.run(program, [use])
        for command in Self.commands {
            let run = try record(program, [use], command: command, options: Self.dense + ["--propagate-exit"])
            #expect(run.output == alone.output, "\(run.error)")
            #expect(run.status == (alone.status < 0 ? 128 - alone.status : alone.status))
            let isUsed = ["own-handler", "blocked", "end"].contains(use)
            #expect(run.findings.contains { $0.kind == .zombie } == isUsed)
        }
    }

    @Test func `blocks that two threads free at the same moment are the next one's once`() throws {
        let run = try record(CProgram.compile("GuardedMemory.c"), ["together"])
        #expect(run.output == "done\n")
        #expect(run.findings.allSatisfy { $0.access?.operation == "free" })
    }

    @Test func `where the address space is limited the program runs as ever`() throws {
        let program = try CProgram.compile("GuardedMemory.c")
        let folder = try TemporaryFolder()
        let result = try Command.run(
            Products.gameprof,
            ["allocations", "--text"] + Self.dense
                + ["--", "sh", "-c", "ulimit -v 300000; exec \"$0\" threads", program.path], directory: folder.url)
        #expect(result.output.hasPrefix("done\n"))
        // The recorder finds no room either when the arenas of threads have taken all of it.
        #expect(result.status == 0 || result.output.contains("The trace could not be written any more"))
    }
}
