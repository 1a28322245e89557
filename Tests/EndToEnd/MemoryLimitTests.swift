import Foundation
import Testing

@testable import GameprofAnalysis

/// Programs that may use little memory (`ulimit -d`, `ulimit -v`) run as without the recorder.
@Suite struct MemoryLimitTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = try CProgram.compile("Obstacles.c")
    }

    private func shell(_ line: String) throws -> CommandResult {
        try Command.run(
            URL(filePath: "/bin/sh"), ["-c", line],
            environment: ["TOOL": Products.gameprof.path, "PROGRAM": program.path], directory: folder.url)
    }

    /// The limit is that of the tool as well, or a shell sets it that the tool starts.
    @Test(
        arguments: ["leaks", "allocations", "zombies", "time", "files"],
        [
            "ulimit -d 20000; exec \"$TOOL\" COMMAND -- \"$PROGRAM\" memory",
            "\"$TOOL\" COMMAND -- sh -c 'ulimit -d 20000; exec \"$PROGRAM\" memory'",
            "\"$TOOL\" COMMAND -- sh -c 'ulimit -v 40000; exec \"$PROGRAM\" memory'",
        ])
    func `where too little memory is left the program runs unrecorded, and a sentence says why`(
        command: String, line: String
    ) throws {
        let result = try shell(line.replacing("COMMAND", with: "\(command) --json r.json"))
        #expect(result.output == "16 MB\n")
        #expect(result.status == 4)
        #expect(result.error.contains("Nothing was recorded. "), "\(result.error)")
        #expect(
            result.error.hasSuffix(
                " may use less than 256 MB of memory (ulimit -d, ulimit -v), of which the recorder "
                    + "would take too much.\n"), "\(result.error)")
        let itself = try shell(line.replacing("COMMAND", with: "\(command) --propagate-exit --json r.json"))
        #expect(itself.status == 7)
    }

    @Test func `where enough is left a note says that the recorder takes a part of it`() throws {
        let limited = "sh -c 'ulimit -d 300000; exec \"$PROGRAM\" memory'"
        let result = try shell("\"$TOOL\" allocations --json r.json -- \(limited)")
        #expect(result.output == "16 MB\n" && result.status == 0, "\(result.error)")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.allocations?.totals.peakBytes ?? 0 > 16 << 20)
        #expect(report.capture.notes.contains { $0.contains("memory is limited (ulimit -d, ulimit -v)") })
    }

    @Test func `a check of what was not recorded is incomplete`() throws {
        let budget = "scenarios: {limited: {run: [sh, -c, 'ulimit -d 20000; exec \(program.path) memory']}}"
        try Data(budget.utf8).write(to: folder.url.appending(path: "b.yml"))
        let result = try shell("\"$TOOL\" check --budget b.yml --json c.json")
        #expect(result.status == 4, "\(result.output) \(result.error)")
    }
}
