import Foundation

@testable import GameprofAnalysis

/// One recording with `gameprof time`, and what it said.
struct TimeRun {
    var hotspots: Report.Hotspots
    /// What the reader should know of the recording.
    var notes: [String]
    /// The tool's own exit status.
    var status: Int32
    /// The program's standard output.
    var output: String
    /// Standard error: the program's and the tool's.
    var error: String

    /// Records a program.
    init(
        _ program: URL, _ arguments: [String] = [], options: [String] = [], environment: [String: String?] = [:]
    ) throws {
        try self.init(options + ["--", program.path] + arguments, environment)
    }

    /// Samples a process.
    init(process pid: String, options: [String]) throws { try self.init(["--pid", pid] + options, [:]) }

    private init(_ words: [String], _ environment: [String: String?]) throws {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["time", "--json", json.path] + words, environment: environment)
        guard FileManager.default.fileExists(atPath: json.path) else {
            throw SwiftProgram.CompilationFailed(description: "no report, exit \(result.status): \(result.error)")
        }
        let report = try Report(json: json)
        guard let found = report.hotspots else {
            throw SwiftProgram.CompilationFailed(description: "a report without hotspots: \(result.error)")
        }
        hotspots = found
        notes = report.capture.notes
        status = result.status
        output = result.output
        error = result.error
    }
}

extension Report.Hotspots {
    /// The share of a function, with what it calls.
    func total(_ name: String) -> Double { functions.first { $0.function == name }?.total ?? 0 }

    /// The share of a function itself.
    func own(_ name: String) -> Double { functions.first { $0.function == name }?.own ?? 0 }
}
