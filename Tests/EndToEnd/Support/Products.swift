import Foundation

/// What the package's build made, found beside the running test bundle.
enum Products {
    /// The folder of the running test bundle: `.build/debug`.
    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The package itself.
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Whether `make analyzer` was run, where gameprof finds it.
    static let hasAnalyzer = FileManager.default.isExecutableFile(
        atPath: package.appending(path: "Analyzer/.build/release/gameprof-analyze").path)

    /// The tool as users get it, where `Scripts/test` made it: it is twice as fast as that of the debug build, which a plain
    /// `swift test` has.
    static let gameprof =
        ProcessInfo.processInfo.environment["GAMEPROF_TEST_TOOL"] == "release"
        ? packageBuild.appending(path: "release/gameprof") : folder.appending(path: "gameprof")

    private static let packageBuild = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// An animation with frames, probes and waits.
    static let animatedGame = folder.appending(path: "AnimatedGame")

    /// Builds of GameLab that `Scripts/test` makes.
    enum GameLabBuild: String, CaseIterable, CustomStringConvertible {
        case debug, release, staticRelease

        var description: String { rawValue }

        var executable: URL {
            switch self {
            case .debug: folder.appending(path: "gamelab")
            case .release: packageBuild.appending(path: "release/gamelab")
            case .staticRelease: packageBuild.appending(path: "static/release/gamelab")
            }
        }
    }
}
