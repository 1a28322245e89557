import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof zombies --explain`: a second run shows the retains and releases of what the first one found.
@Suite struct ExplanationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(
        _ build: ZombieMatrixTests.Build, _ argument: String, explains: Bool = true, page: URL? = nil
    ) throws -> (report: Report, status: Int32, error: String) {
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["zombies", "--json", json.path] + (explains ? ["--explain"] : [])
                + (page.map { ["--html", $0.path] } ?? [])
                + ["--", build.executable(of: "CountHistories").path, argument],
            environment: ["SWIFT_BACKTRACE": "enable=no"], directory: folder.url)
        return (try Report(json: json), result.status, result.error)
    }

    @Test("the release that was one too many is named by a second run", arguments: ZombieMatrixTests.Build.usual)
    func releaseOfAnothers(_ build: ZombieMatrixTests.Build) throws {
        let page = folder.url.appending(path: "page.html")
        let (report, status, text) = try record(build, "dismissal", page: page)
        let finding = try #require(report.findings.first)
        let history = try #require(finding.history)
        #expect(history.secondRun == true && finding.explain == nil)
        let suspects = history.changes.filter(\.suspect)
        #expect(build != .onone || suspects.map(\.kind) == [.release])
        #expect(suspects.allSatisfy { $0.by?.frames.contains { $0.function.contains("Deck.dismiss") } == true })
        #expect(status == 1)
        #expect(finding.fix?.contains("Deck.dismiss(_:)") == true)
        #expect(text.contains("recorded by a second run"), "\(text)")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("recorded by a second run"))
    }

    @Test(
        "the retain of a lost object that has no release is named by a second run",
        arguments: ZombieMatrixTests.Build.usual)
    func lostObject(_ build: ZombieMatrixTests.Build) throws {
        let json = folder.url.appending(path: "report.json")
        func finding(_ options: [String]) throws -> (Finding, String) {
            let result = try Command.run(
                Products.gameprof,
                ["leaks", "--json", json.path] + options
                    + ["--", build.executable(of: "CountHistories").path, "over-retain"], directory: folder.url)
            #expect(result.status == 1, "\(result.error)")
            return (try #require(try Report(json: json).findings.first { $0.severity == .error }), result.error)
        }
        let (plain, text) = try finding([])
        let command = try #require(plain.explain)
        #expect(plain.history == nil && command.contains(" leaks --explain ") && text.contains(command))
        let (explained, _) = try finding(["--explain"])
        #expect(explained.explain == nil && explained.signature == plain.signature)
        let history = try #require(explained.history)
        #expect(history.secondRun == true)
        #expect(history.changes.filter(\.suspect).allSatisfy { $0.kind == .retain }, "\(history)")
        #expect(explained.fix?.contains("keepCarelessly(_:)") == true, "\(explained.fix ?? "")")
    }

    @Test("a finding without a history names the command that shows it")
    func command() throws {
        let (plain, _, text) = try record(.onone, "dismissal", explains: false)
        let command = try #require(plain.findings.first?.explain)
        #expect(command.hasPrefix("gameprof zombies --explain --json ") && text.contains(command))
        let path = Products.gameprof.deletingLastPathComponent().path + ":/usr/bin:/bin"
        let result = try Command.run(
            URL(filePath: "/bin/sh"), ["-c", command],
            environment: ["SWIFT_BACKTRACE": "enable=no", "PATH": path], directory: folder.url)
        #expect(result.status == 1)
        let report = try Report(json: folder.url.appending(path: "report.json"))
        #expect(report.findings.first?.history?.secondRun == true)
    }

    @Test("what the second run does not show again gets no history, and the report says so")
    func goneInTheSecondRun() throws {
        let (report, status, _) = try record(.onone, folder.url.appending(path: "once").path)
        let finding = try #require(report.findings.first)
        #expect(status == 1 && finding.kind == .zombie)
        #expect(finding.history == nil && finding.explain != nil)
        #expect(report.capture.notes.contains { $0.hasPrefix("The second run did not show this again") })
    }
}
