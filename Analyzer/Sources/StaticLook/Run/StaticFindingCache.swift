import Foundation
import GameprofBasics
import StaticFindingModel

/// Results of modules whose files have not changed, in a folder outside of the sources. Names are resolved across the
/// files of a module, so it is the module that is kept: one that did not change is not read again.
public struct StaticFindingCache: Sendable {
    /// Results beyond this many are thrown away, the oldest first.
    private static let limit = 400

    public var folder: String

    public init(folder: String) { self.folder = folder }

    /// The user's own folder for caches; nil when there is none.
    public static var standard: StaticFindingCache? {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
            return StaticFindingCache(folder: "\(folder)/gameprof/suspects")
        }
        return environment["HOME"].map { StaticFindingCache(folder: "\($0)/.cache/gameprof/suspects") }
    }

    /// Distinguishes contents and paths; paths are part of the results.
    /// `index`: the state of the build's index.
    static func key(of texts: [SourceText], build: String, index: String) -> String {
        let lines = texts.map { "\($0.path)\u{0}\($0.hash)\u{0}\($0.bytes.count)" }
        let text = "\(build)\n" + lines.joined(separator: "\n") + "\n" + index
        let bytes = Array(text.utf8)
        return ContentHash.of(bytes) + ContentHash.of(bytes.reversed())
    }

    /// What was kept; nil when there is nothing, or it cannot be read.
    func suspects(for key: String) -> ModuleResult? {
        guard isOwn, let data = RegularFile.contents(path(key)) else { return nil }
        let result = try? JSONDecoder().decode(ModuleResult.self, from: data)
        return result?.declaring.allSatisfy(\.isCurrent) == true ? result : nil
    }

    /// Keeps a result. A folder that cannot be written to is no reason to fail.
    func keep(_ result: ModuleResult, for key: String) {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard isOwn, let data = try? JSONEncoder().encode(result) else { return }
        try? OutputPlace.write(Array(data), to: path(key))
        trim()
    }

    /// Where everybody can write, results are neither believed nor kept.
    private var isOwn: Bool {
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o002 == 0
    }

    private func path(_ key: String) -> String { "\(folder)/\(key).json" }

    private func trim() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.count > Self.limit else { return }
        let dated = names.map { name -> (Date, String) in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return (attributes?[.modificationDate] as? Date ?? .distantPast, name)
        }.sorted { $0.0 < $1.0 }
        for (_, name) in dated.prefix(names.count - Self.limit) { unlink("\(folder)/\(name)") }
    }
}
