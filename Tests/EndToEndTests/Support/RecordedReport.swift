import Foundation

/// The part of the report JSON that end-to-end tests look at, decoded as a stranger's script would.
struct RecordedReport: Decodable {
    struct Reference: Decodable, Hashable {
        var from: String
        var field: String
        /// The field and all that follows it on the way to `to`: "slots[…].part".
        var path: String?
        var to: String
        var ownership: String
        var via: [String]?
    }

    struct Frame: Decodable {
        var function: String
        var file: String?
        var line: Int?
    }

    struct Stack: Decodable {
        var frames: [Frame]
    }

    struct Finding: Decodable {
        var kind: String
        var severity: String
        var signature: String
        var message: String
        var count: Int
        var bytes: Int
        var type: String?
        var objects: [String: Int]?
        var references: [Reference]?
        var allocatedBy: Stack?
        var known: String?
        var fix: String?
        var heldBy: [String]?

        func isAllocated(by function: String) -> Bool {
            allocatedBy?.frames.contains { $0.function.contains(function) } ?? false
        }
    }

    var findings: [Finding]

    var errors: [Finding] { findings.filter { $0.severity == "error" } }
}

extension RecordedReport {
    /// One recording with `gameprof leaks`, and what it said.
    struct Recording {
        var report: RecordedReport
        /// The tool's own exit status.
        var status: Int32
        /// Standard error: the program's and the tool's.
        var error: String
    }

    /// Records `program` with `gameprof leaks` and reads the JSON report.
    static func leaks(of program: URL, _ arguments: [String] = []) throws -> Recording {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            [
                "leaks", "--json", json.path, "--html", folder.url.appending(path: "report.html").path, "--",
                program.path,
            ] + arguments)
        guard let data = try? Data(contentsOf: json) else {
            throw SwiftProgram.CompilationFailed(description: "no report, exit \(result.status): \(result.error)")
        }
        return Recording(
            report: try JSONDecoder().decode(RecordedReport.self, from: data), status: result.status,
            error: result.error)
    }
}
