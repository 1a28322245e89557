import Foundation
import Testing

/// A program that is spoken to through pipes: its standard input and output.
struct PipedProgram {
    let process = Process()
    let input = Pipe()
    let output = Pipe()

    init(_ program: URL, _ arguments: [String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// The first line that it prints.
    var line: String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// The numbers that it prints once its input has ended.
    func figures() throws -> [Int] {
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .newlines)) }
    }

    /// Resident anonymous memory, in KiB.
    func anonymousMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let row = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(row.filter(\.isNumber)))
    }
}
