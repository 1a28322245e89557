import Foundation
import GameprofReportModel
import Testing

/// Looks at a server that answers meanwhile: `make soak`.
@Suite(.enabled(if: LongTests.soak))
struct LookSoakTests {
    private static func start(_ program: URL, _ arguments: [String]) throws -> (Process, Pipe, Pipe) {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        return (process, input, output)
    }

    @Test func `two hundred looks, every other one killed, fail no request of a server`() throws {
        let program = try SwiftProgram.compile(files: ["LookedAt.swift"], module: "LookedAt", build: .optimised)
        let (server, _, port) = try Self.start(program, ["server", "64"])
        // Threads of the test block SIGTERM, and what they start inherits that.
        defer { kill(server.processIdentifier, SIGKILL) }
        let number = String(decoding: port.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .newlines)
        let (client, input, output) = try Self.start(program, ["client", number])
        for turn in 0..<200 {
            let look = Process()
            look.executableURL = Products.gameprof
            look.arguments = ["leaks", "--pid", "\(server.processIdentifier)", "--quiet", "--json", "/dev/null"]
            try look.run()
            if turn % 2 == 0 {
                usleep(UInt32(turn * 2000))
                kill(look.processIdentifier, SIGKILL)
            }
            look.waitUntilExit()
            if turn % 2 == 1 { #expect(look.terminationStatus == 0) }
        }
        try input.fileHandleForWriting.close()
        let figures = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .newlines)) }
        client.waitUntilExit()
        try #require(figures.count == 3)
        #expect(figures[0] > 1000 && figures[1] == 0, "requests, failures, longest in ms: \(figures)")
        #expect(server.isRunning)
    }
}
