import Foundation
import Testing

/// Guarded samples where a filter of system calls forbids what they need.
@Suite struct FilteredGuardsTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = try CProgram.compile("Filtered.c")
    }

    private func record(_ arguments: [String]) throws -> CommandResult {
        try Command.run(
            Products.gameprof,
            ["allocations", "--sample", "2", "--guard=1/1", "--json", "r.json", "--", program.path]
                + arguments, directory: folder.url)
    }

    @Test(
        "a program that filters its system calls uses deallocated blocks as unrecorded",
        arguments: ["errno", "trap", "kill"], ["late", "syscall"])
    func filterOfTheProgram(way: String, how: String) throws {
        let alone = try Command.run(program, [way, how])
        #expect(alone.status == 0 && alone.output == "used 2800\n")
        let result = try record([way, how])
        #expect(result.output == alone.output && result.error.contains("exited with code 0"), "\(result.error)")
        #expect(words(result.error).contains("from then on no sampled block was guarded"), "\(result.error)")
    }

    @Test(
        "a program that is started under a filter is recorded without guards, and a sentence says why",
        arguments: ["errno", "trap", "kill"])
    func filterOfAParent(way: String) throws {
        let result = try record([way, "start"])
        #expect(result.output == "used 2800\n" && result.status == 0, "\(result.error)")
        #expect(words(result.error).contains("(a seccomp filter): no sampled block is guarded"), "\(result.error)")
    }

    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
