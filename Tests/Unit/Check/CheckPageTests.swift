import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofCheck
@testable import GameprofReport

@Suite struct CheckPageTests {
    private func result(_ report: Report, baseline: Baseline.Scenario? = nil) throws -> CheckResult {
        let evaluator = BudgetEvaluator(
            scenario: try CheckFixture.scenario("leaks: 0", "peak: 16 KB", "functions: {hot: {self: 10%}}"),
            baseline: baseline,
            tolerance: 0)
        return CheckResult(scenarios: [evaluator.judge(report, beside: [])])
    }

    @Test func `budgets come first, then findings, then the reports`() throws {
        let page = try CheckPage.render(
            result(CheckFixture.report([CheckFixture.finding()])), pages: ["play": ["play.html"]])
        let places = ["Failed", "<h3>Budget", "<h3>Findings", "play.html#finding-00000000", "<h3>Reports"].map {
            page.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    }

    @Test func `what was not measured is not green`() throws {
        var report = CheckFixture.report()
        report.hotspots = nil
        let page = try CheckPage.render(result(report))
        #expect(page.contains("class=\"unmeasured\">not measured"))
        #expect(!page.contains("class=\"verdict good\""))
    }

    @Test func `what the baseline accepts is neither green nor a failure`() throws {
        let finding = CheckFixture.finding()
        let page = try CheckPage.render(
            result(CheckFixture.report([finding]), baseline: CheckFixture.baseline([finding], measures: ["leaks": 1])))
        #expect(page.contains("in the baseline"))
        #expect(!page.contains("judged error"))
    }

    @Test(arguments: ReportFixture.hostile)
    func `hostile names stay text`(_ text: String) throws {
        var finding = CheckFixture.finding(signature: text)
        (finding.title, finding.message, finding.fix) = (text, text, text)
        var report = CheckFixture.report([finding])
        report.target.arguments = [text]
        let checked = try result(report)
        let page = try CheckPage.render(checked, pages: ["play": ["\(text).html"]])
        for sign in ["<script>alert", "<img", "\u{1B}", "\u{202E}", "<\u{301}script>", "\" onload", "\"onmouseover"] {
            #expect(!page.contains(sign))
        }
    }
}
