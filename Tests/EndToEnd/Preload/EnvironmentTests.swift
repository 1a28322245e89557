import Foundation
import Testing

/// The recorded program and its children see the environment that they would see without the tool.
@Suite struct EnvironmentTests {
    private func output(
        _ command: [String], _ environment: [String: String?]
    ) throws -> (alone: String, recorded: String) {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "t.gptrace").path
        let alone = try Command.run(URL(filePath: command[0]), Array(command.dropFirst()), environment: environment)
        let recorded = try Command.run(
            Products.gameprof, ["record", "--quiet", "--output", trace] + command, environment: environment)
        #expect(recorded.status == 0, "\(recorded.error)")
        return (alone.output, recorded.output)
    }

    @Test(arguments: [nil, "", "/usr/lib/x86_64-linux-gnu/libdl.so.2", "libdl.so.2:libm.so.6", "libdl.so.2 libm.so.6"])
    func theListOfPreloadedLibrariesIsKept(list: String?) throws {
        let (alone, recorded) = try output(["/usr/bin/env"], ["LD_PRELOAD": list])
        #expect(Set(recorded.split(separator: "\n")) == Set(alone.split(separator: "\n")))
    }

    @Test func theVariablesStandInTheirOrderByteForByte() throws {
        let script = "exec env -i B=2 A=1 LD_PRELOAD=libm.so.6 Z= \"$@\""
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "t.gptrace").path
        let shell = URL(filePath: "/bin/sh")
        let alone = try Command.run(shell, ["-c", script, "x", "/usr/bin/env"])
        let recorded = try Command.run(
            shell, ["-c", script, "x", Products.gameprof.path, "record", "--output", trace, "/usr/bin/env"])
        #expect(recorded.output == alone.output)
        #expect(alone.output == "B=2\nA=1\nLD_PRELOAD=libm.so.6\nZ=\n")
    }

    @Test("variables for gameprof that the tests were started with do not reach the programs that they run")
    func variablesOfTheTests() {
        let own = ["GAMEPROF_LONG_TESTS": "field", "GAMEPROF": "leaks", "GAMEPROFILER": "..", "HOME": "/"]
        let added: [String: String?] = ["GAMEPROF_OUTPUT": "t", "HOME": nil]
        #expect(Command.environment(own, adding: added) == ["GAMEPROFILER": "..", "GAMEPROF_OUTPUT": "t"])
    }

    @Test func aChildThatIsNotFollowedInheritsNothing() throws {
        let (alone, recorded) = try output(["/bin/sh", "-c", "env; true"], [:])
        #expect(Set(recorded.split(separator: "\n")) == Set(alone.split(separator: "\n")))
    }
}
