import GameprofBasics
import Testing

@testable import GameprofCheck
@testable import gameprof

@Suite struct BudgetTests {
    private func error(_ yaml: String) -> String {
        do {
            _ = try Budget.read(yaml: yaml, file: "b.yml")
            return "none"
        } catch { return "\(error)" }
    }

    private func limit(_ line: String) throws -> Budget.Limit {
        try #require(Budget.read(yaml: "scenarios:\n  a:\n    \(line)\n", file: "b.yml").scenarios[0].limits.only)
    }

    @Test func readsEveryKey() throws {
        let yaml = """
            version: 1
            tolerance: 5 %
            scenarios:
              play:
                run: [./game, play, "two words"]
                exit: 3
                leaks: 0
                zombies: 0
                growth: 1
                growth-per-repetition: 2.5
                reachable-cycles: 2
                allocations: 120_000
                live: 36
                peak: 4 MB
                temporary: 30 %
                types:
                  Game.Card: {allocations: 36, live: 2 KB, peak: 4 KB, temporary: 0, growth-per-repetition: 0}
                functions:
                  "Board.layout*": 20 %
                  main: {total: 100 %, self: 0.5 %}
                probes: {layout: {p95: 2 ms}}
                frames: {game: {max: 16 ms, allocations: 12}}
              menu: {exit: any}
            """
        let budget = try Budget.read(yaml: yaml, file: "b.yml")
        #expect(budget.tolerance == 0.05)
        #expect(budget.scenarios.map(\.name) == ["play", "menu"])
        let play = budget.scenarios[0]
        #expect(play.program == ["./game", "play", "two words"])
        #expect(play.exit == .code(3))
        #expect(budget.scenarios[1].exit == .any)
        let named = Dictionary(uniqueKeysWithValues: play.limits.map { ($0.measure.name, $0.most) })
        #expect(
            named == [
                "leaks": 0, "zombies": 0, "growth": 1, "growth-per-repetition": 2.5, "reachable-cycles": 2,
                "allocations": 120_000, "live": 36,
                "peak": 4_194_304, "temporary-share": 0.3, "types/Game.Card/allocations": 36,
                "types/Game.Card/live-bytes": 2_048, "types/Game.Card/peak": 4_096, "types/Game.Card/temporary": 0,
                "types/Game.Card/growth-per-repetition": 0,
                "functions/Board.layout*/total": 0.2, "functions/main/total": 1, "functions/main/self": 0.005,
                "probes/layout/p95": 2e6, "frames/game/max": 16e6, "frames/game/allocations": 12,
            ])
        #expect(play.instruments == [.allocations, .leaks, .zombies, .time])
        #expect(budget.scenarios[1].instruments == [.allocations, .leaks])
    }

    @Test("a limit of memory may name the types that it is for") func limitsByType() throws {
        let card = GlobPattern("Card")
        #expect(try limit("live: {Card: 40}").measure == .memory(.live, type: card))
        #expect(try limit("retained: {Card: 20 MB}").measure == .memory(.retained, type: card))
        #expect(try limit("types: {Card: {retained: 1 KB}}").measure == .memory(.retained, type: card))
        #expect(try limit("retained: 64 MB").measure.instrument == .heap)
        #expect(try limit("retained-growth: {Card: 0 B}").measure == .retainedGrowth(type: card))
        #expect(try limit("types: {Card: {retained-growth: 1 KB}}").measure == .retainedGrowth(type: card))
        #expect(try limit("retained-growth: 1 MB").measure.instrument == .heap)
        #expect(try limit("after-warning: 60%").measure == .afterWarning)
        #expect(try limit("frame-p99: 16.6ms").measure == .everyFrame(.p99))
        #expect(try limit("allocations-per-frame: 0").measure == .everyFrame(.allocations))
        #expect(error("scenarios:\n  a:\n    after-warning: {Card: 60%}\n").contains("after-warning limits all memory"))
        let holder = GlobPattern("Cache.entries")
        #expect(try limit("growth-of: {Cache.entries: 10}").measure == .kept(holder: holder, .count))
        #expect(try limit("growth-of: {Cache.entries: 1 MB}").measure == .kept(holder: holder, .bytes))
        #expect(try limit("growth-of: {Cache.entries: 10}").measure.instrument == .heap)
        #expect(error("scenarios:\n  a:\n    growth-of: 3\n").contains("growth-of must be a mapping from holders"))
        #expect(error("scenarios:\n  a:\n    retained-growth: 3\n").contains("retained-growth"))
        #expect(error("scenarios:\n  a:\n    live: {}\n").contains("there is no type with a limit of live"))
    }

    @Test func theUnitTellsBlocksFromBytes() throws {
        #expect(try limit("live: 36").measure == .memory(.live, type: nil))
        #expect(try limit("live: 36 B").measure == .memory(.liveBytes, type: nil))
        #expect(try limit("allocations: 1.5 KB").most == 1_536)
        #expect(try limit("peak: 0").measure == .memory(.peak, type: nil))
        #expect(try limit("leaks: 0").place == "b.yml:3:5")
    }

    @Test(arguments: [
        ("leeks: 0", "b.yml:3:5: the key leeks is not known; did you mean leaks? There are run, "),
        ("reapeat: 3", "b.yml:3:5: the key reapeat is not known; did you mean repeat?"),
        ("repeat: 0", "b.yml:3:13: repeat must be a number from 1 to 1000"),
        ("timeout: 0 s", "b.yml:3:14: timeout must be more than zero"),
        ("timeout: 30", "b.yml:3:14: timeout needs a time"),
        ("leaks: none", "b.yml:3:12: none is not a quantity"),
        ("leaks: -1", "b.yml:3:12: leaks cannot be negative"),
        ("leaks: 0.5", "b.yml:3:12: leaks must be a whole number"),
        ("leaks: 2 MB", "b.yml:3:12: leaks is not measured in MB"),
        ("leaks: [1]", "b.yml:3:12: leaks needs a whole number"),
        ("peak: 4", "b.yml:3:11: peak needs a size"),
        ("peak: 4 mb", "b.yml:3:11: the unit mb is not known; did you mean MB? peak needs"),
        ("peak: 2 ms", "b.yml:3:11: peak is not measured in ms"),
        ("peak: 1e400 MB", "b.yml:3:11: "),
        ("temporary: 120 %", "b.yml:3:16: temporary cannot be more than 100 %"),
        ("types: {Card: {life: 0}}", "b.yml:3:20: the key life is not known"),
        ("types: {Card: {}}", "b.yml:3:19: there is no limit for Card"),
        ("types: [Card]", "b.yml:3:12: types must be a mapping"),
        ("functions: {main: 12}", "b.yml:3:23: the share of a function needs a share"),
        ("probes: {a: {p95: 2 MB}}", "b.yml:3:23: p95 is not measured in MB"),
        ("probes: {a: {p90: 2 ms}}", "b.yml:3:18: the key p90 is not known"),
        ("growth-per-repetition: 2 KB", "b.yml:3:28: growth-per-repetition is not measured in KB"),
        ("growth-per-repetition: -1", "b.yml:3:28: growth-per-repetition cannot be negative"),
        ("leaks: 0x10", "b.yml:3:12: the unit x10 is not known"),
        ("leaks: ١", "b.yml:3:12: ١ is not a quantity"),
        ("leaks: 1__0 %", "b.yml:3:12: leaks is not measured in %"),
        ("leaks:", "b.yml:3:"),
        ("peak: 999999999999 GB", "b.yml:3:11: peak is larger than anything"),
        ("peak: NaN", "b.yml:3:11: NaN is not a quantity"),
        ("{}: 0", "b.yml:3:5: the key ? is not known"),
        ("exit: 256", "b.yml:3:11: exit must be a code from 0 to 255"),
        ("run: ./game > log", "b.yml:3:10: run does not use a shell"),
        ("run: []", "b.yml:3:10: run names no program"),
    ])
    func errorsSayWhere(line: String, sentence: String) {
        #expect(error("scenarios:\n  a:\n    \(line)\n").hasPrefix(sentence))
    }

    @Test func aBudgetThatIsNoneIsRefused() {
        #expect(error("").contains("empty"))
        #expect(error("hello").hasPrefix("b.yml:1:1: a budget must be a mapping"))
        #expect(error("scenarios: {}").hasPrefix("b.yml:1:12: there is no scenario"))
        #expect(error("version: 2\nscenarios: {a: {}}").hasPrefix("b.yml:1:10: version 2 is not known"))
        #expect(error("tolerance: 10 %").contains("the key scenarios is missing"))
        #expect(error("scenarios: [").hasPrefix("b.yml:"))
        #expect(error("scenarios: {a: {leaks: 0, leaks: 1}}") != "none")
        #expect(throws: YAMLFileError.self) { try Budget.read(path: "/nowhere/b.yml") }
    }
}
