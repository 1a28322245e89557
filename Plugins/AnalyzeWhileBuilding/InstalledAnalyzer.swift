import Foundation

/// Finds a gameprof-analyze that is built already: building it here would make every package that uses the plugin build
/// swift-syntax.
enum InstalledAnalyzer {
    static let missing =
        "gameprof-analyze was not found: put it on PATH, or name it by the environment variable GAMEPROF_ANALYZER."

    static func find() -> URL? {
        let environment = ProcessInfo.processInfo.environment
        var candidates = environment["GAMEPROF_ANALYZER"].map { [$0] } ?? []
        candidates += (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/gameprof-analyze" }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(fileURLWithPath: $0) }
    }
}
