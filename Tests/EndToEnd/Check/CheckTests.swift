import Foundation
import Testing

/// `gameprof check` on the games: exit codes, what fails, what a baseline accepts.
@Suite struct CheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ arguments: String...) throws -> CommandResult {
        try Command.run(Products.gameprof, ["check"] + arguments, directory: folder.url)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
    }

    private func json(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.url.appending(path: name))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private let games = Products.GameLabBuild.release.executable.path

    @Test func `scenarios of a budget are run, recorded and judged`() throws {
        try write(
            "b.yml",
            """
            scenarios:
              play:
                run: [\(games), play, both, --games, "2", --seed, "1"]
                leaks: 0
                zombies: 0
                peak: 64 MB
                types: {Card: {live: 0}}
              undo:
                run: [\(games), fault, undo-cycle]
            """)
        let result = try check(
            "--budget", "b.yml", "--json", "c.json", "--junit", "j.xml", "--sarif", "s.sarif", "--markdown", "m.md",
            "--reports", "reports")
        #expect(result.status == 1, "\(result.error)")
        let scenarios = try #require(json("c.json")["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["outcome"] as? String } == ["passed", "failed"], "\(result.error)")
        for name in ["j.xml", "s.sarif", "m.md", "reports/play.html", "reports/undo.json"] {
            #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: name).path), "\(name)")
        }
    }

    @Test func `paths in SARIF and annotations begin at the root of the repository`() throws {
        let ci = folder.url.appending(path: "games/ci")
        for path in [ci, folder.url.appending(path: ".git")] {
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        }
        try write("games/ci/b.yml", "scenarios:\n  undo:\n    run: [\(games), fault, undo-cycle]\n    peak: 1 B\n")
        let result = try Command.run(
            Products.gameprof, ["check", "--budget", "ci/b.yml", "--sarif", "s.sarif", "--annotations", "-"],
            directory: folder.url.appending(path: "games"))
        #expect(result.status == 1, "\(result.error)")
        #expect(result.output.contains("::error file=games/ci/b.yml,line=4,"), "\(result.output)")
        let runs = try #require(json("games/s.sarif")["runs"] as? [[String: Any]])
        let results = try #require(runs[0]["results"] as? [[String: Any]])
        let uris = results.compactMap { result -> String? in
            let place = (result["locations"] as? [[String: [String: Any]]])?.first?["physicalLocation"]
            return (place?["artifactLocation"] as? [String: String])?["uri"]
        }
        #expect(uris.count == results.count && uris.contains("games/ci/b.yml"), "\(uris)")
    }

    @Test func `a baseline from one build accepts the same leak of another and no other leak`() throws {
        let update = try check("--quiet", "--baseline", "b.json", "--update-baseline", games, "fault", "undo-cycle")
        #expect(update.status == 0, "\(update.error)")
        // The scenario has the program's name, which both builds share.
        let debug = Products.GameLabBuild.debug.executable.path
        let same = try check("--baseline", "b.json", "--tolerance", "1000%", debug, "fault", "undo-cycle")
        #expect(same.status == 0, "\(same.error)")
        let other = try check("--baseline", "b.json", "--tolerance", "1000%", debug, "fault", "dialog-cycle")
        #expect(other.status == 1, "\(other.error)")
        #expect(other.error.contains("not in the baseline") && other.error.contains("Resolved: Retain cycle"))
    }

    @Test func `a trace is judged as the program was`() throws {
        let trace = folder.url.appending(path: "undo.gptrace").path
        _ = try Command.run(
            Products.gameprof, ["record", "--quiet", "-o", trace, games, "fault", "undo-cycle"], directory: folder.url)
        #expect(try check(trace).status == 1)
        try write("b.yml", "scenarios: {undo: {leaks: 1}, other: {leaks: 0}}")
        #expect(try check("--budget", "b.yml", trace).status == 0)
        #expect(try check("--budget", "b.yml", "--scenario", "other", trace).status == 1)
        try write("b.yml", "scenarios: {undo: {leaks: 1, zombies: 0}}")
        #expect(try check("--budget", "b.yml", trace).status == 4)
    }

    @Test func `options may follow a trace, and two runs are not taken for one`() throws {
        for (name, games) in [("one", "1"), ("two", "2")] {
            _ = try Command.run(
                Products.gameprof,
                ["record", "--quiet", "-o", "\(name).gptrace", self.games, "play", "memory", "--games", games],
                directory: folder.url)
        }
        try write("b.yml", "scenarios: {play: {allocations: 1}}")
        #expect(try check("one.gptrace", "--budget", "b.yml", "--quiet").status == 1)
        let both = try check("--budget", "b.yml", "one.gptrace", "two.gptrace")
        #expect(both.status == 2 && both.error.contains("two.gptrace records no instrument"), "\(both.error)")
    }

    @Test func `the end of what was asked for counts behind a launcher`() throws {
        let line = "\(games) play memory --games 1; exit 3"
        let result = try check("--", "sh", "-c", line)
        #expect(
            result.status == 1 && result.error.contains("exited with code 3, but 0 was expected"), "\(result.error)")
        try write("b.yml", "scenarios: {sh: {exit: 3}}")
        #expect(try check("--budget", "b.yml", "--", "sh", "-c", line).status == 0)
    }

    @Test func `a run that fails changes nothing of what is accepted`() throws {
        func update(_ end: String) throws -> CommandResult {
            try check(
                "--quiet", "--baseline", "b.json", "--update-baseline", "--scenario", "sh", "--", "sh", "-c",
                "\(games) fault malloc-leak >/dev/null; \(end)")
        }
        func accepted() throws -> Data { try Data(contentsOf: folder.url.appending(path: "b.json")) }
        #expect(try update("exit 0").status == 0)
        let before = try accepted()
        #expect(String(decoding: before, as: UTF8.self).contains("raw-leak"))
        let killed = try update("kill -9 $$")
        #expect(killed.status != 0 && killed.error.contains("is unchanged"), "\(killed.error)")
        #expect(try accepted() == before)
    }

    @Test func `a scenario that cannot be recorded keeps no other from being judged`() throws {
        try write("static.c", "int main(void) { return 0; }")
        let compiled = try Command.run(
            URL(filePath: "/usr/bin/env"), ["clang", "-static", "static.c", "-o", "static"], directory: folder.url)
        try #require(compiled.status == 0, "\(compiled.error)")
        try write(
            "b.yml", "scenarios: {first: {run: [sh, -c, exec ./static]}, second: {run: [\(games), fault, undo-cycle]}}")
        let result = try check("--budget", "b.yml", "--json", "c.json", "--quiet")
        #expect(result.status == 1, "\(result.error)")
        #expect(result.error.contains("Nothing was recorded."), "\(result.error)")
        let scenarios = try #require(json("c.json")["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["outcome"] as? String } == ["incomplete", "failed"])
    }

    @Test func `a program that is missing keeps no other from being judged, and the check ends with 3`() throws {
        try write(
            "b.yml", "scenarios: {first: {run: [./gone]}, second: {run: [\(games), play, memory, --games, \"1\"]}}")
        let result = try check(
            "--budget", "b.yml", "--json", "c.json", "--junit", "j.xml", "--sarif", "s.sarif", "--markdown", "m.md")
        #expect(result.status == 3, "\(result.error)")
        #expect(result.error.contains("./gone does not exist"), "\(result.error)")
        let scenarios = try #require(json("c.json")["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["outcome"] as? String } == ["failed", "passed"], "a missing program is an error")
        for name in ["j.xml", "s.sarif", "m.md"] {
            #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: name).path), "\(name)")
        }
    }

    @Test func `a run that takes longer than its timeout is ended and fails, with what it started`() throws {
        try write(
            "b.yml",
            "scenarios: {slow: {run: [sh, -c, 'sleep 60; true'], timeout: 0.3 s}, next: {run: /bin/true, timeout: 60 s}}"
        )
        let result = try check("--budget", "b.yml", "--json", "c.json")
        #expect(result.status == 1, "\(result.error)")
        let scenarios = try #require(json("c.json")["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["outcome"] as? String } == ["failed", "passed"], "\(result.error)")
        #expect(result.error.contains("ran longer than its timeout of 0.30 s"), "\(result.error)")
    }

    @Test func `a leak of some runs is listed with its frequency, and a scenario that fails can end the check`() throws
    {
        let script =
            "n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) >n; [ $n = 1 ] && exec \(games) fault undo-cycle; "
            + "exec \(games) play memory --games 1"
        try write(
            "b.yml", "scenarios: {some: {run: [sh, -c, '\(script)'], repeat: 3}, next: {run: /bin/true}}")
        let result = try check("--budget", "b.yml", "--json", "c.json", "--reports", "r", "--fail-fast")
        #expect(result.status == 1, "\(result.error)")
        #expect(result.error.contains("flaky: seen in 1 of 3 runs"), "\(result.error)")
        let scenarios = try #require(json("c.json")["scenarios"] as? [[String: Any]])
        #expect(scenarios.map { $0["outcome"] as? String } == ["failed", "incomplete"])
        #expect((scenarios[1]["problems"] as? [String])?.first?.hasPrefix("Not run") == true)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "r").path)
        #expect(pages.count { $0.hasPrefix("some") && $0.hasSuffix(".html") } == 3, "\(pages)")
    }

    @Test func `a misspelt type of a budget does not pass, one that was not used does`() throws {
        func judge(_ type: String) throws -> CommandResult {
            try write("b.yml", "scenarios: {gamelab: {types: {\(type): {live: 0}}}}")
            return try check("--budget", "b.yml", "--", games, "play", "memory", "--games", "1")
        }
        let misspelt = try judge("GameModel.Memroy")
        #expect(misspelt.status == 4, "\(misspelt.error)")
        #expect(
            misspelt.error.contains("matches GameModel.Memroy; did you mean GameModel.Memory?"), "\(misspelt.error)")
        #expect(try judge("GameModel.Cards").status == 4)
        for type in ["GameModel.Memory", "Puzzle", "GameModel.Puzzle", "GameModel.*", "_ContiguousArrayStorage<*>"] {
            let result = try judge(type)
            #expect([0, 1].contains(result.status) && !result.error.contains("no type"), "\(type): \(result.error)")
        }
    }

    @Test func `an update of the baseline says what it accepts`() throws {
        let arguments = [
            "--baseline", "b.json", "--update-baseline", "--scenario", "undo", games, "fault", "undo-cycle",
        ]
        let first = try Command.run(Products.gameprof, ["check"] + arguments, directory: folder.url)
        #expect(first.error.contains("undo, the baseline: accepts 1 × Retain cycle: "), "\(first.error)")
        #expect(first.error.contains("undo, the baseline: accepts allocations of "), "\(first.error)")
        let second = try Command.run(Products.gameprof, ["check"] + arguments, directory: folder.url)
        #expect(second.error.contains("undo, the baseline: nothing changes."), "\(second.error)")
    }

    @Test func `a check that is asked to end judges what ran and says what did not`() throws {
        let program = try CProgram.compile("Terminated.c").path
        try write("b.yml", "scenarios: {first: {run: [\(program), parent, \"15\"]}, second: {run: /bin/true}}")
        let result = try check("--budget", "b.yml", "--json", "c.json")
        #expect(result.status == 1, "\(result.error)")
        let scenarios = try #require(json("c.json")["scenarios"] as? [[String: Any]])
        // The first has lost a block until then.
        #expect(scenarios.map { $0["outcome"] as? String } == ["failed", "incomplete"])
        let problems = scenarios.compactMap { ($0["problems"] as? [String])?.joined() }
        #expect(problems[0].contains("ended by signal 15") && problems[1].hasPrefix("Not run"), "\(problems)")
    }

    @Test func `scenarios whose names differ in signs alone have a report each`() throws {
        try write("b.yml", "scenarios: {a b: {run: /bin/true}, a/b: {run: /bin/true}}")
        #expect(try check("--budget", "b.yml", "--reports", "r", "--quiet").status == 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "r").path)
        #expect(pages.sorted() == ["a-b-2.html", "a-b-2.json", "a-b.html", "a-b.json", "index.html"])
    }

    @Test func `checks that run at once keep what the others accept`() async throws {
        let directory = folder.url
        await withTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c", "d"] {
                group.addTask {
                    _ = try? Command.run(
                        Products.gameprof,
                        [
                            "check", "--quiet", "--baseline", "b.json", "--update-baseline", "--scenario", name,
                            "/bin/true",
                        ],
                        directory: directory)
                }
            }
        }
        let scenarios = try #require(json("b.json")["scenarios"] as? [String: Any])
        #expect(scenarios.keys.sorted() == ["a", "b", "c", "d"])
    }

    @Test func `a zombie fails a check that looks for zombies`() throws {
        try write("b.yml", "scenarios: {zombie: {run: [\(games), fault, zombie], zombies: 0, exit: any}}")
        let result = try check("--budget", "b.yml", "--json", "c.json")
        #expect(result.status == 1, "\(result.error)")
        #expect(result.error.contains("Zombie"), "\(result.error)")
    }

    @Test func `what cannot be used is refused in a sentence before any program runs`() throws {
        func expect(_ result: CommandResult, _ status: Int32, _ words: String) {
            #expect(result.status == status && result.output.isEmpty, "\(result.error)")
            #expect(result.error.contains(words) && result.error.split(separator: "\n").count == 1, "\(result.error)")
        }
        try write("bad.yml", "scenarios: {a: {run: \(games), leeks: 0}}")
        expect(try check("--budget", "bad.yml"), 2, "the key leeks is not known; did you mean leaks?")
        expect(try check("--budget", "none.yml"), 2, "none.yml: the file cannot be read")
        try write("b.yml", "scenarios: {a: {leaks: 0}, b: {leaks: 0}}")
        expect(try check("--budget", "b.yml"), 2, "names its program")
        expect(try check("--budget", "b.yml", games), 2, "choose by --scenario: a, b")
        expect(try check("--budget", "b.yml", "--scenario", "c", games), 2, "has no scenario c")
        expect(try check("--baseline", "none.json", games), 2, "with --update-baseline creates it")
        expect(try check("/nonexistent/game"), 3, "does not exist")
        try write("no.gptrace", "nothing")
        #expect(try check("no.gptrace").status == 2)
    }
}
