import Foundation
import Testing

/// Programs on other people's libraries: they run as without the tool, and nothing is said of them that is not so.
@Suite(.serialized, .enabled(if: LongTests.field)) struct ProgramFieldTests {
    @Test(arguments: FieldPackage.healthy)
    func aHealthyProgramHasNoFindings(package: FieldPackage) throws {
        let program = try package.build()
        for instrument in ["leaks", "zombies"] {
            let report = try FieldReport(instrument, program)
            #expect(report.told.isEmpty, "\(instrument): \(report.told.map(\.title))")
            #expect(report.capture.problems.isEmpty && report.capture.dropped == 0)
        }
    }

    @Test func subscriptionsThatKeepTheirOwnerAreOneCycle() throws {
        let report = try FieldReport("leaks", FieldPackage(name: "Subscriptions").build(), ["leaking"])
        #expect(report.findings.map(\.kind) == [.retainCycle])
        #expect(report.findings.first?.count == 7)
        #expect(report.findings.first?.title.contains("Score") == true)
    }

    @Test func `a server that forgets files is told which route opened them`() throws {
        let server = try FieldPackage(name: "GameServer", isPlain: true).build()
        #expect(try FieldReport("files", server).told.isEmpty)
        let told = try FieldReport("files", server, ["forgetting"]).told
        #expect(told.map(\.kind) == [.descriptorLeak] && told.first?.count == 80, "\(told.map(\.title))")
        let functions = told.first?.allocatedBy?.frames.map(\.function) ?? []
        #expect(functions.contains { $0.contains("MoveLog.init") }, "\(functions)")
    }

    @Test func theToolchainsFormatterRunsOverTheseSources() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let found = try Command.run(URL(filePath: "/usr/bin/env"), ["sh", "-c", "command -v swift-format"])
        let formatter = URL(filePath: found.output.trimmingCharacters(in: .whitespacesAndNewlines))
        for instrument in ["leaks", "zombies"] {
            let report = try FieldReport(instrument, formatter, ["lint", "--recursive", sources])
            let errors = report.findings.filter { $0.severity == .error }
            #expect(errors.isEmpty, "\(instrument): \(errors.map(\.title))")
        }
    }
}
