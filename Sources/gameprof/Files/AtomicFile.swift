import Foundation
import GameprofBasics

/// A file that appears whole under its name, or not at all.
enum AtomicFile {
    /// Checks, before any work, that a file can be made at `path`; makes the folder when `createsFolder`.
    /// - Parameter needsFile: it may not be a device or a pipe, as the user did not name it or it is read again.
    static func check(_ path: String, createsFolder: Bool = false, needsFile: Bool = false) throws {
        if path.isEmpty { throw ToolError(.wrongUsage, "The name of an output file is empty.") }
        // Swift's strings are UTF-8: what was not has become something else.
        if path.unicodeScalars.contains("\u{FFFD}") {
            throw ToolError(.wrongUsage, "\(path) cannot be written: its name is not UTF-8.")
        }
        do throws(OutputPlace.Refusal) {
            let place = try OutputPlace(path, createsFolder: createsFolder)
            guard place.isReplaceable || !needsFile else { throw OutputPlace.Refusal(Self.isSpecial) }
            try place.check()
        } catch {
            // Where descriptors are lacking the writing itself will say so: the program runs.
            if error.code == EMFILE { return }
            throw ToolError(.wrongUsage, "\(path) cannot be written: \(error.reason).")
        }
    }

    private static let isSpecial = "it is not a regular file"

    /// Writes `text` to `path`; `-` is standard output, a device or pipe is written directly.
    /// - Parameter isForOthers: a new file has the mode of the user's other files, because a server or another user's agent reads it;
    ///   otherwise it is its user's alone.
    static func write(_ text: String, to path: String, needsFile: Bool = false, isForOthers: Bool = false) throws {
        try stream(to: path, needsFile: needsFile, isForOthers: isForOthers) { pass in try pass(Array(text.utf8)) }
    }

    /// The same with bytes.
    static func write(_ bytes: some Sequence<UInt8>, to path: String, needsFile: Bool = false) throws {
        try stream(to: path, needsFile: needsFile) { pass in try pass(Array(bytes)) }
    }

    /// The same with bytes that `body` passes on piece by piece.
    static func stream(
        to path: String, needsFile: Bool = false, isForOthers: Bool = false,
        _ body: (_ pass: @escaping ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        if path == "-" { return try body { try StandardOutput.write($0) } }
        try reporting(path) {
            let place = try OutputPlace(path)
            if place.isReplaceable {
                return try place.stream(mode: isForOthers ? OutputPlace.usual : OutputPlace.ownersAlone, body)
            }
            guard !needsFile else { throw OutputPlace.Refusal(Self.isSpecial) }
            let descriptor = try PipeOutput.open(place)
            defer { close(descriptor) }
            try body { guard PipeOutput.write($0, to: descriptor) else { throw OutputPlace.Refusal() } }
        }
    }

    /// Whether nothing is at `path` yet, or a file.
    static func isReplaceable(_ path: String) -> Bool { (try? OutputPlace(path))?.isReplaceable ?? true }

    /// Puts the file that `make` writes at another path into the place of `path`.
    static func replace(_ path: String, make: (_ partial: String) throws -> Void) throws {
        try reporting(path) { try OutputPlace(path).replace(make: make) }
    }

    private static func reporting(_ path: String, _ body: () throws -> Void) throws {
        do { try body() } catch let error as OutputPlace.Refusal {
            throw ToolError(.toolFailed, "\(path) cannot be written: \(error.reason).")
        }
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
        let reason = systemReason()
        let place = temporaryFiles(environment)
        throw ToolError(.wrongUsage, "The folder for temporary files, \(place), cannot be written: \(reason).")
    }

    /// A folder in it where a program that gives up root's rights (setpriv, gosu) can go on writing: it has the path from its
    /// environment, and nobody else can list the folder above.
    func openToUsersWhoKnowIt() throws -> String {
        guard let inner = PrivateFolder(in: path, prefix: ""), chmod(inner.path, 0o1733) == 0, chmod(path, 0o711) == 0
        else { throw ToolError(.toolFailed, "\(path) cannot be written: \(systemReason()).") }
        return inner.path
    }
}
