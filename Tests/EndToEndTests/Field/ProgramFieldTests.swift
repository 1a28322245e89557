import Foundation
import Testing

/// Programs on other people's libraries: they run as without the tool, and nothing is said of them that is not so.
@Suite(.serialized, .enabled(if: LongTests.field)) struct ProgramFieldTests {
    private struct Document: Decodable {
        struct Finding: Decodable {
            var kind: String
            var severity: String
            var title: String
            var count: Int
        }

        struct Capture: Decodable {
            var dropped: UInt64
            var problems: [String]
        }

        var findings: [Finding]
        var capture: Capture
    }

    /// Records the program and checks that output and end are those that it has alone.
    private func record(_ instrument: String, _ program: URL, _ arguments: [String] = []) throws -> Document {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        let alone = try Command.run(program, arguments)
        let recorded = try Command.run(
            Products.gameprof,
            [instrument, "--quiet", "--propagate-exit", "--json", json.path, "--", program.path] + arguments)
        #expect(recorded.output == alone.output)
        #expect(recorded.status == alone.status, "\(recorded.error)")
        return try JSONDecoder().decode(Document.self, from: Data(contentsOf: json))
    }

    @Test(arguments: FieldPackage.healthy)
    func aHealthyProgramHasNoFindings(package: FieldPackage) throws {
        let program = try package.build()
        for instrument in ["leaks", "zombies"] {
            let report = try record(instrument, program, package.arguments)
            let told = report.findings.filter { $0.severity != "note" }
            #expect(told.isEmpty, "\(instrument): \(told.map(\.title))")
            #expect(report.capture.problems.isEmpty && report.capture.dropped == 0)
        }
    }

    @Test func subscriptionsThatKeepTheirOwnerAreOneCycle() throws {
        let report = try record("leaks", try FieldPackage(name: "Subscriptions").build(), ["leaking"])
        #expect(report.findings.map(\.kind) == ["retain-cycle"])
        #expect(report.findings.first?.count == 7)
        #expect(report.findings.first?.title.contains("Score") == true)
    }

    @Test func theToolchainsFormatterRunsOverTheseSources() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let found = try Command.run(URL(filePath: "/usr/bin/env"), ["sh", "-c", "command -v swift-format"])
        let formatter = URL(filePath: found.output.trimmingCharacters(in: .whitespacesAndNewlines))
        for instrument in ["leaks", "zombies"] {
            let report = try record(instrument, formatter, ["lint", "--recursive", sources])
            let errors = report.findings.filter { $0.severity == "error" }
            #expect(errors.isEmpty, "\(instrument): \(errors.map(\.title))")
        }
    }
}
