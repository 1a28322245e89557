import Foundation
import Testing

@testable import GameprofReport

/// Compares whole reports with files in Golden. `GAMEPROF_RECORD_GOLDEN=1` writes them anew and makes the run fail.
@Suite struct ReportGoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    private func check(_ text: String, _ name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["GAMEPROF_RECORD_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            Issue.record("recorded \(name): look at it, then run without GAMEPROF_RECORD_GOLDEN")
            return
        }
        let golden = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        guard text != golden else { return }
        let pairs = zip(text.split(separator: "\n"), golden.split(separator: "\n"))
        let difference = pairs.enumerated().first { $0.element.0 != $0.element.1 }
        Issue.record("\(name) differs from line \(difference.map { "\($0.offset + 1): \($0.element.0)" } ?? "end")")
    }

    @Test func text() throws {
        try check(TextReport.render(ReportFixture.full, instrument: .leaks), "full-leaks.txt")
        try check(TextReport.render(ReportFixture.full, instrument: .allocations), "full-allocations.txt")
        try check(TextReport.render(ReportFixture.clean, instrument: .leaks), "clean.txt")
        let coloured = TextStyle(isColoured: true, width: 60)
        try check(TextReport.render(ReportFixture.full, instrument: .leaks, style: coloured), "full-narrow-colour.txt")
    }

    @Test func json() throws {
        var report = ReportFixture.full
        report.version = 1
        try check(JSONReport.render(report), "full.json")
        report = ReportFixture.clean
        report.version = 1
        try check(JSONReport.render(report), "clean.json")
    }

    @Test func page() throws {
        try check(HTMLReport.render(ReportFixture.full), "full.html")
        try check(HTMLReport.render(ReportFixture.clean), "clean.html")
    }
}
