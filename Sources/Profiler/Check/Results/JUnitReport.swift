import Foundation
import GameprofAnalysis
import GameprofBasics

/// A diagnostic pass as JUnit XML: a suite for each scenario, a case for each limit and for each finding; of tests one suite
/// with a case for each. Follows the schema that Jenkins, GitLab and Ant's JUnit task agree on.
public enum JUnitReport {
    /// - Parameters:
    ///   - timestamp: of the pass, `2026-01-31T12:00:00`.
    ///   - host: name of the machine.
    public static func render(_ result: CheckResult, timestamp: String, host: String) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        if result.subject == .tests, let first = result.scenarios.first {
            var suite = Suite(first, name: "swift test", cases: result.scenarios.map(test))
            suite.notes = []
            suite.target.wallSeconds = suite.cases.reduce(0) { $0 + $1.seconds }
            lines += Self.suite(suite, number: 0, timestamp: timestamp, host: host)
        } else {
            for (number, scenario) in result.scenarios.enumerated() {
                var suite = Suite(scenario, name: scenario.name, cases: cases(of: scenario))
                let share = suite.target.wallSeconds / Double(max(suite.cases.count, 1))
                for index in suite.cases.indices { suite.cases[index].seconds = share }
                lines += Self.suite(suite, number: number, timestamp: timestamp, host: host)
            }
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private struct Case {
        var name: String
        /// The cases of a scenario were evaluated in one run, whose time they share.
        var seconds = 0.0
        var failure: (type: String, message: String, text: String)?
        var skipped: String?
    }

    private struct Suite {
        var name: String
        var cases: [Case]
        var target: Report.Target
        var instruments: [Instrument]
        var notes: [String]

        init(_ scenario: CheckResult.Scenario, name: String, cases: [Case]) {
            self.name = name
            self.cases = cases
            target = scenario.target
            instruments = scenario.instruments
            notes = JUnitReport.notes(scenario)
        }
    }

    private static func suite(_ suite: Suite, number: Int, timestamp: String, host: String) -> [String] {
        let cases = suite.cases
        let attributes = [
            ("name", suite.name), ("package", "gameprof"), ("id", "\(number)"), ("timestamp", timestamp),
            ("hostname", host), ("tests", "\(cases.count)"), ("failures", "\(cases.count { $0.failure != nil })"),
            ("errors", "0"), ("skipped", "\(cases.count { $0.skipped != nil })"),
            ("time", NumberFormat.fixed(suite.target.wallSeconds, 3)),
        ]
        var lines = ["  <testsuite \(text(attributes))>", "    <properties>"]
        lines.append("      <property \(text([("name", "command"), ("value", command(suite.target))]))/>")
        lines.append(
            "      <property \(text([("name", "instruments"), ("value", suite.instruments.map(\.rawValue).joined(separator: ","))]))/>"
        )
        lines.append("    </properties>")
        for one in cases { lines += element(one, suite: suite.name) }
        let notes = suite.notes.map { XMLText.escape($0, keepsLines: true) }.joined(separator: "\n")
        lines.append("    <system-out>\(notes)</system-out>")
        lines.append("    <system-err></system-err>")
        return lines + ["  </testsuite>"]
    }

    private static func element(_ one: Case, suite: String) -> [String] {
        let attributes = [
            ("name", one.name), ("classname", "gameprof.\(suite)"), ("time", NumberFormat.fixed(one.seconds, 3)),
        ]
        let head = "    <testcase \(text(attributes))"
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

    /// One case for all that a test checks.
    private static func test(_ test: CheckResult.Scenario) -> Case {
        var one = Case(name: test.name, seconds: test.target.wallSeconds)
        let findings = test.failingFindings.map(\.finding)
        let messages =
            findings.map(\.message) + test.failingLimits.map(\.message) + test.problems
        guard test.outcome != .passed, let first = messages.first else { return one }
        let texts = test.failingFindings.map {
            FindingText.plain($0, in: test).joined(separator: "\n")
        }
        let all = texts + test.failingLimits.map(\.message) + test.problems
        let type = findings.first?.kind.rawValue ?? (test.failingLimits.isEmpty ? "run" : "budget")
        one.failure = (type, first, all.joined(separator: "\n\n"))
        return one
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
                let lines = FindingText.plain(judged, in: scenario)
                one.failure = (finding.kind.rawValue, finding.message, lines.joined(separator: "\n"))
            } else {
                one.skipped = "\(judged.status.rawValue): \(finding.message)"
            }
            cases.append(one)
        }
        for (index, problem) in scenario.problems.enumerated() {
            let name = scenario.problems.count > 1 ? "problem \(index + 1)" : "problem"
            cases.append(Case(name: name, failure: ("run", problem, problem)))
        }
        return cases
    }

    private static func detail(_ limit: CheckResult.EvaluatedLimit) -> String {
        limit.place.map { "\(limit.message)\nThe limit is set at \($0)." } ?? limit.message
    }

    private static func notes(_ scenario: CheckResult.Scenario) -> [String] {
        scenario.resolved.map { "Resolved: \($0.title) [\($0.signature.prefix(8))] no longer occurs." }
    }

    private static func command(_ target: Report.Target) -> String {
        ([target.executable] + target.arguments).joined(separator: " ")
    }

    private static func text(_ attributes: [(String, String)]) -> String {
        attributes.map { name, value in
            "\(name)=\"\(XMLText.escape(value, keepsLines: true).replacing("\n", with: "&#10;"))\""
        }.joined(separator: " ")
    }
}
