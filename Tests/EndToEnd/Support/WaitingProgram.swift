import Foundation
import Testing

/// A program that waits for a line, and what it writes.
final class WaitingProgram {
    let process = Process()
    let input = Pipe()
    private let output = Pipe()

    /// - Parameter preload: a library; nil: none.
    init(_ program: URL, _ arguments: [String] = [], preload: String? = nil) throws {
        process.executableURL = program
        process.arguments = arguments
        if let preload {
            process.environment = ProcessInfo.processInfo.environment.merging(["LD_PRELOAD": preload]) { $1 }
        }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        waitForWord()
    }

    private func waitForWord() {
        var text = ""
        while !(text.contains("waiting") && text.hasSuffix("\n")) {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        #expect(text.contains("waiting"))
    }

    var pid: String { "\(process.processIdentifier)" }

    /// Sends a line after which it waits again.
    func goOn(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        waitForWord()
    }

    /// Sends the line and returns what the program writes until it ends.
    func finish() throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("go on\n".utf8))
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    /// Writes the process's core file into the folder.
    func core(in folder: TemporaryFolder) throws -> String {
        let prefix = folder.url.appending(path: "core").path
        let result = try Command.run(URL(filePath: "/usr/bin/env"), ["gcore", "-o", prefix, pid])
        #expect(result.status == 0, "\(result.error)")
        return "\(prefix).\(pid)"
    }

    /// The program may block SIGTERM, as the test's thread does.
    func end() { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    deinit { end() }
}
