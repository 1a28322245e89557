import Foundation
import Testing

@testable import GameprofAnalysis

/// What a program gives back when memory is short.
@Suite struct MemoryWarningTests {
    private static func run(_ options: [String], _ program: [String]) throws -> (Report, CommandResult) {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let page = folder.url.appending(path: "page.html").path
        let result = try Command.run(
            Products.gameprof, ["leaks", "--json", json.path, "--html", page] + options + ["--"] + program)
        try #require(result.status == 0, "\(result.error)")
        return (try Report(json: json), result)
    }

    @Test(arguments: [Products.GameLabBuild.debug, .release])
    func `a report says what stayed after a warning, and who made it`(_ build: Products.GameLabBuild) throws {
        let program = [build.executable.path, "fault", "memory-warning"]
        let (report, result) = try Self.run([], program)
        let warning = try #require(report.memoryWarnings?.first)
        #expect(report.memoryWarnings?.count == 1)
        #expect(warning.liveBytesBefore > 64 * 32_768 && warning.share > 0.99, "\(warning.share)")
        #expect(warning.byType.first?.type == "Swift._ContiguousArrayStorage<Swift.UInt8>")
        // The optimiser makes two call sites of one.
        let made = warning.byStack.filter { row in
            row.type == warning.byType.first?.type
                && row.allocatedBy?.frames.contains { $0.function.contains("Backdrop.init(level:)") } == true
        }
        #expect(made.reduce(0) { $0 + $1.liveCount } == 64)
        #expect(report.generations == nil)
        #expect(result.error.contains("Memory warnings") && result.error.contains("100 % stayed"), "\(result.error)")
        let cured = try #require(try Self.run([], program + ["--cured"]).0.memoryWarnings?.first)
        #expect(cured.liveBytesBefore > 64 * 32_768 && cured.share < 0.1, "\(cured.share)")
    }

    @Test func `gameprof warns a program when its time has come`() throws {
        let program = try CProgram.compile("WarnedCache.c", flags: ["-ldl"]).path
        let (report, result) = try Self.run(["--memory-warning-at", "1s"], [program])
        #expect(result.output == "given back\n")
        let warning = try #require(report.memoryWarnings?.first)
        #expect(warning.seconds >= 1 && warning.liveBytesBefore - warning.liveBytesAfter == 1 << 20)
    }

    @Test func `a program that ends before its warning came is told so`() throws {
        let (report, _) = try Self.run(["--memory-warning-at", "1000s"], ["/bin/true"])
        #expect(report.capture.notes.contains { $0.contains("ended before its memory warning was due") })
    }

    @Test(arguments: ["exit", "wait"])
    func `a program ends whatever its answer to a warning does`(answer: String) throws {
        let program = try CProgram.compile("WarnedCache.c", flags: ["-ldl"]).path
        let result = try Command.run(
            URL(filePath: "/usr/bin/timeout"),
            ["40", Products.gameprof.path, "leaks", "--memory-warning-at", "300ms", "--", program, answer])
        #expect(result.status == 0, "\(result.error)")
    }

    @Test func `a program is warned at a limit of its own choosing`() throws {
        let program = try CProgram.compile("WarnedCache.c", flags: ["-ldl"]).path
        let (report, result) = try Self.run([], [program, "500000"])
        #expect(result.output == "given back\n")
        let warnings = try #require(report.memoryWarnings)
        #expect(warnings.count == 1 && warnings[0].liveBytesBefore - warnings[0].liveBytesAfter == 1 << 20)
    }

    @Test(arguments: ["soon", "0s", "-1s", "2d", "nan"])
    func `a time that is none is refused in a sentence`(_ time: String) throws {
        let result = try Command.run(Products.gameprof, ["leaks", "--memory-warning-at=\(time)", "--", "/bin/true"])
        #expect(result.status == 2 && result.error.contains("--memory-warning-at needs a time"), "\(result.error)")
    }

    @Test func `a budget bounds what stays after a warning that gameprof sends`() throws {
        let folder = try TemporaryFolder()
        let program = try CProgram.compile("WarnedCache.c", flags: ["-ldl"]).path
        let trace = folder.url.appending(path: "cache.gptrace").path
        _ = try Command.run(
            Products.gameprof, ["leaks", "--memory-warning-at", "1s", "--output", trace, "--", program])
        let budget = folder.url.appending(path: "b.yml")
        for (limit, status) in [("60%", Int32(0)), ("0.01%", 1)] {
            try Data("scenarios: {cache: {after-warning: \(limit)}}\n".utf8).write(to: budget)
            let result = try Command.run(Products.gameprof, ["check", "--budget", budget.path, trace])
            #expect(result.status == status, "\(limit): \(result.error)")
        }
    }

    @Test func `a budget bounds what stays after a warning`() throws {
        let folder = try TemporaryFolder()
        let game = Products.GameLabBuild.release.executable.path
        let budget = folder.url.appending(path: "b.yml")
        for (arguments, status) in [("", Int32(1)), (" --cured", 0)] {
            try Data("scenarios: {cache: {run: \(game) fault memory-warning\(arguments), after-warning: 60%}}\n".utf8)
                .write(to: budget)
            let result = try Command.run(Products.gameprof, ["check", "--budget", budget.path], directory: folder.url)
            #expect(result.status == status, "\(result.error)")
        }
    }
}
