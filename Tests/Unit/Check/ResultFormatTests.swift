import Foundation
import FoundationXML
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck

#if canImport(FoundationXML)
#endif

@Suite struct ResultFormatTests {
    /// A scenario with everything: failing, accepted and known findings, limits of each status, problems, resolved entries.
    static func result(_ text: String? = nil) throws -> CheckResult {
        var report = text.map(ReportFixture.hostileReport) ?? CheckFixture.report()
        let scenario = try CheckFixture.scenario("leaks: 0", "zombies: 0", "allocations: 1", "peak: 1 KB", "live: 1 GB")
        report.findings += [
            CheckFixture.finding(), CheckFixture.finding(.leak, signature: "b2", count: 9),
            CheckFixture.finding(.zombie, signature: "c3", severity: .note),
        ]
        if text == nil { report.target.exit = Report.Exit(code: 6) }
        report.capture.instruments = [.allocations, .leaks]
        let baseline = CheckFixture.baseline(
            [CheckFixture.finding(.leak, signature: "b2", count: 9), CheckFixture.finding(signature: "d4")],
            measures: ["peak": 40_000_000])
        var verdict = BudgetEvaluator(scenario: scenario, baseline: baseline).judge(report)
        if let text { verdict.name = text }
        return CheckResult(scenarios: [verdict])
    }

    @Test func theFixtureHoldsEverything() throws {
        let scenario = try Self.result().scenarios[0]
        #expect(Set(scenario.findings.map(\.status)) == [.new, .accepted, .known])
        #expect(Set(scenario.limits.map(\.status)) == [.passed, .failed, .accepted, .unmeasured])
        #expect(scenario.resolved.count == 1 && scenario.problems.count == 1)
    }

    @Test func jUnitCountsItsCases() throws {
        let xml = JUnitReport.render(try Self.result(), timestamp: "2026-01-31T12:00:00", host: "ci")
        let root = try #require(XMLDocument(xmlString: xml).rootElement())
        let suite = try #require(root.elements(forName: "testsuite").first)
        func number(_ name: String) -> Int? { suite.attribute(forName: name)?.stringValue.flatMap { Int($0) } }
        let cases = suite.elements(forName: "testcase")
        #expect(number("tests") == cases.count)
        #expect(number("failures") == cases.count { !$0.elements(forName: "failure").isEmpty })
        #expect(number("skipped") == cases.count { !$0.elements(forName: "skipped").isEmpty })
        #expect(number("failures") == 5)
        let names = cases.compactMap { $0.attribute(forName: "name")?.stringValue }
        #expect(Set(names).count == names.count, "a case's name must be its own: \(names)")
        let failure = try #require(
            cases.first { $0.attribute(forName: "name")?.stringValue?.hasPrefix("Retain") == true }?
                .elements(forName: "failure").first)
        #expect(failure.stringValue?.contains("Game.swift:12") == true)
        #expect(failure.stringValue?.contains("Board.cards") == true)
    }

    @Test("the cases of a scenario share the time of its run")
    func jUnitTimes() throws {
        var result = try Self.result()
        result.scenarios[0].target.wallSeconds = 2.5
        let xml = JUnitReport.render(result, timestamp: "2026-01-31T12:00:00", host: "ci")
        let root = try #require(XMLDocument(xmlString: xml).rootElement())
        let suite = try #require(root.elements(forName: "testsuite").first)
        let times = suite.elements(forName: "testcase").compactMap {
            $0.attribute(forName: "time")?.stringValue.flatMap(Double.init)
        }
        #expect(suite.attribute(forName: "time")?.stringValue == "2.500")
        #expect(abs(times.reduce(0, +) - 2.5) < 0.01 && times.allSatisfy { $0 > 0 })
    }

    @Test func sarifSaysWhereAndWhatWay() throws {
        let result = try Self.result()
        let text = try SARIFReport.render(
            result.diagnoses, rules: CheckResult.rules, root: "/src", version: "1.0")
        let log = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.only)
        let results = try #require(run["results"] as? [[String: Any]])
        let cycle = try #require(results.first { $0["ruleId"] as? String == "retain-cycle" })
        #expect(cycle["level"] as? String == "error")
        #expect((cycle["partialFingerprints"] as? [String: String])?.values.first == "00000000000000a1")
        let message = (cycle["message"] as? [String: String])?["text"] ?? ""
        #expect(message.contains("Path: Board.cards → Card.owner → Board."), "\(message)")
        let place = ((cycle["locations"] as? [[String: Any]])?.first?["physicalLocation"]) as? [String: Any]
        #expect((place?["artifactLocation"] as? [String: String])?["uri"] == "Game,%20new/Game.swift")
        #expect((place?["region"] as? [String: Int])?["startLine"] == 12)
        let accepted = try #require(results.first { $0["ruleId"] as? String == "leak" })
        #expect(accepted["level"] as? String != "error")
        // A baseline stands beside the source, not in it.
        #expect((accepted["suppressions"] as? [[String: String]])?.map { $0["kind"] } == ["external"])
        #expect(results.contains { $0["ruleId"] as? String == "budget" })
        #expect(results.contains { $0["ruleId"] as? String == "run" })
    }

    /// What GitHub refuses a file for, or does not show: docs.github.com, "SARIF support for code scanning".
    @Test("every SARIF result has a place that GitHub accepts: a relative file, a line, a rule and a fingerprint")
    func gitHubRules() throws {
        var results: [[String: Any]] = []
        var rules: Set<String> = []
        for end in [Report.Exit(code: 6), Report.Exit(signal: 9)] {
            var report = CheckFixture.report([CheckFixture.finding()])
            report.findings[0].allocatedBy = nil
            report.target.exit = end
            let scenario = try CheckFixture.scenario("leaks: 0", "allocations: 1")
            var verdicts = [
                BudgetEvaluator(scenario: scenario).judge(report),
                BudgetEvaluator(scenario: Budget.Scenario(name: "play")).judge(report),
            ]
            verdicts[1].target.executable = "game"
            let text = try SARIFReport.render(
                CheckResult(scenarios: verdicts).diagnoses, rules: CheckResult.rules, root: "/src", version: "1.0")
            let log = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let run = try #require((log["runs"] as? [[String: Any]])?.only)
            results += try #require(run["results"] as? [[String: Any]])
            let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
            for rule in try #require(driver["rules"] as? [[String: Any]]) {
                rules.insert(rule["id"] as? String ?? "")
                for text in ["shortDescription", "fullDescription", "help"] {
                    let words = (rule[text] as? [String: String])?["text"] ?? ""
                    #expect((1...1024).contains(words.count), "\(rule)")
                }
            }
        }
        #expect(results.contains { $0["ruleId"] as? String == "run" })
        var places: Set<String> = []
        for result in results {
            #expect(rules.contains(result["ruleId"] as? String ?? ""))
            let prints = result["partialFingerprints"] as? [String: String]
            #expect(prints?["primaryLocationLineHash"]?.isEmpty == false)
            let locations = try #require(result["locations"] as? [[String: [String: Any]]])
            let place = try #require(locations.only?["physicalLocation"], "\(result)")
            let uri = try #require((place["artifactLocation"] as? [String: String])?["uri"])
            #expect(!uri.isEmpty && !uri.hasPrefix("/") && !uri.contains(":"), "\(uri)")
            let line = try #require((place["region"] as? [String: Int])?["startLine"])
            #expect(line >= 1)
            places.insert("\(uri):\(line)")
        }
        // The limits' own lines, the scenario's for what has none, and the program where there is no budget.
        #expect(places == ["b.yml:2", "b.yml:3", "b.yml:4", "game:1"])
    }

    @Test("of too many results the least severe are left out")
    func resultLimit() throws {
        let many = (0..<25_001).map { number in
            Diagnosis(
                rule: "leak", severity: number == 0 ? .note : .error, message: "", place: .init(file: "a", line: 1),
                fingerprint: "\(number)")
        }
        let text = try SARIFReport.render(many, rules: [], root: "/", version: "1.0")
        let log = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let results = try #require((log["runs"] as? [[String: Any]])?.only?["results"] as? [[String: Any]])
        #expect(results.count == 25_000 && results.allSatisfy { $0["level"] as? String == "error" })
    }

    @Test func annotationsNameFileAndLineAndLeaveOutWhatIsAccepted() throws {
        let lines = GitHubAnnotations.render(try Self.result().diagnoses).split(separator: "\n")
        let cycle = try #require(lines.first { $0.contains("retain-cycle") })
        #expect(cycle.hasPrefix("::error file=/src/Game%2C new/Game.swift,line=12,title="))
        #expect(!lines.contains { $0.contains("gameprof%3A leak") })
        #expect(lines.allSatisfy { $0.hasPrefix("::") })
    }

    @Test("a line end is one in annotations, SARIF and JUnit") func lineEnds() throws {
        let two = Diagnosis(
            rule: "leak", severity: .error, message: "first\nsecond", place: .init(file: "a", line: 1), fingerprint: "1"
        )
        #expect(GitHubAnnotations.render([two]).hasSuffix("::first%0Asecond\n"))
        let sarif = try SARIFReport.render([two], rules: [], root: "/", version: "1.0")
        #expect(sarif.contains(#"first\nsecond"#))
        var result = try Self.result()
        result.scenarios[0].problems = ["first\nsecond"]
        let xml = JUnitReport.render(result, timestamp: "2026-01-31T12:00:00", host: "ci")
        #expect(xml.contains("message=\"first&#10;second\"") && !xml.contains("u{A}"))
    }

    @Test("a finding stands at the closure to change, else in the function that made it, not in an initialiser")
    func place() throws {
        var finding = CheckFixture.finding()
        finding.allocatedBy = CallStack(
            frames: [("Board.init()", 3), ("play()", 40)].map {
                CallStack.Frame(function: $0.0, file: "/src/Game.swift", line: $0.1, origin: .user)
            })
        let other = Diagnosis.Place(file: "game")
        #expect(Diagnosis(finding, orAt: other).place == .init(file: "/src/Game.swift", line: 40))
        finding.references[1].suspect = .init(reason: "closureCapturesSelf", explanation: "")
        (finding.references[1].file, finding.references[1].line) = ("/src/Card.swift", 12)
        #expect(Diagnosis(finding, orAt: other).place == .init(file: "/src/Card.swift", line: 12))
    }

    @Test func markdownHasARowForEachLimit() throws {
        let result = try Self.result()
        let lines = MarkdownSummary.render(result).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("| ") } == result.scenarios[0].limits.count + 1)
        #expect(lines[0] == "## gameprof: ❌ failed")
    }

    @Test func textSaysWhatIsNew() throws {
        let text = CheckText.render(try Self.result())
        #expect(text.contains("not in the baseline"))
        #expect(text.contains("Resolved: Retain cycle"))
        #expect(text.contains("exited with code 6"))
        #expect(text.contains("✗ allocations"))
    }

    @Test(arguments: ReportFixture.hostile)
    func hostileNamesStayText(text: String) throws {
        let result = try Self.result(text)
        let xml = JUnitReport.render(result, timestamp: "2026-01-31T12:00:00", host: "ci")
        let root = try #require(XMLDocument(xmlString: xml).rootElement())
        #expect(root.elements(forName: "testsuite").count == 1)
        #expect(root.elements(forName: "testsuite")[0].elements(forName: "testcase").count > 5)
        let sarif = try SARIFReport.render(result.diagnoses, rules: CheckResult.rules, root: "/", version: "1.0")
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(sarif.utf8)) }
        let annotations = GitHubAnnotations.render(result.diagnoses)
        #expect(annotations.split(whereSeparator: \.isNewline).allSatisfy { $0.hasPrefix("::") })
        let markdown = MarkdownSummary.render(result)
        #expect(!markdown.contains("<script>alert(1)</script>") || markdown.contains("```"))
        #expect(!markdown.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        #expect(!CheckText.render(result).unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    }

    @Test func jsonComesBackAsItWas() throws {
        let result = try Self.result()
        let json = try CheckJSON.render(result)
        #expect(try JSONDecoder().decode(CheckResult.self, from: Data(json.utf8)) == result)
    }

    @Test func jsonFollowsItsSchema() throws {
        let file = Repository.file("Documentation/check.schema.json")
        let root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let json = try CheckJSON.render(try Self.result())
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
        #expect(ReportSchema(root: root).problems(of: value).isEmpty)
        #expect(!ReportSchema(root: root).problems(of: ["schema": "gameprof-check"]).isEmpty)
    }

    @Test("every kind of finding has a rule", arguments: Finding.Kind.allCases)
    func rulesOfKinds(kind: Finding.Kind) throws {
        let rule = try #require(CheckResult.rules.first { $0.id == kind.rawValue })
        #expect(rule.summary.hasSuffix(".") && rule.summary != rule.id)
    }
}
