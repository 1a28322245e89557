import Foundation

/// The recorder's library, which is loaded into the program before anything else.
enum CaptureLibraryFile {
    static let name = "libGameCapture.so"

    /// `$GAMEPROF_LIBRARY`, else beside the tool as SwiftPM puts it, else where an installed tool has it.
    static func find(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String {
        let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        var candidates = [
            "\(tool)/GameProfiler_CaptureLibrary.resources/\(name)",
            "\(tool)/GameProfiler_CaptureLibrary-tool.resources/\(name)", "\(tool)/\(name)",
            "\(tool)/../lib/gameprof/\(name)",
        ]
        if let chosen = environment["GAMEPROF_LIBRARY"] { candidates = [chosen] }
        guard let found = candidates.first(where: { access($0, R_OK) == 0 }) else {
            throw ToolError(.toolFailed, "The recorder \(name) is missing beside gameprof: build or install it again.")
        }
        return URL(fileURLWithPath: found).standardizedFileURL.path
    }
}
