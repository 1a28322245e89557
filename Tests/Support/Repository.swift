import Foundation

/// The files of this repository that tests read.
public enum Repository {
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// `path`: below the root.
    public static func file(_ path: String) -> URL { root.appending(path: path) }
}
