import Foundation
import Testing

@testable import GameprofAnalysis

/// Tasks that wait for what nobody can bring: each is counted, however the program is looked at.
@Suite struct LostTaskTests {
    private func expect(_ report: Report, atLeast least: Int) throws {
        let errors = report.findings.filter { $0.severity == .error }
        let finding = try #require(errors.first)
        #expect(
            errors.count == 1 && (least...180).contains(finding.count) && finding.objects["task"] == finding.count,
            "\(finding)")
    }

    @Test("tasks whose continuations were overwritten are counted one by one", arguments: SwiftProgram.Build.usual)
    func overwritten(in build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "Overwritten.swift", module: "Overwritten", build: build)
        for _ in 0..<3 { try expect(try RecordedReport.leaks(of: program).report, atLeast: 180) }
        let (waiting, folder) = (try WaitingProgram(program), try TemporaryFolder())
        let json = folder.url.appending(path: "r.json")
        for target in [["--pid", waiting.pid], [try waiting.core(in: folder)]] {
            _ = try Command.run(Products.gameprof, ["leaks", "--json", json.path] + target)
            try expect(try Report(json: json), atLeast: 180)
        }
        _ = try waiting.finish()
    }
}
