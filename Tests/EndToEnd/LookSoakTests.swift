import Foundation
import Testing

@testable import GameprofAnalysis

/// Looks at a server that answers meanwhile: `make soak`.
@Suite(.enabled(if: LongTests.soak))
struct LookSoakTests {
    /// Each other look is killed: the first at once, the last when a look would nearly have ended.
    @Test func `two hundred looks at 1 GB, every other one killed, fail no request of a server`() throws {
        let program = try SwiftProgram.compile(files: ["LookedAt.swift"], module: "LookedAt", build: .optimised)
        let folder = try TemporaryFolder()
        let report = folder.url.appending(path: "report.json")
        let server = try PipedProgram(program, ["server", "1024"])
        let pid = server.process.processIdentifier
        // Threads of the test block SIGTERM, and what they start inherits that.
        defer { kill(pid, SIGKILL) }
        let number = server.line
        let before = try server.anonymousMemory()
        let client = try PipedProgram(program, ["client", number])
        var pauses: [Double] = []
        var lasted = 0.0
        for turn in 0..<200 {
            let look = Process()
            look.executableURL = Products.gameprof
            look.arguments = ["leaks", "--pid", "\(pid)", "--quiet", "--json", report.path]
            let start = Date()
            try look.run()
            if turn % 2 == 1 {
                usleep(UInt32(lasted * Double(turn) / 200 * 1e6))
                kill(look.processIdentifier, SIGKILL)
            }
            look.waitUntilExit()
            guard turn % 2 == 0 else { continue }
            lasted = -start.timeIntervalSinceNow
            #expect(look.terminationStatus == 0)
            pauses.append(try #require(try Report(json: report).heap?.pauseSeconds))
        }
        let after = try server.anonymousMemory()
        let figures = try client.figures()
        try #require(figures.count == 3)
        pauses.sort()
        print(
            "\(pauses.count) looks, pauses \(pauses[0]), \(pauses[pauses.count / 2]), \(pauses[pauses.count - 1]) s;",
            "requests, failures, longest in ms: \(figures); memory in KiB: \(before), \(after)")
        #expect(figures[0] > 1000 && figures[1] == 0)
        #expect(after < before + 16 << 10, "a look leaves nothing in the process")
        #expect(server.process.isRunning)
    }
}
