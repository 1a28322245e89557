import Foundation

/// One recording with `gameprof time`, and what it said, decoded as a stranger's script would.
struct TimeRun {
    struct Function: Decodable {
        var function: String
        var module: String
        var file: String?
        var line: Int?
        var own: Double
        var total: Double
        var callers: [String]
        var waitsFor: [String: Double]?

        enum CodingKeys: String, CodingKey {
            case own = "self"
            case function, module, file, line, total, callers, waitsFor
        }
    }

    struct Thread: Decodable {
        var name: String
        var cpuSeconds: Double
        var samples: Int
    }

    struct Work: Decodable {
        var kind: String
        var name: String
        var share: Double
    }

    struct Hotspots: Decodable {
        var samples: Int
        var cpuSeconds: Double
        var lost: Int
        var functions: [Function]
        var offCPU: [Function]?
        var threads: [Thread]
        var work: [Work]?
        var method: String

        /// The share of a function, with what it calls.
        func total(_ name: String) -> Double { functions.first { $0.function == name }?.total ?? 0 }

        /// The share of a function itself.
        func own(_ name: String) -> Double { functions.first { $0.function == name }?.own ?? 0 }
    }

    private struct Capture: Decodable { var notes: [String] }

    private struct Document: Decodable {
        var hotspots: Hotspots
        var capture: Capture
    }

    var hotspots: Hotspots
    /// What the reader should know of the recording.
    var notes: [String]
    /// The tool's own exit status.
    var status: Int32
    /// The program's standard output.
    var output: String
    /// Standard error: the program's and the tool's.
    var error: String

    init(
        _ program: URL, _ arguments: [String] = [], options: [String] = [], environment: [String: String?] = [:]
    ) throws {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["time", "--json", json.path] + options + ["--", program.path] + arguments,
            environment: environment)
        guard let data = try? Data(contentsOf: json) else {
            throw SwiftProgram.CompilationFailed(description: "no report, exit \(result.status): \(result.error)")
        }
        let document = try JSONDecoder().decode(Document.self, from: data)
        hotspots = document.hotspots
        notes = document.capture.notes
        status = result.status
        output = result.output
        error = result.error
    }
}
