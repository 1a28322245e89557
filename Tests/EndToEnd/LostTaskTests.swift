import Foundation
import GameprofReportModel
import Testing

/// Tasks that wait for what nobody can bring: each is counted, however the program is looked at.
@Suite struct LostTaskTests {
    private func expectAll(_ report: Report) {
        let findings = report.findings.filter { $0.severity == .error }
        #expect(findings.map(\.count) == [180] && findings.first?.objects["task"] == 180, "\(findings)")
    }

    @Test("tasks whose continuations were overwritten are counted one by one", arguments: SwiftProgram.Build.usual)
    func overwritten(in build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "Overwritten.swift", module: "Overwritten", build: build)
        for _ in 0..<3 { expectAll(try RecordedReport.leaks(of: program).report) }
        let (waiting, folder) = (try WaitingProgram(program), try TemporaryFolder())
        let json = folder.url.appending(path: "r.json")
        for target in [["--pid", waiting.pid], [try waiting.core(in: folder)]] {
            _ = try Command.run(Products.gameprof, ["leaks", "--json", json.path] + target)
            expectAll(try Report(json: json))
        }
        _ = try waiting.finish()
    }
}
