import Foundation
import FoundationXML
import Testing

@testable import GameprofAnalysis

/// `gameprof test` beside a `swift test` that says what the case needs.
@Suite struct TestCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(swift script: String, _ options: String...) throws -> CommandResult {
        let swift = folder.url.appending(path: "swift")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: swift)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return try Command.run(
            Products.gameprof, ["test"] + options, environment: ["PATH": "\(folder.url.path):\(path)"],
            directory: folder.url)
    }

    @Test("a package whose tests measure nothing is not measured, and did not pass")
    func nothingMeasured() throws {
        let result = try run(swift: "exit 0")
        #expect(result.status == 4)
        #expect(result.error.contains("Not measured"), "\(result.error)")
        #expect(!result.error.contains("No test leaked"))
    }

    /// A `swift test` in which these checks were made.
    private func leave(_ checks: [TestFindings]) throws {
        for check in checks { check.leave(environment: [TestFindings.variable: folder.url.path]) }
    }

    private static let exchange = #"cp checks.jsonl "$GAMEPROF_TEST_FINDINGS""#

    @Test("tests whose checks found nothing pass, and each is a case of the JUnit file")
    func measuredAndSound() throws {
        try leave([
            TestFindings(test: "deal()", subject: .leaks), TestFindings(test: "deal()", subject: .leaks),
            TestFindings(test: "layout()", subject: .allocations, count: .init(type: "Card", measured: 36, limit: 36)),
        ])
        let result = try run(swift: Self.exchange, "--junit", "j.xml")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.contains("2 tests checked 3 scopes; no check failed."), "\(result.error)")
        let cases = try cases("j.xml")
        #expect(cases.map(\.name) == ["deal()", "layout()"] && cases.allSatisfy { $0.failure == nil })
    }

    @Test("each failing test is one case with all that it found, its report is kept, and no baseline is named")
    func failing() throws {
        let games = Products.GameLabBuild.release.executable
        let report = try RecordedReport.leaks(of: games, ["fault", "undo-cycle"]).report
        let breach = "50 allocations of Card, at most 36 expected."
        try leave([
            TestFindings(test: "deal()", subject: .leaks),
            TestFindings(test: "undo()", subject: .leaks, report: report),
            TestFindings(
                test: "layout()", subject: .allocations,
                count: .init(type: "Card", measured: 50, limit: 36, breach: breach)),
            TestFindings(test: "stays()", subject: .leaks, failure: "Board is still live, held by Memories.shared."),
        ])
        let result = try run(
            swift: Self.exchange + "; exit 1", "--junit", "j.xml", "--sarif", "s.sarif", "--markdown", "m.md", "--json",
            "r.json", "--reports", "reports")
        #expect(result.status == 1, "\(result.error)")
        let cases = try cases("j.xml")
        #expect(cases.map(\.name) == ["deal()", "layout()", "stays()", "undo()"])
        #expect(cases[0].failure == nil && cases[1].failure == breach)
        #expect(cases[2].failure?.contains("held by Memories.shared") == true)
        #expect(cases[3].failure?.contains("Retain cycle") == true)
        for file in ["j.xml", "s.sarif", "m.md"] {
            let text = try String(contentsOf: folder.url.appending(path: file), encoding: .utf8)
            #expect(!text.contains("baseline"), "\(file): \(text)")
        }
        #expect(!result.error.contains("baseline"), "\(result.error)")
        let reports = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "reports").path)
        #expect(reports.sorted() == ["index.html", "undo--.html", "undo--.json"])
    }

    @Test("the time of a test in the JUnit file is that of its checks, which count once where they overlap")
    func times() throws {
        func check(_ test: String, _ start: Double, _ end: Double) -> TestFindings {
            TestFindings(test: test, subject: .leaks, interval: .init(start: start, end: end))
        }
        try leave([
            check("deal()", 10, 12), check("deal()", 11, 11.5), check("deal()", 20, 20.25), check("layout()", 10, 11),
        ])
        _ = try run(swift: Self.exchange, "--junit", "j.xml")
        let document = try XMLDocument(contentsOf: folder.url.appending(path: "j.xml"))
        let suite = try #require(document.rootElement()?.elements(forName: "testsuite").first)
        let times = ([suite] + suite.elements(forName: "testcase")).map {
            $0.attribute(forName: "time")?.stringValue
        }
        #expect(times == ["3.250", "2.250", "1.000"])
    }

    private func cases(_ file: String) throws -> [(name: String, failure: String?)] {
        let document = try XMLDocument(contentsOf: folder.url.appending(path: file))
        let suites = try #require(document.rootElement()).elements(forName: "testsuite")
        return suites.flatMap { $0.elements(forName: "testcase") }.map { one in
            let failure = one.elements(forName: "failure").first?.stringValue
            return (one.attribute(forName: "name")?.stringValue ?? "", failure)
        }
    }

    @Test("a test that fails is told before what was not measured")
    func failedTest() throws {
        #expect(try run(swift: "exit 1").status == 1)
    }
}
