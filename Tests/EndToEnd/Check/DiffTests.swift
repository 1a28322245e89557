import Foundation
import Testing

/// `gameprof diff`: what is new, gone or more from one trace to another, and what it exits with.
@Suite struct DiffTests {
    private let folder: TemporaryFolder
    private let games = Products.GameLabBuild.release.executable.path

    init() throws { folder = try TemporaryFolder() }

    private func gameprof(_ arguments: String...) throws -> CommandResult {
        try Command.run(Products.gameprof, arguments, directory: folder.url)
    }

    private func record(_ name: String, _ instruments: String, _ arguments: String...) throws {
        _ = try Command.run(
            Products.gameprof,
            ["record", "--quiet", "--instruments", instruments, "-o", name, games] + arguments, directory: folder.url)
    }

    @Test("a new leak and more memory fail where they are asked for, what got less does not")
    func failOn() throws {
        try record("healthy", "allocations,leaks", "play", "memory", "--games", "1")
        try record("leaking", "allocations,leaks", "fault", "malloc-leak")
        let text = try gameprof("diff", "healthy", "leaking")
        #expect(
            text.status == 0 && text.output.contains("Leaks and zombies: 1 new, 0 gone"), "\(text.output)\(text.error)")
        #expect(text.output.contains("live memory at the end"), "\(text.output)")
        #expect(try gameprof("diff", "healthy", "leaking", "--text", "--no-color").output == text.output)
        #expect(try gameprof("diff", "healthy", "leaking", "--quiet").output.isEmpty)
        let worse = try gameprof("diff", "healthy", "leaking", "--fail-on", "leaks,live", "--json", "d.json")
        #expect(worse.status == 1, "\(worse.error)")
        #expect(worse.error.contains("--fail-on: new: Leaked memory"), "\(worse.error)")
        let better = try gameprof("diff", "leaking", "healthy", "--fail-on", "leaks,live")
        #expect(better.status == 0, "\(better.error)")
        #expect(try gameprof("diff", "healthy", "healthy", "--fail-on", "leaks,live,peak,allocations").status == 0)
    }

    @Test("CPU time of one run each has no verdict")
    func singleRuns() throws {
        try record("short", "time", "play", "memory", "--games", "1")
        try record("long", "time", "play", "memory", "--games", "400")
        let result = try gameprof("diff", "short", "long", "--fail-on", "time")
        #expect(result.status == 0 && result.error.contains("was recorded in one run each"), "\(result.error)")
        #expect(result.output.contains("(one run each: not compared)"), "\(result.output)")
    }

    @Test("a name that is not known, and a figure that was not recorded, are no pass")
    func refusals() throws {
        try record("a", "allocations", "play", "memory", "--games", "1")
        let unknown = try gameprof("diff", "a", "a", "--fail-on", "peek")
        #expect(unknown.status == 2 && unknown.error.contains("did you mean peak? There are leaks, time, live, peak"))
        let missing = try gameprof("diff", "a", "a", "--fail-on", "leaks,peak")
        #expect(missing.status == 4 && missing.error.contains("leaks was not recorded in both"), "\(missing.error)")
    }
}
