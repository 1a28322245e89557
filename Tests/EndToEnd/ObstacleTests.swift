import Foundation
import Testing

@testable import GameprofAnalysis

/// What cannot be recorded or searched has its own reason in the report.
@Suite struct ObstacleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(_ command: String, _ options: [String] = [], of program: URL, _ arguments: [String]) throws
        -> CommandResult
    {
        try Command.run(
            Products.gameprof, [command, "--json", "r.json"] + options + ["--", program.path] + arguments,
            directory: folder.url)
    }

    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("a program that has no descriptor left is searched for leaks all the same")
    func noDescriptor() throws {
        let result = try record("leaks", of: CProgram.compile("Obstacles.c"), ["files"])
        #expect(result.status == 1)
        #expect(words(result.error).contains("Leaked memory from main 1 block · 77 B"), "\(result.error)")
    }

    @Test("of a program that closes its standard files resident memory is known all the same")
    func closedFiles() throws {
        let result = try record("leaks", of: CProgram.compile("Obstacles.c"), ["closed"])
        #expect(result.status == 1)
        #expect(try Report(json: folder.url.appending(path: "r.json")).footprint != nil)
    }

    @Test("a program without /proc is not searched for leaks, for that reason", .enabled(if: getuid() == 0))
    func noProc() throws {
        let result = try record("leaks", of: CProgram.compile("Obstacles.c"), ["root", folder.url.path])
        #expect(result.status == 4)
        #expect(words(result.error).contains("there is no /proc where the program runs"), "\(result.error)")
    }

    @Test("a program that may not wait for children ends, and is searched for leaks")
    func withoutWaiting() throws {
        let result = try record("leaks", of: CProgram.compile("Obstacles.c"), ["children"])
        #expect(result.status == 1)
        #expect(words(result.error).contains("Leaked memory from main 1 block · 77 B"), "\(result.error)")
    }

    @Test(
        "where there is no process_vm_readv, or a filter forbids it, objects are known all the same",
        arguments: SwiftProgram.Build.usual, ["unread", "forbidden"])
    func withoutReads(build: SwiftProgram.Build, way: String) throws {
        let program = try SwiftProgram.compile(
            """
            final class Node { var other: Node? }
            @inline(never) func lose() { let one = Node(), two = Node(); (one.other, two.other) = (two, one) }
            @main struct Main { static func main() { for _ in 0..<5 { lose() } } }
            """, module: "Unread", build: build)
        let result = try record("leaks", of: CProgram.compile("Obstacles.c"), [way, program.path])
        #expect(result.status == 1)
        #expect(words(result.error).contains("Retain cycle: Node ⇄ Node 5 cycles · 10 objects"), "\(result.error)")
    }

    @Test("a build with a sanitizer is not recorded, for that reason", arguments: ["allocations", "leaks", "zombies"])
    func sanitizer(command: String) throws {
        let program = try SwiftProgram.compile(
            "@main struct Main { static func main() { print(\"runs\") } }", module: "Sanitized", build: .onone,
            extraFlags: ["-sanitize=address"])
        let result = try record(command, of: program, [])
        #expect(result.status == 4 && result.output == "runs\n")
        #expect(words(result.error).contains("Nothing was recorded. The program is built with a sanitizer"))
    }

    @Test(
        "memory of a main that had not returned is a warning, sampled or not", arguments: [[], ["--sample", "512k"]])
    func unreturnedMain(options: [String]) throws {
        let result = try record("leaks", options, of: CProgram.compile("Obstacles.c"), ["exit"])
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.findings.map(\.severity) == [.warning] && result.status == 0, "\(result.error)")
        #expect(report.findings.first?.message.contains("main") == true)
    }

    @Test(
        "memory that a main lost before it returned is an error, sampled or not",
        arguments: [[], ["--sample", "512k"]])
    func returnedMain(options: [String]) throws {
        let result = try record("leaks", options, of: CProgram.compile("Obstacles.c"), [])
        #expect(result.status == 1)
        #expect(try Report(json: folder.url.appending(path: "r.json")).findings.map(\.severity) == [.error])
    }
}
