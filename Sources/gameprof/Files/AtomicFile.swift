import Foundation
import GameprofBasics
import GameprofTraceFile

/// A file that appears whole under its name, or not at all.
enum AtomicFile {
    /// Checks, before any work, that a file can be made at `path`; makes the folder when `createsFolder`.
    static func check(_ path: String, createsFolder: Bool = false) throws {
        if path.isEmpty { throw ToolError(.wrongUsage, "The name of an output file is empty.") }
        // Swift's strings are UTF-8: what was not has become something else.
        if path.unicodeScalars.contains("\u{FFFD}") {
            throw ToolError(.wrongUsage, "\(path) cannot be written: its name is not UTF-8.")
        }
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw ToolError(.wrongUsage, "\(path) is a folder.") }
            if status.st_mode & S_IFMT != S_IFREG { return }
        }
        let folder = PrivateFolder.folder(of: path)
        if createsFolder {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if mkdir(folder, 0o777) != 0, errno != EEXIST {
                throw ToolError(
                    .wrongUsage, "\(path) cannot be written: the folder \(folder) cannot be made: \(reason()).")
            }
        }
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ToolError(.wrongUsage, "\(path) cannot be written: the folder \(folder) does not exist.")
        }
        guard let probe = PrivateFolder(beside: path) else {
            throw ToolError(.wrongUsage, "\(path) cannot be written: \(reason()).")
        }
        probe.remove()
    }

    /// Writes `text` to `path`; `-` is standard output, a device or pipe is written directly.
    static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    /// The same with bytes. A new file is its user's alone, since reports hold arguments and paths; one that is there keeps
    /// its mode, a link stays one.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        try stream(to: path) { pass in try pass(Array(bytes)) }
    }

    /// The same with bytes that `body` passes on piece by piece.
    static func stream(to path: String, _ body: (_ pass: @escaping ([UInt8]) throws -> Void) throws -> Void) throws {
        if path == "-" { return try body { try StandardOutput.write($0) } }
        guard isReplaceable(path) else {
            do { return try fill(path, O_WRONLY, body) } catch is FileFailure { throw failure(path) }
        }
        try replace(path) { try fill($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, body) }
    }

    /// Whether nothing is at `path` yet, or a file.
    static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Puts the file that `make` writes in a private folder beside it into the place of `path`.
    static func replace(_ path: String, make: (_ partial: String) throws -> Void) throws {
        var status = stat()
        let isThere = stat(path, &status) == 0
        let final = isThere ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
        guard let place = PrivateFolder(beside: final) else { throw failure(path) }
        defer { place.remove() }
        let partial = place.path + "/partial"
        do {
            try make(partial)
            if isThere { chmod(partial, status.st_mode & 0o777) }
            if rename(partial, final) != 0 { throw FileFailure() }
        } catch is FileFailure {
            throw failure(path)
        }
    }

    /// A system call failed, `errno` says why.
    private struct FileFailure: Error {}

    private static func fill(
        _ path: String, _ flags: Int32, _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure() }
        do {
            try body { guard writeAll($0, to: descriptor) else { throw FileFailure() } }
        } catch {
            let number = errno
            close(descriptor)
            errno = number
            throw error
        }
        guard close(descriptor) == 0 else { throw FileFailure() }
    }

    /// False: not everything could be written, `errno` says why.
    static func writeAll(_ all: [UInt8], to descriptor: Int32) -> Bool {
        var bytes = ArraySlice(all)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    private static func failure(_ path: String) -> ToolError {
        ToolError(.toolFailed, "\(path) cannot be written: \(reason()).")
    }

    /// `errno` in words.
    static func reason() -> String {
        let text = String(cString: strerror(errno))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// What stands behind the last slash.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

extension PrivateFolder {
    /// A new one among the temporary files.
    /// - Throws: `ToolError`.
    static func temporary(
        for use: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> PrivateFolder {
        if let folder = PrivateFolder(temporaryFor: use, environment: environment) { return folder }
        let reason = AtomicFile.reason()
        let place = temporaryFiles(environment)
        throw ToolError(.wrongUsage, "The folder for temporary files, \(place), cannot be written: \(reason).")
    }

    /// A folder in it where a program that gives up root's rights (setpriv, gosu) can go on writing: it has the path from its
    /// environment, and nobody else can list the folder above.
    func openToUsersWhoKnowIt() throws -> String {
        guard let inner = PrivateFolder(in: path, prefix: ""), chmod(inner.path, 0o1733) == 0, chmod(path, 0o711) == 0
        else { throw ToolError(.toolFailed, "\(path) cannot be written: \(AtomicFile.reason()).") }
        return inner.path
    }
}
