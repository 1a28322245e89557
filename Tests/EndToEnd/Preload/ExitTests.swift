import Foundation
import Testing

@testable import GameprofAnalysis

/// Signal handlers that end the program, wherever they come.
@Suite(.serialized) struct ExitTests {
    private struct Run {
        var status: Int32
        var error: String
        var report: Report
        var exitCode: Int? { report.target.exit?.code }
    }

    private func leaks(_ arguments: [String]) throws -> Run {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            URL(filePath: "/usr/bin/timeout"),
            ["-s", "KILL", "90", Products.gameprof.path, "leaks", "--json", json.path, "--"]
                + [try CProgram.compile("ExitingHandlers.c").path] + arguments)
        #expect(result.output == "well\n", "\(result.error)")
        try #require(FileManager.default.fileExists(atPath: json.path), "exit \(result.status): \(result.error)")
        return Run(status: result.status, error: result.error, report: try Report(json: json))
    }

    private func expectLostBlock(_ run: Run) {
        #expect(run.status == 1, "\(run.error)")
        #expect(run.report.errors.map(\.bytes) == [4321])
    }

    @Test(
        "a signal handler that ends a program which already ends does not hang, and leaks are found",
        arguments: ["_exit", "exit", "quick_exit"], ["1000", "300000"])
    func twice(way: String, objects: String) throws {
        let run = try leaks(["twice", way, objects])
        #expect(run.exitCode == 7)
        expectLostBlock(run)
    }

    @Test("a handler of a fault ends a program that already ends at once")
    func fault() throws {
        let run = try leaks(["fault", "_exit", "300000"])
        #expect(run.exitCode == 7)
        #expect(run.status == (run.report.errors.isEmpty ? 4 : 1), "\(run.error)")
    }

    @Test(
        "leaks are found when a signal handler ends the program in the middle of malloc",
        arguments: ["_exit", "exit", "quick_exit"])
    func insideMalloc(way: String) throws {
        for _ in 0..<5 {
            let run = try leaks(["allocate", way, "1000"])
            #expect(run.exitCode == 7)
            expectLostBlock(run)
        }
    }

    @Test("when a signal handler ends the program in the middle of realloc, the report says why nothing is known")
    func insideRealloc() throws {
        for _ in 0..<5 {
            let run = try leaks(["resize", "_exit", "1000"])
            #expect(run.exitCode == 7)
            if run.status == 4 {
                #expect(run.report.errors.isEmpty)
                #expect(
                    run.error.contains("There is no conclusion about leaks: a signal handler interrupted a realloc"))
            } else {
                expectLostBlock(run)
            }
        }
    }
}
