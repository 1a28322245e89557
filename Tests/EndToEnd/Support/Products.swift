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

    /// Whether `Scripts/test --end-to-end` made the tool and the games as they are released.
    private static let hasReleases = ProcessInfo.processInfo.environment["GAMEPROF_TEST_TOOL"] == "release"

    /// The tool as users get it, where it was made: it is twice as fast as that of the debug build.
    static let gameprof =
        hasReleases ? packageBuild.appending(path: "release/gameprof") : folder.appending(path: "gameprof")

    private static let packageBuild = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// An animation with frames, probes and waits.
    static let animatedGame = folder.appending(path: "AnimatedGame")

    /// Builds of GameLab. Only that for debugging is made for the fast tests.
    enum GameLabBuild: String, CaseIterable, CustomStringConvertible {
        case debug, release, staticRelease

        static let made = hasReleases ? allCases : [.debug]
        static let fastest = hasReleases ? Self.release : .debug

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
