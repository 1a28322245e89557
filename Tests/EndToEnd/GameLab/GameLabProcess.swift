import Foundation

/// One run of the `gamelab` executable that was built together with these tests.
struct GameLabProcess {
    let output: String
    let errors: String
    let exitCode: Int32

    /// Runs the program and waits for its end.
    init(_ arguments: String...) throws {
        try self.init(arguments)
    }

    /// Runs the program and waits for its end.
    init(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = try Self.executable()
        process.arguments = arguments
        // A crash writes its one line, not the runtime's long report.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        try process.run()
        // What these runs write fits into a pipe, so that one can be read after the other.
        let outputData = try outputPipe.fileHandleForReading.readToEnd() ?? Data()
        let errorData = try errorPipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        output = String(decoding: outputData, as: UTF8.self)
        errors = String(decoding: errorData, as: UTF8.self)
        exitCode = process.terminationStatus
    }

    var outputLines: [Substring] { output.split(separator: "\n") }

    /// The products of a build lie in one folder.
    static func executable() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("gamelab")
    }
}
