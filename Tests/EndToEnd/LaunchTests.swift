import Foundation
import Testing

@testable import GameprofAnalysis

/// The recorded program runs as it would without the tool.
@Suite struct LaunchTests {
    private func record(_ options: [String], _ program: String...) throws -> CommandResult {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "t.gptrace").path
        return try Command.run(Products.gameprof, ["record", "--quiet", "--output", trace] + options + program)
    }

    @Test func everythingAfterTheProgramBelongsToIt() throws {
        let expected = "--help --html -o x -- y\n"
        #expect(try record([], "/bin/echo", "--help", "--html", "-o", "x", "--", "y").output == expected)
        #expect(try record(["--"], "/bin/echo", "--help", "--html", "-o", "x", "--", "y").output == expected)
    }

    /// Names of files need not be UTF-8.
    @Test func argumentsArriveByteForByte() throws {
        let folder = try TemporaryFolder()
        let line =
            "'\(Products.gameprof.path)' record --quiet -o t.gptrace -- printf '%s' \"$(printf 'a\\377b')\" | od -An -tx1"
        let result = try Command.run(URL(filePath: "/bin/sh"), ["-c", line], directory: folder.url)
        #expect(result.output == " 61 ff 62\n", "\(result.output)\(result.error)")
    }

    /// Each has its own recording, and the last to end stays.
    @Test func recordingsIntoOneFileDoNotMixWhenTheyRunAtOnce() async throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "t.gptrace").path
        let states = await withTaskGroup(of: Int32?.self) { group in
            for number in 1...4 {
                group.addTask {
                    try? Command.run(
                        Products.gameprof,
                        ["record", "--quiet", "-o", trace, "/bin/sh", "-c", "sleep 0.2; exit \(number)"]
                    ).status
                }
            }
            return await group.reduce(into: [Int32?]()) { $0.append($1) }
        }
        #expect(states == [0, 0, 0, 0])
        let dump = try Command.run(Products.gameprof, ["dump", trace])
        let lines = dump.output.split(separator: "\n")
        let programs = lines.filter { $0.hasPrefix("program ") }
        let code = try #require(programs.first?.split(separator: "exit ").last?.prefix { $0.isNumber })
        let exits = lines.filter { $0.contains("program-exit") }
        #expect(dump.status == 0 && programs.count == 1 && !exits.isEmpty, "\(programs) \(exits)")
        #expect(exits.allSatisfy { $0.contains("code=\(code) ") }, "\(programs) \(exits)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["t.gptrace"])
    }

    @Test func theProgramIsFoundOnTheSearchPath() throws {
        #expect(try record([], "echo", "hello").output == "hello\n")
    }

    @Test func theExitStatusIsPropagatedWhenAskedFor() throws {
        #expect(try record([], "/bin/sh", "-c", "exit 7").status == 0)
        #expect(try record(["--propagate-exit"], "/bin/sh", "-c", "exit 7").status == 7)
        #expect(try record(["--propagate-exit"], "/bin/sh", "-c", "kill -9 $$").status == 137)
    }

    @Test("what the program prints goes to standard error where a result goes to standard output")
    func resultOnOutput() throws {
        for arguments in [["leaks", "--json", "-"], ["check", "--json", "-"]] {
            let result = try Command.run(Products.gameprof, arguments + ["--", "/bin/echo", "played"])
            #expect(result.output.first == "{" && !result.output.contains("played\n"), "\(result.output)")
            #expect(result.error.contains("played\n"))
        }
    }

    @Test func theEndOfTheProgramIsSaidOnStandardError() throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "t.gptrace").path
        let result = try Command.run(
            Products.gameprof, ["record", "--output", trace, "/bin/sh", "-c", "kill -11 $$"])
        #expect(result.error.contains("/bin/sh was ended by signal 11 (Segmentation fault)."))
        let dump = try Command.run(Products.gameprof, ["dump", trace])
        #expect(dump.output.contains("program-exit signal=11"))
    }

    @Test(
        "a program that a signal ended is not reported as sound",
        arguments: [["time"], ["allocations"], ["zombies"], ["leaks"], ["record", "--output", "t.gptrace"]])
    func crash(command: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            Products.gameprof, command + ["--", "/bin/sh", "-c", "kill -11 $$"], directory: folder.url)
        #expect(result.status == 4)
        #expect(result.error.contains("was ended by signal 11 (Segmentation fault)."))
        if command[0] == "record" {
            let report = try Command.run(Products.gameprof, ["report", "t.gptrace"], directory: folder.url)
            #expect(report.status == 4)
            #expect(report.output.contains("! The program was ended by signal 11 (Segmentation fault): the recording"))
        }
    }

    @Test("the manifest of a package is no program of the user's", arguments: ["", "exec"])
    func manifest(last: String) throws {
        let folder = try TemporaryFolder()
        let program = try SwiftProgram.compile(
            "@main struct Game { static func main() { print(CommandLine.arguments.count) } }", module: "Game",
            build: .optimised)
        let manifest = folder.url.appending(path: "Game-manifest")
        try FileManager.default.copyItem(at: program, to: manifest)
        let line = "'\(manifest.path)' -fileno 3; \(last) '\(program.path)'"
        let result = try Command.run(
            Products.gameprof,
            ["leaks", "--json", "r.json", "-o", "t.gptrace", "--follow=launched", "--", "sh", "-c", line],
            directory: folder.url)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output == "3\n1\n")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.target.executable == program.path)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.sorted() == ["Game-manifest", "r.json", "t.gptrace"])
    }
}
