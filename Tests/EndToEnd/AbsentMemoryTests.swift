import Foundation
import Testing

@testable import GameprofAnalysis

/// Looks at processes that have not all of the memory that they have mapped.
@Suite struct AbsentMemoryTests {
    private struct Look {
        var report: Report
        /// Of the process, in KiB, before and after.
        var figures: [[String: Int]]
        /// What the program wrote then.
        var output: String
    }

    /// Nil: this machine does not let the program do what it does.
    private static func look(_ file: String, _ arguments: [String], status: Int32) throws -> Look? {
        let executable = try CProgram.compile(file)
        guard try !Command.run(executable, arguments).output.hasPrefix("not possible: ") else { return nil }
        let program = try WaitingProgram(executable, arguments)
        let before = try figures(of: program.pid)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["leaks", "--pid", program.pid, "--quiet", "--json", json.path])
        #expect(result.status == status, "\(result.error)")
        let after = try figures(of: program.pid)
        return Look(report: try Report(json: json), figures: [before, after], output: try program.finish())
    }

    private static func figures(of pid: String) throws -> [String: Int] {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let rows = status.split(separator: "\n").map { $0.split(separator: ":") }
        return Dictionary(
            rows.filter { $0.count == 2 }.compactMap { row in
                Int(row[1].filter(\.isNumber)).map { (String(row[0]), $0) }
            }, uniquingKeysWith: { $1 })
    }

    @Test("memory that the process itself would have to provide is not asked for, and the report says that it lacks it")
    func provided() throws {
        guard let look = try Self.look("Absent.c", ["provided"], status: 4) else { return }
        #expect(look.output == "served 0\n")
        let problems = look.report.capture.problems
        #expect(problems.contains { $0.contains("64 KB of memory (the handler of a userfaultfd") }, "\(problems)")
    }

    @Test("a process for which the kernel waits is let go, and the report says what was not copied")
    func marked() throws {
        guard let look = try Self.look("Absent.c", ["marked"], status: 4) else { return }
        let problems = look.report.capture.problems
        #expect(problems.contains { $0.contains("(the process had to continue before it was copied)") }, "\(problems)")
    }

    @Test("a file that the process serves itself is not asked for")
    func ownFileSystem() throws {
        guard let look = try Self.look("OwnFileSystem.c", [], status: 0) else { return }
        #expect(look.output == "asked 0\n")
    }

    @Test(
        "of 64 GiB in which one page was written, the process gets no other by a look",
        arguments: ["sparse", "reserved"])
    func untouched(_ what: String) throws {
        let look = try #require(try Self.look("Absent.c", [what], status: 0))
        for name in ["VmRSS", "VmPTE"] {
            let values = try look.figures.map { try #require($0[name]) }
            #expect(values[1] < values[0] + 1024, "\(name): \(values)")
        }
        #expect(look.report.heap?.blocks ?? 0 > 0)
        #expect(!look.report.capture.notes.contains { $0.hasPrefix("No live object refers to") })
    }

    @Test("a program that executes itself while it is looked at is never waited for, and no container is blamed")
    func executed() throws {
        let program = try WaitingProgram(try CProgram.compile("Executing.c"))
        for _ in 0..<40 {
            let result = try Command.run(
                Products.gameprof, ["leaks", "--pid", program.pid, "--quiet", "--json", "/dev/null"])
            #expect(result.status == 0 || result.status == 4, "\(result.error)")
            #expect(!result.error.contains("container"), "\(result.error)")
        }
        #expect(try program.finish() == "executed\n")
    }

    @Test("of such memory a recorded program's search reads what was written, too", arguments: ["sparse", "reserved"])
    func recorded(_ what: String) throws {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let program = try CProgram.compile("Absent.c")
        let result = try Command.run(
            Products.gameprof, ["leaks", "--quiet", "--json", json.path, "--", program.path, what])
        #expect(result.status == 0, "\(result.error)")
        #expect(try Report(json: json).heap != nil)
    }
}
