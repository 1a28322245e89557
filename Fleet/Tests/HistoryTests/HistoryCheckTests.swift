import HistoryModel
import Testing

struct HistoryCheckTests {
    private let check = HistoryCheck()

    private func past(_ count: Int, findings: [Run.Finding] = [], value: Double = 1_000) -> Timeline {
        Timeline((0..<count).map { .test($0, findings: findings, figures: [allocations(value)]) })
    }

    private func allocations(_ values: Double...) -> Run.Figure {
        Run.Figure(name: "allocations", unit: .count, values: values)
    }

    @Test("a new finding fails and names the runs without it")
    func newFinding() {
        let verdict = check.compare(.test(12, findings: [.test("A")]), with: past(12))
        #expect(verdict.failures == ["Leak: A is new: not in 12 runs since c0."])
    }

    @Test("a finding that the history has does not fail again, its evidence is given")
    func knownFinding() {
        let verdict = check.compare(.test(12, findings: [.test("A")]), with: past(12, findings: [.test("A")]))
        #expect(verdict.failures.isEmpty && verdict.findings == ["A": "since c0, 12 runs"])
    }

    @Test("more instances than ever fail")
    func increased() {
        let verdict = check.compare(
            .test(5, findings: [.test("A", count: 3)]), with: past(5, findings: [.test("A", count: 2)]))
        #expect(verdict.failures == ["Leak: A has increased: 3 instances, at most 2 in 5 runs since c0."])
    }

    @Test("a finding that returns fails")
    func returned() {
        let runs = [Run.test(0, findings: [.test("A")]), .test(1), .test(2)]
        let verdict = check.compare(.test(3, findings: [.test("A")]), with: Timeline(runs))
        #expect(verdict.failures == ["Leak: A has returned: resolved at c1, first seen at c0, last seen at c0."])
    }

    @Test("what was never searched for is not called new")
    func firstSearch() {
        let runs = (0..<4).map { Run.test($0, instruments: ["allocations"]) }
        let verdict = check.compare(.test(4, findings: [.test("A")]), with: Timeline(runs))
        #expect(verdict.failures.isEmpty && verdict.findings == ["A": "not looked for before"])
    }

    @Test("a known finding that is absent is reported as resolved")
    func resolved() {
        let verdict = check.compare(.test(5), with: past(5, findings: [.test("A")]))
        #expect(verdict.notes.contains("Leak: A is resolved: it was there since c0, 5 runs."))
    }

    @Test("an exact figure fails if it is one larger, and names since when it was the same")
    func exactFigure() {
        let run = Run.test(12, figures: [allocations(1_001)])
        #expect(
            check.compare(run, with: past(12)).failures
                == ["allocations is 1,001, before 1,000 (+0.1 %), the same in 12 runs since c0."])
        #expect(HistoryCheck(tolerance: 0.01).compare(run, with: past(12)).failures.isEmpty)
        #expect(check.compare(.test(12, figures: [allocations(999)]), with: past(12)).failures.isEmpty)
    }

    @Test("two values alone do not make a figure exact")
    func tooFewEqualRuns() {
        #expect(check.compare(.test(2, figures: [allocations(1_001)]), with: past(2)).failures.isEmpty)
    }

    @Test("a figure whose runs differ is not compared by equality")
    func scattering() {
        let runs = (0..<12).map { Run.test($0, figures: [allocations(1_000, 1_003)]) }
        #expect(check.compare(.test(12, figures: [allocations(1_004, 1_001)]), with: Timeline(runs)).failures.isEmpty)
    }

    private func times(_ levels: [Double], seed: UInt64 = 1, machine: String = "m") -> [Run] {
        var generator = SeededGenerator(seed: seed)
        return levels.enumerated().map { number, level in
            let values = (0..<3).map { _ in level * (1 + 0.01 * generator.normal()) * 1e6 }
            return .test(
                number, machine: machine, figures: [Run.Figure(name: "cpu", unit: .nanoseconds, values: values)])
        }
    }

    @Test("slower commits fail once, when four of them are there, and the first is named")
    func changePoint() throws {
        let runs = times([Double](repeating: 100, count: 25) + [Double](repeating: 108, count: 8))
        let failures = (20..<runs.count).map { check.compare(runs[$0], with: Timeline(Array(runs[..<$0]))).failures }
        let failing = failures.enumerated().filter { !$0.element.isEmpty }
        #expect(failing.count == 1)
        let (place, sentences) = try #require(failing.first)
        #expect((27...30).contains(place + 20))
        #expect(sentences.count == 1 && sentences[0].contains(", since c25, "))
    }

    @Test("one slow commit does not fail")
    func outlier() {
        let runs = times([Double](repeating: 100, count: 25) + [107] + [Double](repeating: 100, count: 6))
        for number in 20..<runs.count {
            #expect(check.compare(runs[number], with: Timeline(Array(runs[..<number]))).failures.isEmpty)
        }
    }

    @Test("one slow commit is no change of the figure, a lasting step is")
    func drawnChanges() {
        func changes(_ levels: [Double]) -> [Int] {
            FigureTrend(name: "cpu", unit: .nanoseconds, points: Timeline(times(levels)).points(of: "cpu")).changes
                .map(\.index)
        }
        let level = [Double](repeating: 100, count: 20)
        #expect(changes(level + [130] + level).isEmpty)
        #expect(changes(level + [130]).isEmpty)
        #expect(changes(level + [Double](repeating: 110, count: 20)) == [20])
    }

    @Test("a large step fails at once if the check repeated its runs")
    func largeStep() throws {
        let runs = times([Double](repeating: 100, count: 25) + [150])
        let failures = check.compare(runs[25], with: Timeline(Array(runs[..<25]))).failures
        #expect(failures.count == 1 && failures[0].hasPrefix("cpu is 0.15 s (+"))
    }

    @Test("times of another machine are not compared")
    func otherMachine() {
        let runs = times([Double](repeating: 100, count: 25), machine: "slow") + times([50], machine: "fast")
        #expect(check.compare(times([100], seed: 4, machine: "fast")[0], with: Timeline(runs)).failures.isEmpty)
    }

    @Test("an empty history fails nothing and is named")
    func empty() {
        let verdict = check.compare(.test(0, findings: [.test("A")]), with: Timeline([]))
        #expect(verdict.failures.isEmpty && verdict.notes == ["The history has no run of level to compare with."])
    }
}

struct InterleavedTests {
    private func scenario(_ name: String, _ values: [Double]) throws -> [ResultFile.Scenario] {
        try values.map { value in
            let json = """
                {"schema": "gameprof-check", "version": 1, "scenarios": [{"name": "\(name)", "outcome": "passed",
                "target": {"executable": "x", "wallSeconds": 1}, "instruments": ["time"], "findings": [],
                "figures": [{"measure": "cpu", "unit": "nanoseconds", "values": [\(value)]}]}]}
                """
            return try ResultFile(.init(json.utf8), name: "r").scenarios[0]
        }
    }

    @Test("runs made in turn show a difference of three per cent")
    func slower() throws {
        var generator = SeededGenerator(seed: 11)
        let before = (0..<15).map { _ in 1e6 * (1 + 0.01 * generator.normal()) }
        let after = (0..<15).map { _ in 1.03e6 * (1 + 0.01 * generator.normal()) }
        let rows = InterleavedComparison(before: try scenario("a", before), after: try scenario("a", after)).rows
        #expect(rows.map(\.verdict) == [.worse])
        #expect(
            InterleavedComparison(before: try scenario("a", before), after: try scenario("a", before)).rows[0].verdict
                == .noise)
    }

    @Test("three runs cannot show anything, and that is said")
    func fewRuns() throws {
        let rows = InterleavedComparison(before: try scenario("a", [1, 2, 3]), after: try scenario("a", [7, 8, 9])).rows
        #expect(rows.map(\.verdict) == [.tooFewRuns])
    }
}
