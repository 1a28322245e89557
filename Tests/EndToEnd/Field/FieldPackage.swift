import Foundation
import Synchronization

/// A package of `Tests/Field`: a small program on somebody else's library, built in a folder outside this package.
struct FieldPackage: CustomStringConvertible {
    var name: String
    var configuration = "debug"
    /// Without Instrumentation, where the package has the choice.
    var isPlain = false

    var description: String { "\(name), \(configuration)\(isPlain ? ", plain" : "")" }

    /// Small enough for every run of the tests.
    static let roster = FieldPackage(name: "Roster")

    static let healthy =
        ["FlyingFoxServer", "EchoServer", "Subscriptions", "Notebook", "Letters", "Structures", "GameServer"]
        .map { FieldPackage(name: $0) } + [FieldPackage(name: "Roster", configuration: "release")]

    private static let builds = Mutex<[String: URL]>([:])

    /// The executable, built by the package manager at its first use; what it depends on is fetched then. Its build is kept
    /// between runs.
    func build() throws -> URL {
        try Self.builds.withLock { builds in
            if let built = builds[description] { return built }
            let built = try makeBuild()
            builds[description] = built
            return built
        }
    }

    private func makeBuild() throws -> URL {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Field/\(name)")
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "gameprof-field/\(name)\(isPlain ? "-plain" : "")")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for item in ["Package.swift", "Sources"] {
            try? FileManager.default.removeItem(at: folder.appending(path: item))
            try FileManager.default.copyItem(at: sources.appending(path: item), to: folder.appending(path: item))
        }
        let result = try Command.run(
            URL(filePath: "/usr/bin/env"), ["swift", "build", "-c", configuration, "--package-path", folder.path],
            environment: ["GAMEPROFILER": Products.package.path].merging(isPlain ? ["PLAIN": "1"] : [:]) { $1 })
        guard result.status == 0 else {
            throw SwiftProgram.CompilationFailed(description: result.output + result.error)
        }
        return folder.appending(path: ".build/\(configuration)/\(name)")
    }
}
