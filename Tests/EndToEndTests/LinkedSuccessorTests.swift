import Foundation
import GameprofReportModel
import Testing

/// A program that links the recorder and becomes or starts another: each process keeps a trace of its own.
@Suite struct LinkedSuccessorTests {
    /// The parts of this package's own build that a program links with `Instrumentation`: objects of sources that are no
    /// more stay where they were.
    private func program() throws -> URL {
        let recorder = Products.package.appending(path: "Sources/CRecorder").path
        let objects = (FileManager.default.subpaths(atPath: recorder) ?? []).filter { $0.hasSuffix(".c") }.map {
            source in
            let floor = source.prefix { $0 != "/" }
            let target = floor == "Interface" ? "CCapture" : "CRecorder\(floor)"
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
