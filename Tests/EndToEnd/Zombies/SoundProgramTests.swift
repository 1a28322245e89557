import Foundation
import Testing

/// Programs without a fault that do unusual things with memory: nothing is reported, and they run as ever.
@Suite struct SoundProgramTests {
    private func program() throws -> URL {
        try SwiftProgram.compile(files: ["Healthy.swift"], module: "Healthy", build: .optimised)
    }

    @Test(arguments: [
        [], ["--guard=none"], ["--guard=all"], ["--guard=1/10"], ["--retains", "Node,Child,Dying"], ["--continue"],
        ["--quarantine", "blocks=7"], ["--quarantine", "bytes=100000"],
    ])
    func `nothing is reported`(options: [String]) throws {
        let plain = try Command.run(program())
        let run = try ZombieRun.record(program(), [], options: options)
        #expect(run.output == plain.output)
        #expect(run.output.hasSuffix("boxes 12489526\n"))
        #expect(run.findings.map(\.type).isEmpty)
        #expect(run.status == 0)
    }

    @Test func `what is kept stays within the bounds that were asked for`() throws {
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "healthy.gptrace").path
        let bounds = ["--quarantine", "bytes=200000,blocks=1000"]
        _ = try ZombieRun.record(program(), [], options: bounds + ["--output", trace])
        let dump = try Command.run(Products.gameprof, ["dump", trace]).output
        let summary = try #require(dump.split(separator: "\n").last { $0.contains("zombie-summary") })
        func value(_ name: String) -> Int {
            let word = summary.split(separator: " ").first { $0.hasPrefix(name + "=") }
            return word.flatMap { Int($0.dropFirst(name.count + 1)) } ?? -1
        }
        #expect(value("kept") > 0)
        #expect(value("kept") <= 1000)
        // A thread's own row may go beyond: by a block at most.
        #expect(value("kept-bytes") <= 300_000)
        #expect(value("quarantined") == value("evicted") + value("kept"))
        #expect(value("passed-by") > 0)
    }
}
