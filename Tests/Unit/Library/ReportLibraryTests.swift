import Foundation
import GameInstrumentation
import GameProfiler
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis

@Suite struct ReportLibraryTests {
    @Test("a trace becomes a report that is written as a page, as JSON and as text")
    func writing() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let trace = folder.appending(path: "a.gptrace").path
        try TraceBuilder().write(to: trace)
        let report = try Report(trace: trace)
        for (name, beginning) in [("a.html", "<!doctype html>"), ("a.json", "{"), ("a.txt", "gameprof report")] {
            let path = folder.appending(path: name).path
            try report.write(to: path)
            #expect(try String(contentsOfFile: path, encoding: .utf8).lowercased().hasPrefix(beginning))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("a file that is no trace, and a process that is not recorded, are told in a sentence")
    func refusals() {
        #expect(throws: (any Error).self) { try Report(trace: "/dev/null") }
        #expect { try LeakWatch() } throws: { "\($0)".hasPrefix("This process is not recorded") }
        #expect { try Instrumentation.report() } throws: { "\($0)".hasPrefix("This process is not recorded") }
        let report = Report(target: .init(executable: "game"), capture: .init())
        #expect { try report.write(to: "/nowhere/a.html") } throws: {
            "\($0)" == "The report /nowhere/a.html cannot be written: the folder /nowhere does not exist."
        }
    }
}
