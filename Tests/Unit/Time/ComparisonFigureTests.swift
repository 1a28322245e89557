import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct ComparisonFigureTests {
    private static func rows(_ before: [Finding], _ after: [Finding]) -> [ComparisonReport.FindingRow]? {
        [ComparisonReport.FindingRow](before: CheckFixture.report(before), after: CheckFixture.report(after))
    }

    @Test("leaks are new, gone, more or fewer, in this order; warnings stand behind them")
    func leaks() throws {
        let old = [
            CheckFixture.finding(signature: "gone"), CheckFixture.finding(signature: "same"),
            CheckFixture.finding(signature: "more", count: 2), CheckFixture.finding(signature: "fewer", count: 3),
            CheckFixture.finding(.growth, signature: "warning", severity: .warning),
        ]
        let new = [
            CheckFixture.finding(signature: "fewer"), CheckFixture.finding(signature: "more", count: 5),
            CheckFixture.finding(signature: "same"), CheckFixture.finding(signature: "new"),
        ]
        let rows = try #require(Self.rows(old, new))
        #expect(rows.map(\.signature) == ["new", "more", "fewer", "same", "gone", "warning"])
        #expect(rows[1].count == .init(before: 2, after: 5))
        var report = ComparisonReport(before: "a", after: "b")
        report.leaks = rows
        let text = ComparisonText.render(report)
        #expect(text.contains("1 new, 1 gone, 3 in both") && text.contains("2 → 5") && !text.contains("[same]"))
        #expect(text.contains("Warnings: 0 new, 1 gone, 0 in both"))
    }

    @Test("warnings that are gone are good, and new ones are warnings, also where nothing is lost")
    func warningsAlone() throws {
        let cycle = [CheckFixture.finding(.reachableCycle, count: 9, severity: .warning)]
        var report = ComparisonReport(before: "a", after: "b")
        report.leaks = Self.rows(cycle, [])
        let better = try ComparisonPage.render(report)
        #expect(better.contains("1 warning gone") && !better.contains("Neither recording has any"))
        report.leaks = Self.rows([], cycle)
        #expect(try ComparisonPage.render(report).contains("1 new or larger warning"))
        #expect(ComparisonText.render(report).contains("Leaks and zombies: 0 new, 0 gone, 0 in both"))
    }

    @Test("leaks that one of the two did not look for are not compared")
    func notSearched() {
        var other = CheckFixture.report()
        other.heap = nil
        #expect([ComparisonReport.FindingRow](before: CheckFixture.report(), after: other) == nil)
    }

    @Test("types of the text are written as sources write them, those of the JSON with their modules")
    func typeNames() throws {
        var report = ComparisonReport(before: "a", after: "b")
        report.types = ["Swift._ContiguousArrayStorage<Game.Card>", "Game.Board", "Other.Board"].enumerated().map {
            var row = ComparisonReport.TypeRow(type: $0.element)
            row.after.allocations = 1
            row.after.bytes = UInt64(100 - $0.offset)
            return row
        }
        let text = ComparisonText.render(report)
        #expect(text.contains("  [Card] ") && !text.contains("_ContiguousArrayStorage"))
        #expect(text.contains("  Game.Board ") && text.contains("  Other.Board "))
        #expect(try JSONReport.encode(report).contains("Swift._ContiguousArrayStorage<Game.Card>"))
    }

    @Test("a difference that chance explains is noise, a larger one is not")
    func sampleNoise() throws {
        func change(_ before: Int, _ after: Int) -> ComparisonReport.Function? {
            func profile(_ count: Int) -> Profile {
                let time = TimeFixture()
                time.sample("main", "deal", count: count)
                return time.profile()
            }
            return ComparisonReport.Weights(before: profile(before), after: profile(after), limit: 10).functions
                .first { $0.name == "deal" }
        }
        // Two standard deviations of 210 samples are 29.
        #expect(change(100, 110)?.isNoise == true)
        #expect(change(100, 140)?.isNoise == false)
        #expect(change(100, 100) == nil, "what did not change is no row")
    }

    @Test func `frames over the budget and percentiles are compared, and chance is noise`() throws {
        func summary(slow: Int, work: UInt64) -> ProbeSummary {
            var summary = ProbeSummary()
            let frames = (0..<200).map { number in
                ProbeSummary.FrameFigures(
                    start: UInt64(number) * 16_666_666, length: 16_666_666, work: number < slow ? 30_000_000 : work)
            }
            var histogram = DurationHistogram()
            for frame in frames { histogram.add(frame.work) }
            let shares = histogram.percentiles([0.5, 0.95, 0.99])
            summary.frames = [
                ProbeSummary.Frames(
                    name: "frame",
                    durations: Durations(
                        count: 200, p50: shares[0], p95: shares[1], p99: shares[2], max: histogram.maximum),
                    usual: [:], usualRest: 0, usualAllocations: 7, allocations: 0, bytes: 0, slowest: [], all: frames)
            ]
            return summary
        }
        let before = summary(slow: 4, work: 5_000_000)
        let same = try #require(
            ComparisonReport.frames(before: before, after: summary(slow: 6, work: 5_100_000))?.first)
        #expect(same.isNoise && same.overBudget == .init(before: 4, after: 6) && same.budgetNanoseconds == 16_666_666)
        let worse = try #require(
            ComparisonReport.frames(before: before, after: summary(slow: 40, work: 5_100_000))?.first)
        #expect(!worse.isNoise && worse.p95.after == 30_000_000)
        #expect(ComparisonReport.frames(before: before, after: ProbeSummary()) == nil)
        var report = ComparisonReport(before: "a", after: "b")
        report.frames = [worse]
        #expect(ComparisonText.render(report).contains("loop frame: 200 → 200, p50 5.0 ms → 5.1 ms"))
        let page = try ComparisonPage.render(report)
        #expect(page.contains("Frames over the budget 4 → 40") && page.contains("4 → 40</td>"))
        #expect(page.contains("5.0\u{A0}ms → 5.1\u{A0}ms"))
    }

    @Test("the JSON follows its schema, and figures that did not change are no line of the text")
    func schema() throws {
        let time = TimeFixture()
        time.sample("main", "deal", count: 30)
        let other = TimeFixture()
        other.sample("main", "deal", count: 90)
        var report = ComparisonReport(before: (time.recording, time), after: (other.recording, other))
        report.leaks = Self.rows([CheckFixture.finding()], [])
        let change = ComparisonReport.Change(before: 1, after: 2)
        report.frames = [
            .init(
                name: "frame", count: change, total: change, p50: change, p95: change, p99: change, max: change,
                overBudget: change, budgetNanoseconds: 1, allocations: change, isNoise: true)
        ]
        report.figures.append(.init(name: .peak, unit: .bytes, change: .init(before: 9, after: 9), isNoise: true))
        #expect(report.figures.first?.name == .time && report.figures.first?.isSingleRun == true)
        let file = Repository.file("Documentation/diff.schema.json")
        let root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let value = try JSONSerialization.jsonObject(with: Data(try JSONReport.encode(report).utf8))
        #expect(ReportSchema(root: root).problems(of: value).isEmpty, "\(ReportSchema(root: root).problems(of: value))")
        let text = ComparisonText.render(report)
        #expect(text.contains("(one run each: not compared)") && !text.contains("peak memory"))
        #expect(try ComparisonPage.render(report).contains("one run each: not compared"))
    }
}
