import Foundation

/// The library that is preloaded into a recorded program.
public enum CaptureLibrary {
    /// `libGameCapture.so`: in the resource bundle beside the tool (also where both were moved together), else beside
    /// the tool itself, else where the build left it. Nil: it is at none of these places.
    public static var url: URL? {
        candidates.first { FileManager.default.isReadableFile(atPath: $0.path) }
    }

    private static let name = "libGameCapture.so"
    private static let bundleName = "GameProfiler_CaptureLibrary.resources"

    /// `Bundle.module` stops the process when the bundle is missing, so it is asked only when its folder was seen.
    private static var candidates: [URL] {
        folders.flatMap { folder in
            [folder.appending(path: bundleName).appending(path: name), folder.appending(path: name)]
        }
    }

    private static var folders: [URL] {
        var folders: [URL] = []
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        folders.append(executable.deletingLastPathComponent())
        folders.append(Bundle.main.bundleURL)
        // Tests run inside a bundle that lies beside the resource bundles.
        folders.append(contentsOf: Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() })
        return folders
    }
}
