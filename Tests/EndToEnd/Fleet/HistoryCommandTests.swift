import Foundation
import Testing

/// How gameprof uses gameprof-history, which a script stands for: the real one is a package of its own.
@Suite struct HistoryCommandTests {
    private struct Stand {
        let folder: TemporaryFolder
        let tool: String

        init(_ script: String) throws {
            folder = try TemporaryFolder()
            let url = folder.url.appending(path: "tool")
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
            try Data().write(to: folder.url.appending(path: "h.sqlite"))
            tool = url.path
        }

        func run(_ arguments: String...) throws -> CommandResult {
            try Command.run(
                Products.gameprof, arguments, environment: ["GAMEPROF_HISTORY_TOOL": tool], directory: folder.url)
        }

        func check(_ more: String...) throws -> CommandResult {
            let program = Products.GameLabBuild.debug.executable.path
            return try Command.run(
                Products.gameprof,
                ["check", "--history", "h.sqlite", "--json", "r.json"] + more + ["--", program, "play", "--help"],
                environment: ["GAMEPROF_HISTORY_TOOL": tool], directory: folder.url)
        }
    }

    private static func answer(_ failures: String, code: Int) -> String {
        """
        cat > input.json
        echo "$@" > arguments
        cat <<'END'
        {"schema": "gameprof-history-check", "version": 1, "scenarios": [{"scenario": "gamelab", "failures": [\(failures)],
        "notes": ["cpu is better"], "findings": {}}]}
        END
        exit \(code)
        """
    }

    @Test("history passes its arguments on and ends as the other program does")
    func passThrough() throws {
        let stand = try Stand("echo \"$@\"; exit 2")
        let run = try stand.run("history", "show", "--history", "a b", "--json")
        #expect(run.status == 2 && run.output == "show --history a b --json\n")
        #expect(try stand.run("history", "--help").output == "--help\n")
    }

    @Test("a program that is missing is named with what builds it")
    func missing() throws {
        let run = try Command.run(
            Products.gameprof, ["history", "show"], environment: ["GAMEPROF_HISTORY_TOOL": "/nonexistent"])
        #expect(run.status == 4 && run.error.contains("/nonexistent, which cannot be run"))
    }

    @Test("what the history calls worse fails a check that passes otherwise")
    func worse() throws {
        let passing = try Stand(Self.answer("", code: 0))
        let run = try passing.check("--tolerance", "2%")
        #expect(run.status == 0, "\(run.error)")
        #expect(run.error.contains("History: cpu is better"))
        let arguments = try String(contentsOf: passing.folder.url.appending(path: "arguments"), encoding: .utf8)
        #expect(arguments == "check --history h.sqlite --tolerance 0.02 -\n")
        let input = try Data(contentsOf: passing.folder.url.appending(path: "input.json"))
        let result = try #require(JSONSerialization.jsonObject(with: input) as? [String: Any])
        let scenario = try #require((result["scenarios"] as? [[String: Any]])?.first)
        let figures = try #require(scenario["figures"] as? [[String: Any]])
        #expect(figures.contains { $0["measure"] as? String == "peak" && ($0["values"] as? [Double])?.count == 1 })

        let failing = try Stand(Self.answer("\"peak is 9 MB, before 8 MB since a1b2c3d\"", code: 1))
        let worse = try failing.check()
        #expect(worse.status == 1 && worse.error.contains("peak is 9 MB, before 8 MB since a1b2c3d"))
    }

    @Test("a history that cannot be read, and an answer that is none, are no pass")
    func damaged() throws {
        #expect(try Stand("exit 2").check().status == 2)
        let failing = try Stand("exit 4")
        #expect(try failing.check().status == 4)
        #expect(FileManager.default.fileExists(atPath: failing.folder.url.appending(path: "r.json").path))
        #expect(try Stand("echo nonsense").check().status == 4)
        let stand = try Stand(Self.answer("", code: 0))
        try FileManager.default.removeItem(at: stand.folder.url.appending(path: "h.sqlite"))
        let run = try stand.check()
        #expect(run.status == 2 && run.error.contains("gameprof history add makes a history"))
        #expect(!FileManager.default.fileExists(atPath: stand.folder.url.appending(path: "r.json").path))
    }
}
