import Foundation
import Testing

/// A game that looks for its own leaks (`LeakWatch`): a hidden thread of it searches.
@Suite struct OwnSearchTests {
    private func run(_ way: String) throws -> CommandResult {
        let folder = try TemporaryFolder()
        return try Command.run(
            LinkedGame.recording.build().appending(path: "WatchedGame"), [way],
            environment: ["GAMEPROF": "leaks", "GAMEPROF_OUTPUT": folder.url.appending(path: "t.gptrace").path])
    }

    @Test("a game finds what it lost, on a thread of its own that takes none of its descriptors")
    func hiddenThread() throws {
        let result = try run("once")
        #expect(result.output == "findings 1\ndescriptors unchanged\nsearch thread yes\n", "\(result.error)")
        #expect(result.status == 0)
    }

    @Test("threads that look at once, beside a program that forks, each find what they lost")
    func manyThreads() throws {
        let result = try run("threads")
        #expect(result.output == "found 20 of 20\n" && result.status == 0, "\(result.error)")
    }

    @Test("a game that is searched ends by exit, and with its last thread")
    func ends() throws {
        let (byExit, byThread) = (try run("exit"), try run("leave"))
        #expect(byExit.output == "1\n" && byExit.status == 7, "\(byExit.error)")
        #expect(byThread.output == "1\n" && byThread.status == 0, "\(byThread.error)")
    }

    @Test("a game under a filter of system calls is told that it cannot be searched")
    func filtered() throws {
        let result = try run("filter")
        #expect(
            result.output.hasPrefix("The heap snapshot gives no result: the heap cannot be searched in this process: "))
        #expect(result.output.hasSuffix("(seccomp).\n"), "\(result.output)")
    }
}
