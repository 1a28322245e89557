import Foundation
import Testing

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

    @Test func theProgramIsFoundOnTheSearchPath() throws {
        #expect(try record([], "echo", "hello").output == "hello\n")
    }

    @Test func theExitStatusIsPropagatedWhenAskedFor() throws {
        #expect(try record([], "/bin/sh", "-c", "exit 7").status == 0)
        #expect(try record(["--propagate-exit"], "/bin/sh", "-c", "exit 7").status == 7)
        #expect(try record(["--propagate-exit"], "/bin/sh", "-c", "kill -9 $$").status == 137)
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
}
