import Foundation
import Testing

@testable import GameprofAnalysis

/// Programs with an io_uring, of which the kernel alone knows what operations under way will hand back.
@Suite struct UringTests {
    /// Nil: this machine has no io_uring.
    private static func program() throws -> URL? {
        let executable = try CProgram.compile("Uring.c")
        return try Command.run(executable, ["done", "exit"]).output.hasPrefix("not possible: ") ? nil : executable
    }

    @Test(
        "blocks that operations under way may name are not called lost, and those that wait for the program are held",
        arguments: [("pending", 4), ("polled", 4), ("done", 0)] as [(String, Int32)])
    func recorded(_ what: String, status: Int32) throws {
        guard let executable = try Self.program() else { return }
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["leaks", "--quiet", "--json", json.path, "--", executable.path, what, "exit"])
        #expect(result.output == "waiting\n")
        #expect(result.status == status, "\(result.error)")
        let report = try Report(json: json)
        #expect(report.findings.isEmpty)
        let isNamed = report.capture.problems.contains { $0.contains("io_uring") }
        #expect(isNamed == (status == 4), "\(report.capture.problems)")
    }

    @Test(
        "a look at such a process says the same, though its rings cannot be read, and lets the kernel's thread run",
        arguments: [("pending", 4), ("polled", 4), ("done", 0)] as [(String, Int32)])
    func lookedAt(_ what: String, status: Int32) throws {
        guard let executable = try Self.program() else { return }
        let waiting = try WaitingProgram(executable, [what])
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["leaks", "--pid", waiting.pid, "--quiet", "--json", json.path])
        #expect(result.status == status, "\(result.error)")
        let report = try Report(json: json)
        #expect(report.findings.isEmpty)
        let problems = report.capture.problems
        #expect(problems.contains { $0.contains("the operations of an io_uring") } == (status == 4), "\(problems)")
        #expect(!problems.contains { $0.contains("protected") || $0.contains("thread") }, "\(problems)")
        _ = try waiting.finish()
    }
}
