import GameprofBasics
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck

@Suite struct RepeatedRunsTests {
    private func judge(_ runs: [Report], _ lines: String..., baseline: Baseline.Scenario? = nil) throws
        -> CheckResult.Scenario
    {
        var scenario = Budget.Scenario(name: "play")
        scenario.limits = try lines.flatMap { try CheckFixture.scenario($0).limits }
        return BudgetEvaluator(scenario: scenario, baseline: baseline).judge(runs: runs.map { [$0] })
    }

    private func reports(_ count: Int, with finding: Finding, in runs: Int) -> [Report] {
        (0..<count).map { CheckFixture.report($0 < runs ? [finding] : []) }
    }

    @Test("a leak that occurs in some of the runs fails, and is listed with its frequency in every output")
    func flakyLeak() throws {
        let verdict = try judge(reports(5, with: CheckFixture.finding(), in: 3))
        #expect(verdict.outcome == .failed && verdict.runs == 5)
        #expect(verdict.failingFindings.map(\.seenIn) == [3])
        let result = CheckResult(scenarios: [verdict])
        let words = "flaky: seen in 3 of 5 runs"
        #expect(CheckText.render(result).contains(words))
        #expect(MarkdownSummary.render(result).contains("seen in 3 of 5 runs"))
        #expect(JUnitReport.render(result, timestamp: "", host: "").contains(words))
        #expect(result.diagnoses.contains { $0.message.contains(words) && $0.properties["seenIn"] == "3 of 5" })
        let steady = try judge(reports(5, with: CheckFixture.finding(), in: 5))
        #expect(!CheckText.render(CheckResult(scenarios: [steady])).contains("flaky"))
    }

    @Test("a warning fails that counts in more than half of the runs", arguments: [(2, false), (3, true)])
    func flakyWarning(runs: Int, fails: Bool) throws {
        let growth = CheckFixture.finding(.growth, severity: .warning)
        let verdict = try judge(reports(5, with: growth, in: runs), "growth: 0")
        #expect(verdict.outcome == (fails ? .failed : .passed))
        #expect(verdict.findings.map(\.fails) == [fails] && verdict.findings[0].seenIn == runs)
    }

    @Test("of other measures the median is evaluated, and the values of all runs are listed")
    func median() throws {
        func verdict(_ allocations: [UInt64]) throws -> CheckResult.Scenario {
            try judge(
                allocations.map { count in
                    var report = CheckFixture.report()
                    report.allocations?.totals.allocations = count
                    return report
                }, "allocations: 1000")
        }
        let one = try verdict([900, 5_000, 1_000])
        #expect(one.outcome == .passed && one.limits[0].measured == 1_000)
        #expect(one.limits[0].measuredEach == [900, 5_000, 1_000])
        #expect(try verdict([900, 5_000, 1_001]).outcome == .failed)
        #expect(try verdict([900, 1_001]).outcome == .failed)
    }

    @Test("a run that ends otherwise, or is incomplete, is not made good by the others")
    func endings() throws {
        var crashed = CheckFixture.report()
        crashed.target.exit = Report.Exit(code: 3)
        let wrong = try judge([CheckFixture.report(), crashed])
        #expect(wrong.outcome == .failed)
        #expect(wrong.problems == ["Run 2: The program exited with code 3, but 0 was expected."])
        var cut = CheckFixture.report()
        cut.capture.truncated = true
        #expect(try judge([CheckFixture.report(), cut]).outcome == .incomplete)
    }

    @Test("an update accepts what any run showed")
    func update() throws {
        let reports = reports(3, with: CheckFixture.finding(count: 4), in: 1)
        let judge = BudgetEvaluator(scenario: Budget.Scenario(name: "play"))
        let accepted = judge.accepting(runs: reports.map { [$0] })
        #expect(accepted.findings.map(\.count) == [4])
        #expect(try self.judge(reports, baseline: accepted).outcome == .passed)
        let verdict = try self.judge(reports, baseline: accepted)
        let sentences = BaselineChangeText.sentences(nil, accepted, verdict: verdict)
        #expect(sentences.contains("play, the baseline: accepts 4 × Retain cycle: Board ⇄ Card [00000000]."))
        #expect(sentences.contains { $0.contains("accepts peak of 32 KB") }, "\(sentences)")
        let same = BaselineChangeText.sentences(accepted, accepted, verdict: verdict)
        #expect(same == ["play, the baseline: nothing changes."])
    }

    @Test("an update says what a baseline cannot accept")
    func notAccepted() throws {
        var report = CheckFixture.report(instruments: [.allocations, .leaks, .time])
        report.hotspots = HotspotsFixture.withShares(["main": (0, 1)])
        let scenario = try CheckFixture.scenario("functions: {main: 50 %}")
        var judge = BudgetEvaluator(scenario: scenario)
        judge.baseline = judge.accepting(runs: [[report]])
        let verdict = judge.judge(runs: [[report]])
        let sentences = BaselineChangeText.sentences(nil, try #require(judge.baseline), verdict: verdict)
        #expect(sentences.contains { $0.hasPrefix("play, not accepted by a baseline: functions/main/total is 100") })
    }

    @Test("a type that no part of the program is called after is not measured, and the nearest is named")
    func misspeltType() throws {
        func verdict(_ known: Bool?, _ type: String) throws -> CheckResult.Scenario {
            let scenario = try CheckFixture.scenario("types: {\(type): {live: 0}}")
            return BudgetEvaluator(scenario: scenario, knowsType: { _ in known }).judge(CheckFixture.report())
        }
        for known in [false, nil] as [Bool?] {
            let verdict = try verdict(known, "Game.Crad")
            #expect(verdict.outcome == .incomplete)
            #expect(
                verdict.limits[0].message
                    == "types/Game.Crad/live was not measured: no type of the program matches Game.Crad; "
                    + "did you mean Game.Card?")
        }
        #expect(try verdict(true, "Game.Crad").outcome == .passed)
        #expect(try verdict(false, "Other").outcome == .incomplete)
        #expect(try verdict(nil, "Other").outcome == .passed)
    }
}

@Suite struct ResultMergeTests {
    private func part(_ index: Int, of count: Int, _ names: String...) -> CheckResult {
        let scenarios = names.map { name in
            CheckResult.Scenario.unrecorded(name, program: ["a"], at: "b.yml:\(name.count):3", because: "x")
        }
        return CheckResult(scenarios: scenarios, shard: .init(index: index, count: count))
    }

    private func error(_ parts: CheckResult...) -> String {
        do {
            return "joined: \(try CheckResult(merging: parts).scenarios.count)"
        } catch {
            return "\(error)"
        }
    }

    @Test("results join to the same in any order, in the order of the budget")
    func order() throws {
        let (one, two) = (part(1, of: 2, "a", "ccc"), part(2, of: 2, "bb"))
        let joined = try CheckResult(merging: [two, one])
        #expect(joined.scenarios.map(\.name) == ["a", "bb", "ccc"] && joined.shard == nil)
        #expect(joined.outcome == .incomplete)
        #expect(try CheckResult(merging: [one, two]) == joined)
    }

    @Test("a part that is missing, or a scenario that is there twice, is an error")
    func refusals() {
        #expect(error(part(1, of: 3, "a"), part(3, of: 3, "b")) == "The result of the part 2/3 is missing.")
        #expect(error(part(1, of: 2, "a"), part(2, of: 2, "a")) == "The scenario a stands in two of the results.")
        #expect(error(part(1, of: 2, "a"), part(1, of: 1, "b")).contains("another number of parts"))
    }

    @Test("every scenario is in one part", arguments: 1...4)
    func parts(count: Int) {
        let all = Array(0..<7)
        let parts = (1...count).compactMap { CheckResult.Shard(index: $0, count: count)?.part(of: all) }
        #expect(parts.joined().sorted() == all)
        #expect(CheckResult.Shard(text: "0/3") == nil && CheckResult.Shard(text: "4/3") == nil)
        #expect(CheckResult.Shard(text: "3/3")?.index == 3 && CheckResult.Shard(text: "3") == nil)
    }
}

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("leeks", "leaks"), ("mb", "MB"), ("Game.Crad", "Game.Card"), ("peek", "peak"), ("xyz", nil), ("l", nil),
    ])
    func isTheOneThatWasMeant(name: String, near: String?) {
        #expect(NearestName.of(name, among: ["leaks", "MB", "KB", "Game.Card", "Game.Board", "peak"]) == near)
    }
}
