import Foundation

/// Finds the index that a build of a package left.
public enum IndexFinder {
    /// The store of the nearest package around a file that was built for debugging; nil: there is none.
    public static func store(around file: String) -> String? {
        var folder = URL(filePath: file).standardizedFileURL.deletingLastPathComponent()
        for _ in 0..<64 {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path),
                let found = store(in: folder.appending(path: ".build"))
            {
                return found
            }
            guard folder.path != "/" else { return nil }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    /// `debug` is a link to the newest `TRIPLE/debug`.
    private static func store(in build: URL) -> String? {
        let triples = (try? FileManager.default.contentsOfDirectory(atPath: build.path)) ?? []
        let folders = ["debug"] + triples.sorted().filter { $0.contains("-") }.map { "\($0)/debug" }
        return folders.map { build.appending(path: "\($0)/index/store").path }
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Versions of the format that the store holds: 5 for a folder `v5`.
    public static func formats(of store: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: store)) ?? []
        return names.filter { $0.hasPrefix("v") }.compactMap { Int($0.dropFirst()) }.sorted()
    }

    /// Changes whenever a build writes to the store. Units are put there by renaming, which the folder's time shows.
    public static func state(of store: String, format: Int) -> String {
        var status = stat()
        guard stat("\(store)/v\(format)/units", &status) == 0 else { return store }
        return "\(store) \(status.st_ino) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
