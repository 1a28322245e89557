import Foundation
import GameprofBasics
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck

@Suite struct BudgetEvaluatorTests {
    private let plain = Budget.Scenario(name: "play")

    @Test func nothingFoundPasses() {
        let verdict = BudgetEvaluator(scenario: plain).judge(CheckFixture.report())
        #expect(verdict.outcome == .passed)
        #expect(verdict.limits.map(\.measure) == ["leaks"])
    }

    @Test func aLeakFailsWithoutABudgetToo() {
        let verdict = BudgetEvaluator(scenario: plain).judge(CheckFixture.report([CheckFixture.finding()]))
        #expect(verdict.outcome == .failed)
        #expect(verdict.failingFindings.map(\.status) == [.new])
    }

    @Test func whatTheBaselineHoldsDoesNotFail() {
        let report = CheckFixture.report([CheckFixture.finding()])
        let judge = BudgetEvaluator(scenario: plain, baseline: CheckFixture.baseline([CheckFixture.finding()]))
        let verdict = judge.judge(report)
        #expect(verdict.outcome == .passed)
        #expect(verdict.findings.map(\.status) == [.accepted])
    }

    @Test func anotherLeakBesideAnAcceptedOneFails() {
        let other = CheckFixture.finding(signature: "00000000000000b2")
        let judge = BudgetEvaluator(scenario: plain, baseline: CheckFixture.baseline([CheckFixture.finding()]))
        let verdict = judge.judge(CheckFixture.report([CheckFixture.finding(), other]))
        #expect(verdict.outcome == .failed)
        #expect(verdict.failingFindings.map(\.finding.signature) == [other.signature])
    }

    @Test func moreOfAnAcceptedLeakFailsBeyondTheTolerance() {
        let judge = BudgetEvaluator(scenario: plain, baseline: CheckFixture.baseline([CheckFixture.finding(count: 10)]))
        #expect(judge.judge(CheckFixture.report([CheckFixture.finding(count: 11)])).outcome == .passed)
        let verdict = judge.judge(CheckFixture.report([CheckFixture.finding(count: 12)]))
        #expect(verdict.outcome == .failed)
        #expect(verdict.limits.first { $0.measure == "leaks" }?.measured == 2)
    }

    /// Several processes of one run have a finding each; the baseline has one entry of them all.
    @Test func aDefectOfSeveralProcessesIsCountedTogether() {
        let both = CheckFixture.report([CheckFixture.finding(count: 30), CheckFixture.finding(count: 3)])
        var judge = BudgetEvaluator(scenario: plain)
        let accepted = judge.accepting(both)
        #expect(accepted.findings.map(\.count) == [33])
        judge.baseline = accepted
        #expect(judge.judge(both).outcome == .passed)
        let more = CheckFixture.report([CheckFixture.finding(count: 30), CheckFixture.finding(count: 13)])
        let verdict = judge.judge(more)
        #expect(verdict.outcome == .failed)
        #expect(verdict.limits.first { $0.measure == "leaks" }?.measured == 10)
    }

    /// What it exits with when its dead are kept counts too.
    @Test func everyRecordingHasToEndAsItShould() throws {
        let judge = BudgetEvaluator(scenario: try CheckFixture.scenario("exit: 3"))
        func recording(_ exit: Report.Exit, _ instruments: Instrument...) -> Report {
            var report = CheckFixture.report(instruments: instruments)
            report.target.exit = exit
            return report
        }
        let whole = recording(.init(code: 3), .allocations, .leaks)
        #expect(judge.judge(whole, beside: [recording(.init(code: 3), .zombies)]).outcome == .passed)
        #expect(judge.judge(whole, beside: [recording(.init(code: 0), .zombies)]).outcome == .failed)
        #expect(judge.judge(whole, beside: [recording(.init(signal: 9), .zombies)]).outcome == .incomplete)
        let other = recording(.init(code: 0), .allocations, .leaks)
        #expect(judge.judge(other, beside: [recording(.init(code: 3), .zombies)]).outcome == .failed)
    }

    @Test func countsBeyondAllNumbersAreNoReasonToFall() {
        let most = CheckFixture.finding(count: .max)
        var report = CheckFixture.report([most, CheckFixture.finding(signature: "00000000000000b2", count: .max)])
        report.capture.dropped = .max
        let judge = BudgetEvaluator(scenario: plain, baseline: CheckFixture.baseline([CheckFixture.finding(count: 1)]))
        let verdict = judge.judge(report, beside: [report])
        #expect(verdict.outcome == .failed)
        #expect(judge.accepting(report, beside: [report]).findings.map(\.count) == [.max, .max])
    }

    @Test func aBudgetAllowsSoManyLeaks() throws {
        let judge = BudgetEvaluator(scenario: try CheckFixture.scenario("leaks: 3"))
        #expect(judge.judge(CheckFixture.report([CheckFixture.finding(count: 3)])).outcome == .passed)
        #expect(judge.judge(CheckFixture.report([CheckFixture.finding(count: 4)])).outcome == .failed)
    }

    @Test func warningsFailOnlyWhereTheBudgetNamesThem() throws {
        let report = CheckFixture.report([CheckFixture.finding(.growth, severity: .warning)])
        #expect(BudgetEvaluator(scenario: plain).judge(report).outcome == .passed)
        #expect(BudgetEvaluator(scenario: try CheckFixture.scenario("growth: 0")).judge(report).outcome == .failed)
    }

    @Test("a warning of a family that must be without errors fails only where the budget names its key")
    func warningOfALeak() throws {
        let report = CheckFixture.report([CheckFixture.finding(severity: .warning)])
        #expect(BudgetEvaluator(scenario: plain).judge(report).outcome == .passed)
        #expect(BudgetEvaluator(scenario: try CheckFixture.scenario("leaks: 0")).judge(report).outcome == .failed)
        let both = CheckFixture.report([
            CheckFixture.finding(severity: .warning), CheckFixture.finding(.retainCycle, signature: "other"),
        ])
        let verdict = BudgetEvaluator(scenario: plain).judge(both)
        #expect(verdict.outcome == .failed && verdict.findings.filter(\.fails).map(\.finding.signature) == ["other"])
    }

    @Test func notesNeverFail() {
        let report = CheckFixture.report([CheckFixture.finding(severity: .note)])
        #expect(BudgetEvaluator(scenario: plain).judge(report).outcome == .passed)
    }

    @Test(arguments: [
        ("allocations: 1000", true), ("allocations: 999", false), ("allocations: 64000 B", true),
        ("allocations: 62 KB", false), ("live: 40", true), ("live: 39", false), ("peak: 32 KB", true),
        ("peak: 31 KB", false), ("temporary: 25 %", true), ("temporary: 24 %", false), ("temporary: 249", false),
        ("types: {Game.Card: {live: 36}}", true), ("types: {Card: {live: 35}}", false),
        ("types: {\"*\": {live: 36}}", false), ("types: {Card: {live: 1728 B}}", true),
        ("types: {Nothing: {allocations: 0}}", true),
    ])
    func memoryIsHeldAgainstItsLimit(line: String, passes: Bool) throws {
        let verdict = BudgetEvaluator(scenario: try CheckFixture.scenario(line)).judge(CheckFixture.report())
        #expect(verdict.outcome == (passes ? .passed : .failed), "\(verdict.limits.map(\.message))")
    }

    @Test(
        "retained bytes are held against the limit of their type",
        arguments: [
            ("retained: {ImageCache: 20 KB}", true), ("retained: {Game.ImageCache: 19 KB}", false),
            ("retained: 40 KB", true), ("retained: 39 KB", false), ("retained: {\"*Cache\": 19 KB}", false),
        ])
    func retainedBytes(line: String, passes: Bool) throws {
        var report = CheckFixture.report(instruments: [.allocations, .leaks, .heap])
        report.liveHeap = Report.LiveHeap(snapshot: 1, name: "exit", objects: 2, bytes: 40 << 10)
        report.liveHeap?.types = [
            Report.LiveHeap.TypeRow(type: "Game.ImageCache", count: 1, shallowBytes: 48, retainedBytes: 20 << 10)
        ]
        let verdict = BudgetEvaluator(scenario: try CheckFixture.scenario(line)).judge(report)
        #expect(verdict.outcome == (passes ? .passed : .failed), "\(verdict.limits.map(\.message))")
    }

    @Test("a limit of retained bytes is not measured without the graph of the heap") func retainedUnknown() throws {
        let scenario = try CheckFixture.scenario("retained: {ImageCache: 20 KB}")
        #expect(BudgetEvaluator(scenario: scenario).judge(CheckFixture.report()).outcome == .incomplete)
    }

    @Test(
        "what a type retains more than at the first heap of the run is held against its limit",
        arguments: [
            ("retained-growth: {ImageCache: 12 KB}", true), ("retained-growth: {ImageCache: 11 KB}", false),
            ("types: {Game.ImageCache: {retained-growth: 11 KB}}", false), ("retained-growth: {Deck: 0 B}", true),
            ("retained-growth: {Late: 3 KB}", false), ("retained-growth: {Late: 4 KB}", true),
            ("retained-growth: 10 KB", true), ("retained-growth: 9 KB", false),
        ])
    func retainedGrowth(line: String, passes: Bool) throws {
        var report = CheckFixture.report(instruments: [.allocations, .leaks, .heap])
        report.liveHeap = Report.LiveHeap(snapshot: 3, name: "exit", objects: 9, bytes: 40 << 10)
        let sizes: [(String, UInt64, UInt64?)] = [("ImageCache", 20, 8), ("Deck", 2, 6), ("Late", 4, nil)]
        report.liveHeap?.types = sizes.map {
            var row = Report.LiveHeap.TypeRow(
                type: "Game.\($0.0)", count: 1, shallowBytes: 48, retainedBytes: $0.1 << 10)
            row.firstRetainedBytes = $0.2.map { $0 << 10 }
            return row
        }
        let judge = BudgetEvaluator(scenario: try CheckFixture.scenario(line))
        // One heap shows no growth.
        #expect(judge.judge(report).outcome == .incomplete)
        report.liveHeap?.first = Report.LiveHeap.First(snapshot: 1, name: "game", objects: 5, bytes: 30 << 10)
        let verdict = judge.judge(report)
        #expect(verdict.outcome == (passes ? .passed : .failed), "\(verdict.limits.map(\.message))")
    }

    @Test(
        "what a holder keeps of what grew is held against its limit",
        arguments: [
            ("growth-of: {ThumbnailCache.entries: 900}", true), ("growth-of: {ThumbnailCache.entries: 899}", false),
            ("growth-of: {Game.ThumbnailCache.entries: 899}", false), ("growth-of: {Thumbnail: 899}", false),
            ("growth-of: {ThumbnailCache.entries: 4 MB}", true), ("growth-of: {ThumbnailCache: 3 MB}", false),
            ("growth-of: {Board.cards: 0}", true),
        ])
    func growthOf(line: String, passes: Bool) throws {
        var report = CheckFixture.report(instruments: [.allocations, .leaks, .heap])
        report.grew = [
            Report.Grown(
                holder: "Game.ThumbnailCache", field: "entries", type: "Game.Thumbnail", kept: 900, bytes: 4 << 20)
        ]
        let judge = BudgetEvaluator(scenario: try CheckFixture.scenario(line))
        let verdict = judge.judge(report)
        #expect(verdict.outcome == (passes ? .passed : .failed), "\(verdict.limits.map(\.message))")
        report.grew = nil
        #expect(judge.judge(report).outcome == .passed, "what did not grow keeps every limit")
        report.grew = [Report.Grown(type: "Game.Other")]
        report.grewOmitted = 1
        #expect(judge.judge(report).outcome == .incomplete, "it may be among those that are left out")
    }

    @Test(
        "a holder that the program does not have keeps no limit",
        arguments: [("Nope.items", false), ("Cache.items", true), ("Game.Cache", true), ("items", true)])
    func unknownHolder(holder: String, passes: Bool) throws {
        let report = CheckFixture.report(instruments: [.allocations, .leaks, .heap])
        let scenario = try CheckFixture.scenario("growth-of: {\(holder): 5}")
        let verdict = BudgetEvaluator(scenario: scenario) { ["Cache", "Game.Cache"].contains($0) }.judge(report)
        #expect(verdict.outcome == (passes ? .passed : .incomplete), "\(verdict.limits.map(\.message))")
    }

    @Test func aShareIsHeldAgainstTheLargestOfItsFunctions() throws {
        var report = CheckFixture.report(instruments: [.time])
        report.heap = nil
        report.allocations = nil
        report.hotspots = HotspotsFixture.withShares(["Board.layout()": (0.25, 0.5), "main": (0, 1)])
        func outcome(_ line: String) throws -> CheckResult.Outcome {
            BudgetEvaluator(scenario: try CheckFixture.scenario(line)).judge(report).outcome
        }
        #expect(try outcome("functions: {\"Board.*\": 50 %}") == .passed)
        #expect(try outcome("functions: {\"Board.*\": 49 %}") == .failed)
        #expect(try outcome("functions: {\"*\": {self: 25 %}}") == .passed)
        #expect(try outcome("functions: {Gone: 0 %}") == .passed)
    }

    @Test func probesAndFramesAreHeldAgainstTheirLimits() throws {
        var report = CheckFixture.report()
        let durations = Durations(count: 10, p95: 2_000_000, p99: 8_000_000, max: 9_000_000)
        report.probes = [Report.Probe(name: "layout", durations: durations, allocations: 50)]
        report.frames = [Report.FrameLoop(name: "game", durations: durations, allocations: 125, slowest: [])]
        report.frames?[0].usualAllocations = 12
        func outcome(_ line: String) throws -> CheckResult.Outcome {
            BudgetEvaluator(scenario: try CheckFixture.scenario(line)).judge(report).outcome
        }
        #expect(try outcome("probes: {layout: {p95: 2 ms, allocations: 5}}") == .passed)
        #expect(try outcome("probes: {layout: {p95: 1.9 ms}}") == .failed)
        #expect(try outcome("frames: {game: {allocations: 12}}") == .failed)
        #expect(try outcome("frames: {game: {allocations: 13, max: 9 ms}}") == .passed)
        #expect(try outcome("frame-p99: 16.6ms") == .passed)
        #expect(try outcome("frame-p99: 7 ms") == .failed)
        #expect(try outcome("allocations-per-frame: 11") == .failed)
        #expect(try outcome("allocations-per-frame: 12") == .passed)
        #expect(try outcome("probes: {gone: {p95: 1 s}}") == .incomplete)
    }

    @Test("a limit of a probe says what the recording lacks: the probe, all probes, or the instrument")
    func limitsOfProbesThatAreNotThere() throws {
        func message(_ line: String, of report: Report) throws -> String? {
            let verdict = BudgetEvaluator(scenario: try CheckFixture.scenario(line)).judge(report)
            return verdict.limits.first { $0.status == .unmeasured }?.message
        }
        var report = CheckFixture.report()
        let layout = "probes: {layout: {p95: 1 s}}"
        #expect(
            try message(layout, of: report) == "probes/layout/p95 was not measured: the recording has no probes.")
        #expect(
            try message("frames: {game: {p95: 1 s}}", of: report)
                == "frames/game/p95 was not measured: the recording has no probes.")
        report.probes = [Report.Probe(name: "deal", durations: Durations(count: 1), allocations: 0)]
        #expect(try message(layout, of: report)?.contains("the program has no probe layout") == true)
        report.capture.instruments = [.leaks]
        #expect(
            try message(layout, of: report)
                == "probes/layout/p95 was not measured: the recording lacks allocations.")
    }

    @Test func whatWasNotRecordedIsNoPass() throws {
        let verdict = BudgetEvaluator(scenario: try CheckFixture.scenario("zombies: 0")).judge(CheckFixture.report())
        #expect(verdict.outcome == .incomplete)
        #expect(verdict.limits.first { $0.measure == "zombies" }?.status == .unmeasured)
    }

    @Test func aRecordingThatIsCutOffIsNoPass() {
        var report = CheckFixture.report()
        report.capture.truncated = true
        #expect(BudgetEvaluator(scenario: plain).judge(report).outcome == .incomplete)
        report = CheckFixture.report()
        report.heap = nil
        #expect(BudgetEvaluator(scenario: plain).judge(report).outcome == .incomplete)
    }

    @Test func anUnexpectedEndFails() throws {
        var report = CheckFixture.report()
        report.target.exit = Report.Exit(code: 3)
        #expect(BudgetEvaluator(scenario: plain).judge(report).outcome == .failed)
        #expect(BudgetEvaluator(scenario: try CheckFixture.scenario("exit: 3")).judge(report).outcome == .passed)
        #expect(BudgetEvaluator(scenario: try CheckFixture.scenario("exit: any")).judge(report).outcome == .passed)
    }

    @Test("what a signal left out was not measured, unless it is beyond its limit already")
    func signal() throws {
        var report = CheckFixture.report()
        report.target.exit = Report.Exit(signal: 11)
        report.capture.truncated = true
        let verdict = BudgetEvaluator(scenario: plain).judge(report)
        #expect(verdict.outcome == .incomplete)
        #expect(verdict.problems == ["The program was ended by signal 11."])
        #expect(verdict.limits.allSatisfy { $0.status == .unmeasured })
        let text = CheckText.render(CheckResult(scenarios: [verdict]))
        #expect(text.contains("not measured") && !text.contains("✓"))
        let xml = JUnitReport.render(CheckResult(scenarios: [verdict]), timestamp: "", host: "")
        #expect(!xml.contains("time=\"0\"/>"))
        let few = BudgetEvaluator(scenario: try CheckFixture.scenario("allocations: 1")).judge(report)
        #expect(few.outcome == .failed)
        let any = BudgetEvaluator(scenario: try CheckFixture.scenario("exit: any")).judge(report)
        #expect(any.outcome == .passed)
    }

    @Test("leaks that were not searched for are no passing test")
    func noHeap() {
        var report = CheckFixture.report()
        report.heap = nil
        let verdict = BudgetEvaluator(scenario: plain).judge(report)
        #expect(verdict.limits.first { $0.measure == "leaks" }?.status == .unmeasured)
    }

    @Test func aMeasureBeyondItsLimitIsAcceptedByTheBaseline() throws {
        let scenario = try CheckFixture.scenario("allocations: 500")
        func outcome(_ accepted: Double) -> CheckResult.Outcome {
            BudgetEvaluator(scenario: scenario, baseline: CheckFixture.baseline(measures: ["allocations": accepted]))
                .judge(CheckFixture.report()).outcome
        }
        #expect(outcome(950) == .passed)
        #expect(outcome(900) == .failed)
    }

    @Test func aTotalThatGrewBeyondTheBaselineFails() {
        func outcome(_ accepted: Double) -> CheckResult.Outcome {
            BudgetEvaluator(scenario: plain, baseline: CheckFixture.baseline(measures: ["allocations": accepted]))
                .judge(CheckFixture.report()).outcome
        }
        #expect(outcome(990) == .passed)
        #expect(outcome(800) == .failed)
    }

    @Test func whatIsResolvedIsListedUnlessItWasNotMeasured() {
        let judge = BudgetEvaluator(scenario: plain, baseline: CheckFixture.baseline([CheckFixture.finding()]))
        #expect(judge.judge(CheckFixture.report()).resolved.count == 1)
        #expect(judge.judge(CheckFixture.report(instruments: [.allocations])).resolved.isEmpty)
    }

    @Test func anUpdateMakesTheRunPassAndChangesNothingTheSecondTime() throws {
        let scenario = try CheckFixture.scenario("allocations: 10", "live: 1 MB")
        let report = CheckFixture.report([CheckFixture.finding(), CheckFixture.finding(.zombie, severity: .note)])
        var judge = BudgetEvaluator(scenario: scenario)
        judge.baseline = judge.accepting(report)
        #expect(judge.baseline?.findings.count == 1)
        #expect(judge.baseline?.measures == ["allocations": 1_000, "peak": 32_768])
        #expect(judge.judge(report).outcome == .passed)
        var later = report
        later.allocations?.totals.peakBytes = 33_000
        #expect(judge.accepting(later) == judge.baseline)
        later.allocations?.totals.peakBytes = 60_000
        #expect(judge.accepting(later).measures["peak"] == 60_000)
    }

    @Test func `a baseline holds the totals of a budget with limits, and more fails within the limit`() throws {
        let scenario = try CheckFixture.scenario("allocations: 120_000", "peak: 64 MB")
        var judge = BudgetEvaluator(scenario: scenario)
        var report = CheckFixture.report()
        judge.baseline = judge.accepting(report)
        #expect(judge.baseline?.measures == ["allocations": 1_000, "peak": 32_768])
        #expect(judge.judge(report).outcome == .passed)
        report.allocations?.totals.allocations = 119_000
        let verdict = judge.judge(report)
        #expect(verdict.outcome == .failed)
        #expect(
            verdict.limits.contains {
                $0.message == "allocations is 119,000, and the limit is 120,000, but the baseline accepts 1,000 only."
            })
        judge.baseline = nil
        #expect(judge.judge(report).outcome == .passed)
    }

    @Test func anUpdateRemovesWhatIsResolved() {
        let judge = BudgetEvaluator(scenario: plain, baseline: CheckFixture.baseline([CheckFixture.finding()]))
        #expect(judge.accepting(CheckFixture.report()).findings.isEmpty)
    }
}

@Suite struct BaselineFileTests {
    @Test func isSortedAndComesBackAsItWas() throws {
        var baseline = Baseline()
        let findings = ["c3", "a1", "b2"].map { CheckFixture.finding(signature: $0) }
        baseline.scenarios["play"] = CheckFixture.baseline(findings, measures: ["peak": 3, "allocations": 1])
        let text = try baseline.render()
        let read = try Baseline.read(json: Data(text.utf8), file: "b.json")
        #expect(read.scenarios["play"]?.findings.map(\.signature) == ["a1", "b2", "c3"])
        #expect(try read.render() == text)
    }

    private static func scenario(_ body: String) -> String {
        "{\"schema\": \"gameprof-baseline\", \"version\": 1, \"scenarios\": {\"s\": {\(body)}}}"
    }

    private static func entry(_ count: Int) -> String {
        "{\"kind\": \"leak\", \"title\": \"t\", \"signature\": \"00\", \"count\": \(count)}"
    }

    @Test(arguments: [
        ("", "b.json is not a baseline: it is not JSON."),
        ("{\"version\": 1}", "b.json is not a baseline: the key schema is missing."),
        ("{\"schema\": \"gameprof-baseline\", \"version\": 2, \"scenarios\": {}}", "b.json has version 2"),
        (
            scenario("\"findings\": [\(entry(-1))], \"measures\": {}"),
            "b.json is not a baseline: a count in s is negative."
        ),
        (
            scenario("\"findings\": [], \"measures\": {\"peak\": -1}"),
            "b.json is not a baseline: peak in s is not a measure."
        ),
        (
            scenario("\"findings\": [], \"measures\": {\"peak\": 1e300}"),
            "b.json is not a baseline: peak in s is not a measure."
        ),
        ("{\"schema\": \"x\\u001b\", \"version\": 1, \"scenarios\": {}}", "b.json is not a baseline but x\\u{1B}."),
    ])
    func whatIsNoBaselineIsRefused(json: String, sentence: String) {
        do {
            _ = try Baseline.read(json: Data(json.utf8), file: "b.json")
            Issue.record("it was read")
        } catch { #expect("\(error)".hasPrefix(sentence), "\(error)") }
    }
}

/// Profiles of a few functions.
enum HotspotsFixture {
    /// Function → share of itself and in all.
    static func withShares(_ shares: [String: (own: Double, total: Double)]) -> Report.Hotspots {
        var hotspots = Report.Hotspots()
        hotspots.functions = shares.map { .init(function: $0.key, own: $0.value.own, total: $0.value.total) }
        return hotspots
    }
}
