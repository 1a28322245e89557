import Foundation
import Testing

@testable import GameprofAnalysis

/// What a program notices when its threads were stopped by `gameprof heap --pid`.
@Suite struct StoppedCallTests {
    @Test(
        "waiting calls, a sleep whose filter forbids restart_syscall, and a vfork end as they do without a look",
        arguments: ["calls", "filtered", "vfork"])
    func unharmed(mode: String) throws {
        let program = try CProgram.compile("Stopped.c")
        let alone = try WaitingProgram(program, [mode]).finish()
        let waiting = try WaitingProgram(program, [mode])
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        for _ in 0..<3 {
            let look = try Command.run(
                Products.gameprof, ["heap", "--pid", waiting.pid, "--quiet", "--json", json.path])
            #expect(look.status == 0, "\(look.error)")
        }
        #expect(try waiting.finish() == alone)
        let notes = try Report(json: json).capture.notes
        #expect(notes.contains { $0.hasPrefix("1 thread could not be stopped") } == (mode == "vfork"), "\(notes)")
    }

    @Test(
        "the doctor names the threads that a look does not leave as they are",
        arguments: [
            ("calls", ["calls         accept in 1 thread will begin again"]),
            ("filtered", ["calls         poll in 1 thread will begin again", "filter        of system calls"]),
            ("vfork", ["sleep         1 thread cannot be stopped now"]),
        ])
    func named(mode: String, lines: [String]) throws {
        let waiting = try WaitingProgram(try CProgram.compile("Stopped.c"), [mode])
        let result = try Command.run(Products.gameprof, ["doctor", waiting.pid])
        _ = try waiting.finish()
        #expect(result.status == 0)
        for line in lines { #expect(result.output.contains(line), "\(result.output)") }
        #expect(!result.output.contains("semop"))
    }
}
