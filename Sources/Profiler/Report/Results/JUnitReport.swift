import Foundation

/// A diagnostic pass as JUnit XML: a suite for each scenario, a case for each limit and for each finding. Follows the
/// schema that Jenkins, GitLab and Ant's JUnit task agree on.
public enum JUnitReport {
    /// - Parameters:
    ///   - timestamp: of the pass, `2026-01-31T12:00:00`.
    ///   - host: name of the machine.
    public static func render(_ result: CheckResult, timestamp: String, host: String) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        for (number, scenario) in result.scenarios.enumerated() {
            lines += suite(scenario, number: number, timestamp: timestamp, host: host)
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private struct Case {
        var name: String
        var failure: (type: String, message: String, text: String)?
        var skipped: String?
    }

    private static func suite(
        _ scenario: CheckResult.Scenario, number: Int, timestamp: String, host: String
    ) -> [String] {
        let cases = cases(of: scenario)
        let seconds = String(format: "%.3f", locale: Locale(identifier: "en_US_POSIX"), scenario.target.wallSeconds)
        let attributes = [
            ("name", scenario.name), ("package", "gameprof"), ("id", "\(number)"), ("timestamp", timestamp),
            ("hostname", host), ("tests", "\(cases.count)"), ("failures", "\(cases.count { $0.failure != nil })"),
            ("errors", "0"), ("skipped", "\(cases.count { $0.skipped != nil })"), ("time", seconds),
        ]
        var lines = ["  <testsuite \(text(attributes))>", "    <properties>"]
        lines.append("      <property \(text([("name", "command"), ("value", command(scenario))]))/>")
        lines.append(
            "      <property \(text([("name", "instruments"), ("value", scenario.instruments.joined(separator: ","))]))/>"
        )
        lines.append("    </properties>")
        for one in cases { lines += element(one, suite: scenario.name) }
        let notes = notes(scenario).map { XMLText.escape($0) }.joined(separator: "\n")
        lines.append("    <system-out>\(notes)</system-out>")
        lines.append("    <system-err></system-err>")
        return lines + ["  </testsuite>"]
    }

    private static func element(_ one: Case, suite: String) -> [String] {
        let head = "    <testcase \(text([("name", one.name), ("classname", "gameprof.\(suite)"), ("time", "0")]))"
        if let failure = one.failure {
            let attributes = text([("message", failure.message), ("type", failure.type)])
            return [
                head + ">",
                "      <failure \(attributes)>\(XMLText.escape(failure.text, keepsLines: true))</failure>",
                "    </testcase>",
            ]
        }
        guard let skipped = one.skipped else { return [head + "/>"] }
        return [head + ">", "      <skipped \(text([("message", skipped)]))/>", "    </testcase>"]
    }

    private static func cases(of scenario: CheckResult.Scenario) -> [Case] {
        var cases = scenario.limits.map { limit in
            var one = Case(name: limit.measure)
            switch limit.status {
            case .passed: break
            case .accepted: one.skipped = limit.message
            case .failed, .unmeasured: one.failure = ("budget", limit.message, detail(limit))
            }
            return one
        }
        for judged in scenario.findings {
            let finding = judged.finding
            var one = Case(name: "\(finding.title) [\(finding.shortSignature)]")
            if judged.fails {
                let lines = FindingText.plain(finding, status: judged.status)
                one.failure = (finding.kind.rawValue, finding.message, lines.joined(separator: "\n"))
            } else {
                one.skipped = "\(judged.status.rawValue): \(finding.message)"
            }
            cases.append(one)
        }
        for (index, problem) in scenario.problems.enumerated() {
            cases.append(Case(name: "run \(index + 1)", failure: ("run", problem, problem)))
        }
        return cases
    }

    private static func detail(_ limit: CheckResult.JudgedLimit) -> String {
        limit.place.map { "\(limit.message)\nThe limit stands at \($0)." } ?? limit.message
    }

    private static func notes(_ scenario: CheckResult.Scenario) -> [String] {
        scenario.mended.map { "Mended: \($0.title) [\($0.signature.prefix(8))] is not met any more." }
    }

    private static func command(_ scenario: CheckResult.Scenario) -> String {
        ([scenario.target.executable] + scenario.target.arguments).joined(separator: " ")
    }

    private static func text(_ attributes: [(String, String)]) -> String {
        attributes.map { "\($0.0)=\"\(XMLText.escape($0.1))\"" }.joined(separator: " ")
    }
}
