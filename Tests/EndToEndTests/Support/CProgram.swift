import Foundation

/// A small C program that a test compiles.
enum CProgram {
    /// Compiles a file of the folder `Programs` and returns the executable; once in a run.
    static func compile(_ file: String) throws -> URL {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Programs/\(file)")
        let folder = Products.folder.appending(path: "test-programs/c-\(getpid())")
        let executable = folder.appending(path: source.deletingPathExtension().lastPathComponent)
        if FileManager.default.fileExists(atPath: executable.path) { return executable }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let result = try Command.run(
            URL(filePath: "/usr/bin/env"),
            ["clang", "-O1", "-g", "-D_GNU_SOURCE", "-pthread", source.path, "-o", executable.path])
        guard result.status == 0 else { throw SwiftProgram.CompilationFailed(description: result.error) }
        return executable
    }
}
