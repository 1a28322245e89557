import Foundation
import Testing

@testable import GameprofAnalysis

/// A program that links the recorder and becomes or starts another: each process keeps a trace of its own.
@Suite struct LinkedSuccessorTests {
    /// The parts of this package's own build that a program links with `Instrumentation`: objects of sources that are no
    /// more stay where they were.
    private func program() throws -> URL {
        let recorder = Products.package.appending(path: "Sources/Recorder").path
        let objects = (FileManager.default.subpaths(atPath: recorder) ?? []).filter { $0.hasSuffix(".c") }.map {
            source in
            let floor = source.prefix { $0 != "/" }
            let target = floor == "TraceFormat" ? "CTraceFormat" : "CRecorder\(floor)"
            return Products.folder.appending(path: "\(target).build/\(source.dropFirst(floor.count + 1)).o").path
        }
        return try CProgram.compile("Successors.c", name: "linked-successors", flags: objects.sorted())
    }

    /// Runs the program with `GAMEPROF=leaks`; what its traces say, in the order of their names.
    private func run(_ way: String) throws -> (result: CommandResult, reports: [Report]) {
        let folder = try TemporaryFolder()
        let program = try program()
        let result = try Command.run(
            program, [way, program.path],
            environment: ["GAMEPROF": "leaks", "GAMEPROF_OUTPUT": "t.gptrace"], directory: folder.url)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        let reports = try names.map { name in
            let json = folder.url.appending(path: "report.json")
            _ = try Command.run(
                Products.gameprof, ["report", name, "--quiet", "--json", json.path], directory: folder.url)
            return try Report(json: json)
        }
        return (result, reports)
    }

    @Test(arguments: ["execv", "execvp", "execl", "fexecve", "threads-execv"])
    func theTraceOfAProgramThatBecomesAnotherIsFinished(way: String) throws {
        let (result, reports) = try run(way)
        #expect(result.status == 5, "\(result.error)")
        #expect(reports.map(\.target.arguments.first) == [way, "a"])
        #expect(reports.allSatisfy { !$0.capture.truncated })
        #expect(reports.map { $0.findings.map(\.kind) } == [[], [.rawLeak]])
    }

    /// posix_spawn, system and popen are functions of the preloaded copy.
    @Test(
        "under gameprof the linked recorder records, and hands on to successors and children",
        arguments: ["execv", "execve", "fork", "vfork", "spawn", "system", "popen"])
    func underTheTool(way: String) throws {
        let folder = try TemporaryFolder()
        let program = try program().path
        let json = folder.url.appending(path: "r.json")
        let alone = try Command.run(URL(filePath: program), [way, program], directory: folder.url)
        let result = try Command.run(
            Products.gameprof, ["leaks", "--follow", "--quiet", "--json", json.path, "--", program, way, program],
            directory: folder.url)
        #expect(result.status == 1 && result.output == alone.output && result.error.isEmpty, "\(result.error)")
        let report = try Report(json: json)
        #expect(report.environment["loading"] == "linked")
        #expect(report.findings.map(\.kind) == [.rawLeak])
        #expect(report.processes?.filter { $0.errors == 1 }.map(\.executable) == [program])
    }

    @Test("under gameprof a linked recorder tells the tool why it does not record")
    func refusalUnderTheTool() throws {
        let program = try program().path
        let result = try Command.run(
            URL(filePath: "/bin/sh"),
            [
                "-c", "ulimit -v 900000; exec \"$@\"", "sh", Products.gameprof.path, "zombies", "--quiet", "--",
                program, "a",
            ])
        #expect(result.status == 4 && result.output == "a \n")
        #expect(result.error.contains("Nothing was recorded. The address space is limited"), "\(result.error)")
    }

    @Test(arguments: ["execve", "execle"])
    func aSuccessorWhoseEnvironmentDoesNotAskIsNotRecorded(way: String) throws {
        let (result, reports) = try run(way)
        #expect(result.status == 5 && result.output.hasSuffix("a \n"))
        #expect(reports.map(\.capture.truncated) == [false])
    }

    @Test func aSuccessorThatIsMissingLeavesTheRecordingAsItIs() throws {
        let (result, reports) = try run("missing")
        #expect(result.status == 5)
        #expect(reports.map { $0.findings.map(\.kind) } == [[.rawLeak]])
    }

    @Test(arguments: ["fork", "vfork", "spawn", "system"])
    func aChildLeavesItsParentsTraceAlone(way: String) throws {
        let (result, reports) = try run(way)
        #expect(result.status == 0, "\(result.error)")
        #expect(reports.map(\.target.exit?.code) == [0, 5])
        #expect(reports.map { $0.findings.map(\.kind) } == [[], [.rawLeak]])
    }
}
