import Foundation

/// What a finished command left behind.
struct CommandResult {
    /// Exit code, or the negative signal number when a signal ended it.
    var status: Int32
    var output: String
    var error: String
}

enum Command {
    /// The environment of a command. Variables for gameprof in this process are for its tests: programs that print such
    /// variables would show them, in the order of a dictionary.
    static func environment(_ own: [String: String], adding added: [String: String?]) -> [String: String] {
        var result = own.filter { $0.key != "GAMEPROF" && !$0.key.hasPrefix("GAMEPROF_") }
        for (name, value) in added { result[name] = value }
        return result
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - environment: added to this process's own; a nil value takes a variable away.
    ///   - directory: working directory; nil: this process's.
    /// - Throws: when the program cannot be started.
    static func run(
        _ executable: URL, _ arguments: [String] = [], environment: [String: String?] = [:], directory: URL? = nil
    ) throws -> CommandResult {
        let scratch = try TemporaryFolder()
        let output = scratch.url.appending(path: "out")
        let error = scratch.url.appending(path: "err")
        for file in [output, error] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.environment = self.environment(ProcessInfo.processInfo.environment, adding: environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: error)
        try process.run()
        process.waitUntilExit()
        let status = process.terminationStatus
        return CommandResult(
            status: process.terminationReason == .uncaughtSignal ? -status : status,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
    }
}

/// A folder that lives as long as this object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "gameprof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
