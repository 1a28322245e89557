import Foundation
import GameprofAnalysis
import GameprofReport

/// The version of the reports' JSON that the user's scripts read.
enum ReportJSON {
    static let variable = "GAMEPROF_JSON_VERSION"

    /// Nil where it names no version.
    static func version(of value: String? = ProcessInfo.processInfo.environment[variable]) -> Int? {
        guard let value, !value.isEmpty else { return Report.newestVersion }
        return Int(value).flatMap { (1...Report.newestVersion).contains($0) ? $0 : nil }
    }

    static func render(_ report: Report) throws -> String {
        var report = report
        report.version = version() ?? Report.newestVersion
        return try JSONReport.render(report)
    }
}
