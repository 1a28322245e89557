import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport

/// The result of a check as one page: budgets and baseline of each scenario first, then links to its reports.
public enum CheckPage {
    private static let findingLimit = 100
    private static let rowLimit = 300
    private static let textLength = 300

    /// The page as text; it opens from disk and needs no network. `pages`: of each scenario the pages of its reports,
    /// relative to this one.
    public static func render(_ result: CheckResult, pages: [String: [String]] = [:]) throws -> String {
        let failed = result.scenarios.count { $0.outcome == .failed }
        let noun = result.subject == .tests ? "test" : "scenario"
        // Of tests only those that have something to say.
        let shown = result.scenarios.filter { result.subject == .scenarios || $0.outcome != .passed }
        let page: [String: Any] = [
            "style": String(decoding: PageStyle.css, as: UTF8.self),
            "script": PageTemplates.script,
            "title": result.scenarios.count == 1
                ? clean(result.scenarios[0].name) : NumberFormat.count(result.scenarios.count, noun),
            "verdict": sentence(result, failed: failed, noun), "worst": color(result.outcome),
            "tool": "gameprof \(result.subject == .tests ? "test" : "check")", "hasContents": shown.count > 1,
            "scenarios": shown.enumerated().map { index, scenario in
                values(scenario, number: index, pages: pages[scenario.name] ?? [])
            },
        ]
        return try PageTemplates.render(page, as: "check")
    }

    private static func sentence(_ result: CheckResult, failed: Int, _ noun: String) -> String {
        let all = result.scenarios.count
        switch result.outcome {
        case .passed: return "Passed"
        case .failed: return all == 1 ? "Failed" : "Failed: \(failed) of \(NumberFormat.count(all, noun))"
        case .incomplete: return "Not measured: a recording is incomplete"
        }
    }

    private static func color(_ outcome: CheckResult.Outcome) -> String {
        switch outcome {
        case .passed: PageVerdict.Kind.good.rawValue
        case .failed: PageVerdict.Kind.error.rawValue
        case .incomplete: PageVerdict.Kind.unmeasured.rawValue
        }
    }

    private static func clean(_ text: String) -> String { PageText.clean(text, limit: textLength) }

    private static func values(
        _ scenario: CheckResult.Scenario, number: Int, pages: [String]
    ) -> [String: Any] {
        let program = [String(scenario.target.executable.split(separator: "/").last ?? "?")] + scenario.target.arguments
        let links = pages.compactMap { $0.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) }
        let hasBaseline = scenario.hasBaseline
        let more = scenario.findings.count - findingLimit
        return [
            "id": "scenario-\(number)", "name": clean(scenario.name), "outcome": word(scenario.outcome),
            "color": color(scenario.outcome), "program": clean(program.joined(separator: " ")),
            "time": NumberFormat.seconds(scenario.target.wallSeconds),
            "problems": scenario.problems.prefix(20).map(clean), "hasLimits": !scenario.limits.isEmpty,
            "hasBaseline": hasBaseline, "limits": scenario.limits.prefix(rowLimit).map { limit($0) },
            "hasFindings": !scenario.findings.isEmpty,
            "findings": scenario.findings.prefix(findingLimit).map { finding($0, page: links.first) },
            "moreFindings": optional(more > 0 ? "\(NumberFormat.are(more, "more finding")) in the reports." : nil),
            "hasResolved": !scenario.resolved.isEmpty,
            "resolved": scenario.resolved.prefix(findingLimit).map { clean($0.title) },
            "hasReports": !links.isEmpty,
            "reports": zip(links, pages).map { ["link": $0, "name": clean($1)] },
        ]
    }

    private static func word(_ outcome: CheckResult.Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .failed: "failed"
        case .incomplete: "not measured"
        }
    }

    private static func limit(_ limit: CheckResult.EvaluatedLimit) -> [String: Any] {
        let most = [limit.limit, limit.baseline].compactMap { $0 }.max() ?? 0
        let share = most > 0 ? min(1, limit.measured / most) : 0
        let (word, color): (String, PageVerdict.Kind) =
            switch limit.status {
            case .passed: ("passed", .good)
            case .failed: ("failed", .error)
            case .accepted: ("accepted by the baseline", .neutral)
            case .unmeasured: ("not measured", .unmeasured)
            }
        return [
            "measure": clean(limit.measure), "word": word, "color": color.rawValue, "message": clean(limit.message),
            "measured": limit.status == .unmeasured ? "–" : limit.unit.text(limit.measured),
            "bar": limit.status == .unmeasured ? "0" : NumberFormat.fixed(100 * share, 1),
            "limit": limit.limit.map { limit.unit.text($0) } ?? "–",
            "baseline": limit.baseline.map { limit.unit.text($0) } ?? "–",
            "place": optional(limit.place.map(clean)),
        ]
    }

    private static func finding(_ judged: CheckResult.EvaluatedFinding, page: String?) -> [String: Any] {
        let finding = judged.finding
        let digits = finding.shortSignature.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let word: String
        switch judged.status {
        case .new: word = "new"
        case .increased: word = "more than the \(NumberFormat.count(judged.accepted ?? 0)) of the baseline"
        case .accepted: word = "in the baseline"
        case .known: word = "known"
        }
        return [
            "title": clean(finding.title), "numbers": FindingFigures.line(finding), "word": word,
            "color": judged.fails ? PageVerdict.Kind.error.rawValue : PageVerdict.Kind.neutral.rawValue,
            "mark": judged.fails ? "✗" : "·", "message": clean(finding.message),
            "fix": optional(finding.fix.map(clean)), "link": optional(page.map { "\($0)#finding-\(digits)" }),
        ]
    }
}
