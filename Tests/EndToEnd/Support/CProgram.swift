import Foundation
import Synchronization

/// A small C program that a test compiles.
enum CProgram {
    /// Compiles a file of the folder `Programs` and returns the executable, which is called as the file unless another
    /// name is given; once in a run.
    static func compile(_ file: String, name: String? = nil, flags: [String] = []) throws -> URL {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Programs/\(file)")
        let folder = Products.folder.appending(path: "test-programs/c-\(getpid())")
        let executable = folder.appending(path: name ?? source.deletingPathExtension().lastPathComponent)
        return try compilation.withLock { _ in
            if FileManager.default.fileExists(atPath: executable.path) { return executable }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let arguments = ["clang", "-O1", "-g", "-D_GNU_SOURCE", "-pthread", source.path, "-o", executable.path]
            let result = try Command.run(URL(filePath: "/usr/bin/env"), arguments + flags)
            guard result.status == 0 else { throw SwiftProgram.CompilationFailed(description: result.error) }
            return executable
        }
    }

    private static let compilation = Mutex(())
}
