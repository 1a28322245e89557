import Foundation

/// A package of `Tests/Field`: a small program on somebody else's library, built in a folder outside this package.
struct FieldPackage: CustomStringConvertible {
    var name: String
    var arguments: [String] = []

    var description: String { ([name] + arguments).joined(separator: " ") }

    static let healthy = ["FlyingFoxServer", "EchoServer", "Subscriptions", "Notebook", "Letters", "Structures"]
        .map { FieldPackage(name: $0) }

    /// Copies the package and builds it, once; what it depends on is fetched then. Its build is kept between runs.
    func build() throws -> URL {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Field/\(name)")
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-field/\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for item in ["Package.swift", "Sources"] {
            try? FileManager.default.removeItem(at: folder.appending(path: item))
            try FileManager.default.copyItem(at: sources.appending(path: item), to: folder.appending(path: item))
        }
        let result = try Command.run(
            URL(filePath: "/usr/bin/env"), ["swift", "build", "--package-path", folder.path])
        guard result.status == 0 else {
            throw SwiftProgram.CompilationFailed(description: result.output + result.error)
        }
        return folder.appending(path: ".build/debug/\(name)")
    }
}
