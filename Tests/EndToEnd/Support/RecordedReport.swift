import Foundation
import GameprofReport

@testable import GameprofAnalysis

extension Report {
    /// The report in a JSON file, as whoever reads reports decodes it.
    init(json file: URL) throws { self = try JSONReport.read(String(contentsOf: file, encoding: .utf8)) }

    var errors: [Finding] { findings.filter { $0.severity == .error } }
}

extension Finding {
    func isAllocated(by function: String) -> Bool {
        allocatedBy?.frames.contains { $0.function.contains(function) } ?? false
    }
}

/// One recording with `gameprof leaks`, and what it said.
struct RecordedReport {
    var report: Report
    /// The tool's own exit status.
    var status: Int32
    /// Standard error: the program's and the tool's.
    var error: String

    /// Records `program` with `gameprof leaks` and reads the JSON report.
    static func leaks(
        of program: URL, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> RecordedReport {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["leaks", "--json", json.path, "--", program.path] + arguments, environment: environment)
        guard FileManager.default.fileExists(atPath: json.path) else {
            throw SwiftProgram.CompilationFailed(description: "no report, exit \(result.status): \(result.error)")
        }
        return RecordedReport(report: try Report(json: json), status: result.status, error: result.error)
    }
}
