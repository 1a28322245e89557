import Foundation
import TraceFile

/// A file that appears whole under its name, or not at all.
enum AtomicFile {
    /// Checks, before any work, that a file can be made at `path`; makes the folder when `createsFolder`.
    static func check(_ path: String, createsFolder: Bool = false) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw ToolError(.wrongUsage, "\(path) is a folder.") }
            if status.st_mode & S_IFMT != S_IFREG { return }
        }
        let folder = Self.folder(of: path)
        if createsFolder {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ToolError(.wrongUsage, "\(path) cannot be written: the folder \(folder) does not exist.")
        }
        let probe = "\(folder)/.gameprof-\(getpid())"
        let descriptor = open(probe, O_CREAT | O_WRONLY | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ToolError(.wrongUsage, "\(path) cannot be written: \(reason()).")
        }
        close(descriptor)
        unlink(probe)
    }

    /// Writes `text` to `path`; a device or pipe is written directly.
    static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    /// The same with bytes.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        var status = stat()
        let isPlain = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        let target = isPlain ? "\(folder(of: path))/.\(URL(fileURLWithPath: path).lastPathComponent).\(getpid())" : path
        do {
            try writeAll(Array(bytes), to: target)
            if isPlain, rename(target, path) != 0 { throw failure(path) }
        } catch {
            if isPlain { unlink(target) }
            throw error is ToolError ? failure(path) : error
        }
    }

    private static func writeAll(_ all: [UInt8], to path: String) throws {
        let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        var isComplete = true
        var bytes = ArraySlice(all)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                isComplete = false
                break
            }
            bytes = bytes.dropFirst(count)
        }
        let number = errno
        if close(descriptor) != 0 { isComplete = false } else { errno = number }
        if !isComplete { throw failure(path) }
    }

    private static func failure(_ path: String) -> ToolError {
        ToolError(.toolFailed, "\(path) cannot be written: \(reason()).")
    }

    private static func reason() -> String {
        let text = String(cString: strerror(errno))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func folder(of path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }
}
