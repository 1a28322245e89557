import Foundation
import Testing

@testable import GameprofAnalysis

/// What gameprof said of a program on somebody else's library.
struct FieldReport {
    let report: Report
    var findings: [Finding] { report.findings }
    var capture: Report.Capture { report.capture }

    /// What is said of the program, known leaks of the runtime and Foundation left aside.
    var told: [Finding] { findings.filter { $0.severity != .note } }

    /// Runs the program alone and recorded, and checks that output and end are the same.
    init(_ instrument: String, _ program: URL, _ arguments: [String] = []) throws {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        let alone = try Command.run(program, arguments)
        let recorded = try Command.run(
            Products.gameprof,
            [instrument, "--quiet", "--propagate-exit", "--json", json.path, "--", program.path] + arguments)
        #expect(recorded.output == alone.output)
        #expect(recorded.status == alone.status, "\(recorded.error)")
        report = try Report(json: json)
    }
}
