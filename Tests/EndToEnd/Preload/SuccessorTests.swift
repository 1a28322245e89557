import Foundation
import Testing

@testable import GameprofAnalysis

/// The recording reaches the program behind a wrapper, and the children when they are followed.
@Suite struct SuccessorTests {
    private struct Recording {
        var report: Report?
        var result: CommandResult
    }

    /// Records `command` with `gameprof leaks` and checks that it runs as it does without the tool.
    private func leaks(_ command: [String], options: [String] = [], quietly: Bool = true) throws -> Recording {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        let environment = ["OTHER_PRELOAD": "kept"]
        let alone = try Command.run(URL(filePath: "/usr/bin/env"), command, environment: environment)
        let result = try Command.run(
            Products.gameprof,
            ["leaks", "--propagate-exit", "--json", json.path] + (quietly ? ["--quiet"] : []) + options + ["--"]
                + command, environment: environment)
        let report = try? Report(json: json)
        #expect(result.output == alone.output)
        if report != nil { #expect(result.status == alone.status, "\(result.error)") }
        return Recording(report: report, result: result)
    }

    private func program() throws -> String { try CProgram.compile("Successors.c", name: "successors").path }

    @Test(arguments: ["execv", "execve", "execvp", "execl", "execle", "fexecve", "threads-execv"])
    func whatAProcessBecomesIsRecorded(way: String) throws {
        let program = try program()
        let report = try #require(try leaks([program, way, program]).report)
        #expect(report.target.executable == program)
        #expect(report.findings.map(\.kind) == [.rawLeak])
        #expect(report.processes == nil)
    }

    @Test func aProgramThatIsMissingLeavesTheRecordingAsItIs() throws {
        let program = try program()
        let report = try #require(try leaks([program, "missing", program]).report)
        #expect(report.findings.map(\.kind) == [.rawLeak])
    }

    @Test(arguments: ["fork", "vfork", "threads-fork", "threads-spawn", "spawn", "system", "popen"])
    func childrenOfAProgramAreNotFollowedUnlessAskedFor(way: String) throws {
        let program = try program()
        let recording = try leaks([program, way, program], quietly: false)
        #expect(recording.report?.findings.isEmpty == true)
        let said = recording.result.error.replacing("\n  ", with: " ")
        #expect(said.contains("started programs that were not recorded"))
        #expect(said.contains("Use --follow to record them too."))
        #expect(recording.report?.capture.notes.contains { $0.contains("made by fork") } == false)
    }

    @Test("children made by fork that start no program are told as not recorded")
    func workers() throws {
        let report = try #require(try leaks([try program(), "workers", "none"]).report)
        #expect(report.capture.notes.contains { $0.hasPrefix("3 processes that the program made by fork") })
    }

    /// What the tool says of them goes to a terminal.
    @Test(arguments: [[], ["--follow"]])
    func namesOfProgramsHaveNoPowerOverTheTerminal(options: [String]) throws {
        let folder = try TemporaryFolder()
        let child = folder.url.appending(path: "a\u{1b}[31mb").path
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: child)
        let result = try leaks([try program(), "spawn", child], options: options, quietly: false).result
        #expect(result.error.contains("\\u{1B}[31m") && !result.error.contains("\u{1b}"), "\(result.error)")
    }

    @Test(arguments: ["fork", "vfork", "spawn", "system", "popen"])
    func childrenAreFollowedWhenAskedFor(way: String) throws {
        let program = try program()
        let report = try #require(try leaks([program, way, program], options: ["--follow"]).report)
        let processes = try #require(report.processes)
        #expect(processes.first?.executable == program)
        #expect(processes.filter { $0.errors == 1 }.map(\.executable) == [program])
        #expect(report.findings.map(\.kind) == [.rawLeak])
        #expect(report.findings.first?.process != nil)
    }

    @Test(
        "the program's environment stays its own while shells that it starts are followed",
        arguments: ["popen", "system"])
    func environment(way: String) throws {
        let folder = try TemporaryFolder()
        let program = try CProgram.compile("Environments.c").path
        let trace = folder.url.appending(path: "t.gptrace").path
        let result = try Command.run(
            Products.gameprof,
            ["record", "--follow", "--propagate-exit", "--quiet", "--instruments", "allocations", "-o", trace, "--"]
                + [program, way])
        #expect(result.output == (way == "popen" ? "written\nwell\n" : "well\n"))
        #expect(result.status == 0)
        let traces = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(traces.count > 40, "\(traces)")
    }

    @Test(arguments: ["threads-fork", "threads-spawn"])
    func manyChildrenAreFollowedWhileThreadsRun(way: String) throws {
        let program = try program()
        let report = try #require(try leaks([program, way, "/bin/true"], options: ["--follow"]).report)
        #expect(report.processes?.count == (way == "threads-fork" ? 26 : 101))
    }

    @Test(arguments: [
        ["sh", "-c", "PROGRAM leak x; true"], ["bash", "-c", "PROGRAM leak x"], ["env", "-u", "HOME", "PROGRAM"],
        ["timeout", "20", "PROGRAM"], ["sh", "-c", "exec PROGRAM"],
    ])
    func aWrapperLeadsToTheProgramBehindIt(command: [String]) throws {
        let program = try program()
        let words = command.map { $0.replacingOccurrences(of: "PROGRAM", with: program) }
        let report = try #require(try leaks(words).report)
        #expect(report.target.executable == program)
        #expect(report.findings.map(\.kind) == [.rawLeak])
        #expect(report.processes == nil)
    }

    @Test func aWrapperAloneIsRecordedWhenAskedFor() throws {
        let program = try program()
        let report = try #require(try leaks(["sh", "-c", "\(program); true"], options: ["--follow=none"]).report)
        #expect(report.target.executable.hasSuffix("sh"))
    }

    @Test(arguments: [["env", "PROGRAM"], ["sh", "-c", "PROGRAM; exit 5"]])
    func aStaticProgramBehindAWrapperIsRefusedInASentence(command: [String]) throws {
        let program = try CProgram.compile("Successors.c", name: "fixed", flags: ["-static"]).path
        let words = command.map { $0.replacingOccurrences(of: "PROGRAM", with: program) }
        let result = try leaks(words).result
        #expect(result.status == 5, "the program's own")
        #expect(result.error.contains("Nothing was recorded. \(program) is fully static; link the GameInstrumentation"))
    }
}
