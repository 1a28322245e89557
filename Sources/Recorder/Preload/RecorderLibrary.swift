import Foundation

/// The library that is preloaded into a recorded program.
public enum RecorderLibrary {
    public static let name = "libGameRecorder.so"

    /// The one that the tool's own environment and place lead to.
    public static var url: URL? { find(environment: ProcessInfo.processInfo.environment) }

    /// `$GAMEPROF_LIBRARY`, else in the resource bundle beside the tool (also where both were moved together), beside
    /// the tool itself, where an installed tool has it, or where the build of the tests left it. Nil: it is at none of
    /// these places.
    public static func find(environment: [String: String]) -> URL? {
        let candidates = environment["GAMEPROF_LIBRARY"].map { [URL(fileURLWithPath: $0)] } ?? candidates
        return candidates.first { access($0.path, R_OK) == 0 }?.standardizedFileURL
    }

    /// `Bundle.module` stops the process when the bundle is missing, so bundles are looked for as folders.
    private static var candidates: [URL] {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let bundles = ["GameProfiler_RecorderLibrary.resources", "GameProfiler_RecorderLibrary-tool.resources"]
        return bundles.map { folder.appending(path: $0).appending(path: name) }
            + [folder.appending(path: name), folder.appending(path: "../lib/gameprof").appending(path: name)]
    }
}
