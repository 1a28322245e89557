import Foundation

@testable import GameprofAnalysis

/// One recording with `gameprof zombies` or another command, and what it said.
struct ZombieRun {
    var findings: [Finding]
    /// The tool's own exit status.
    var status: Int32
    /// The program's standard output.
    var output: String
    var error: String

    static func record(
        _ program: URL, _ arguments: [String], command: String = "zombies", options: [String] = []
    ) throws -> ZombieRun {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            [command, "--json", json.path, "--quiet"] + options + ["--", program.path] + arguments,
            environment: ["SWIFT_BACKTRACE": "enable=no"], directory: folder.url)
        guard FileManager.default.fileExists(atPath: json.path) else {
            throw SwiftProgram.CompilationFailed(description: "no report, exit \(result.status): \(result.error)")
        }
        return ZombieRun(
            findings: try Report(json: json).findings, status: result.status, output: result.output,
            error: result.error)
    }
}
