import Foundation
import Testing

/// Programs that handle faults themselves behave as they do without the tool, and what they did wrong is reported.
@Suite struct CoexistenceTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = try CProgram.compile("Coexist.c", name: "coexist")
    }

    /// The program's own exit is the tool's.
    private func record(_ program: URL, _ use: String, options: [String] = []) throws -> ZombieRun {
        try ZombieRun.record(program, [use], options: ["--propagate-exit"] + options)
    }

    @Test(arguments: [
        "sigaction", "small-stack", "signal", "thread", "blocked", "blocked-thread", "blocked-attribute", "in-handler",
        "none",
    ])
    func `a handler runs as it would, and the use is told`(use: String) throws {
        let alone = try Command.run(program, [use])
        let run = try record(program, use)
        #expect(run.output == alone.output)
        #expect(run.status == (alone.status < 0 ? 128 - alone.status : alone.status))
        #expect(run.findings.map(\.access?.operation) == ["property read"])
    }

    @Test func `faults that are no uses of dead memory are the program's own`() throws {
        let alone = try Command.run(program, ["recovers"])
        let run = try record(program, "recovers")
        #expect(alone.output.hasSuffix("ignored\n"))
        #expect(run.output == alone.output)
        #expect(run.status == 0)
        #expect(run.findings.isEmpty)
    }

    @Test(arguments: [[], ["--guard=1/10"], ["--guard=all"]])
    func `a program sees of blocked signals what it would see`(options: [String]) throws {
        let alone = try Command.run(program, ["masks"])
        let run = try record(program, "masks", options: options)
        #expect(alone.output.hasSuffix("recovered\n"))
        #expect(run.output == alone.output)
        #expect(run.status == 0)
        #expect(run.findings.isEmpty)
    }

    @Test func `whoever waits for signals of faults that are sent gets them`() throws {
        let alone = try Command.run(program, ["sent"])
        let run = try record(program, "sent")
        #expect(alone.output == "all taken\n")
        #expect(run.output == alone.output)
        #expect(run.status == 0)
    }

    @Test func `a signal that a handler believes to block waits until it has ended`() throws {
        let alone = try Command.run(program, ["sent-in-handler"])
        let run = try record(program, "sent-in-handler")
        #expect(alone.output.contains("goes on\n"))
        #expect(run.output == alone.output)
        #expect(run.status == (alone.status < 0 ? 128 - alone.status : alone.status))
        #expect(run.findings.isEmpty)
    }

    @Test(arguments: ["coroutine", "abort-apart"], [[], ["--guard=all"], ["--guard=1/1"]])
    func `a stack that is no thread's is not read beyond its end`(use: String, options: [String]) throws {
        let alone = try Command.run(program, [use])
        let run = try record(program, use, options: options)
        #expect(run.output == alone.output)
        #expect(run.status == (alone.status < 0 ? 128 - alone.status : alone.status))
        #expect(run.findings.isEmpty)
    }

    @Test(arguments: ["zombies", "time"])
    func `what a program ignores is ignored by what it starts and becomes`(instrument: String) throws {
        let alone = try Command.run(program, ["hand-on"])
        #expect(alone.output == "ignores faults and traps\nignores faults and traps\n")
        let recorded = try Command.run(
            Products.gameprof,
            [instrument, "--quiet", "--propagate-exit", "--json", "r.json", "--", program.path, "hand-on"],
            directory: folder.url)
        #expect(recorded.output == alone.output)
        #expect(recorded.status == 0)
    }

    @Test func `a handler that a library set before the start is kept`() throws {
        let library = try CProgram.compile(
            "Coexist.c", name: "libearly.so", flags: ["-shared", "-fPIC", "-DEARLY", "-w"])
        let place = library.deletingLastPathComponent().path
        let early = try CProgram.compile(
            "Coexist.c", name: "early", flags: ["-Wl,--no-as-needed", "-L\(place)", "-learly", "-Wl,-rpath,\(place)"])
        let run = try record(early, "")
        #expect(run.output == "handled plainly\n")
        #expect(run.status == 43)
        #expect(run.findings.count == 1)
    }

    @Test func `an object of a plugin that was opened late is named`() throws {
        let host = folder.url.appending(path: "PluginHost")
        let plugin = folder.url.appending(path: "libPlugin.so")
        let programs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Programs")
        let library = try Command.run(
            URL(filePath: "/usr/bin/env"),
            [
                "swiftc", "-O", "-g", "-parse-as-library", "-module-name", "Plugin", "-emit-library",
                programs.appending(path: "Plugin.swift").path, "-o", plugin.path,
            ])
        try #require(library.status == 0, "\(library.error)")
        let compiled = try Command.run(
            URL(filePath: "/usr/bin/env"),
            ["clang", "-O1", "-g", programs.appending(path: "PluginHost.c").path, "-o", host.path])
        try #require(compiled.status == 0, "\(compiled.error)")
        let sound = try ZombieRun.record(host, [plugin.path, "keep"])
        #expect(sound.output == "47\n")
        #expect(sound.findings.isEmpty)
        for options in [[], ["--guard=all"]] {
            let run = try ZombieRun.record(host, [plugin.path], options: options)
            let finding = try #require(run.findings.first, "\(options) \(run.error)")
            #expect(run.output == "47\n")
            #expect(finding.type == "Plugin.Plugged")
            #expect(finding.deallocatedBy?.frames.contains { $0.function == "main" } ?? false)
            #expect(finding.usedBy?.frames.contains { $0.function == "main" } ?? false)
        }
        // So opened, plugin and Swift runtime have the C library's allocator past everybody who came before it: a miss.
        for options in [[], ["--guard=all"]] {
            let deep = try ZombieRun.record(host, [plugin.path, "deepbind", "keep"], options: options)
            #expect(deep.output == "47\n")
            #expect(deep.findings.isEmpty)
            #expect(deep.status == 0)
        }
    }

    @Test func `where no more mappings are to be had dead objects are poisoned still`() throws {
        let run = try record(program, "mappings", options: ["--guard=all"])
        #expect(run.output == "full\n")
        #expect(run.findings.count == 1)
    }

    @Test func `dead blocks make room where the program has no other memory left`() throws {
        let alone = try Command.run(program, ["tight"])
        #expect(alone.output == "refused\n" + String(repeating: "enough\n", count: 8))
        let result = try Command.run(
            Products.gameprof, ["zombies", "--text", "--no-color", "--", program.path, "tight"], directory: folder.url)
        #expect(result.output.hasPrefix(alone.output), "\(result.output) \(result.error)")
        #expect(result.output.contains("The program ran out of memory: blocks left the quarantine early"))
        #expect(result.status == 0)
    }

    @Test func `the core is dumped as without the tool`() throws {
        let shell = "ulimit -c unlimited; \"$@\" >/dev/null 2>&1; ls | grep -c '^core'"
        func cores(_ command: [String]) throws -> String {
            let elsewhere = try TemporaryFolder()
            return try Command.run(
                URL(filePath: "/bin/sh"), ["-c", shell, "sh"] + command, directory: elsewhere.url
            ).output
        }
        let alone = try cores([program.path, "none"])
        let recorded = try cores([Products.gameprof.path, "zombies", "--json", "-", "--", program.path, "none"])
        #expect(recorded == alone)
    }

    @Test func `Swift's own crash report appears`() throws {
        let uses = try ZombieMatrixTests.Build.onone.executable()
        let result = try Command.run(
            Products.gameprof, ["zombies", "--text", "--no-color", "--", uses.path, "method-call"],
            environment: ["SWIFT_BACKTRACE": "enable=yes,color=no"], directory: folder.url)
        #expect(result.error.contains("Program crashed"))
        #expect(result.error.contains("methodCall"))
        #expect(result.output.contains("method Board.flip() on a deallocated Board"))
    }
}
