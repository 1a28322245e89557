import Foundation
import Testing

@testable import GameprofAnalysis

/// A program that the kernel ends because its memory group has no more.
@Suite(.serialized) struct OutOfMemoryTests {
    /// A memory group of the first version, which root alone may make; nil: it may not.
    private static func group() -> String? {
        let folder = "/sys/fs/cgroup/memory/gameprof-test-\(getpid())"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let isLimited =
            (try? "300M".write(toFile: folder + "/memory.limit_in_bytes", atomically: false, encoding: .utf8)) != nil
        if !isLimited { rmdir(folder) }
        return isLimited ? folder : nil
    }

    private static let canLimit: Bool = {
        guard let group = group() else { return false }
        return rmdir(group) == 0
    }()

    @Test(.enabled(if: canLimit)) func `the report says that memory ran out, and what grew`() throws {
        let program = try CProgram.compile("Hungry.c")
        let group = try #require(Self.group())
        defer { rmdir(group) }
        let folder = try TemporaryFolder()
        let result = try Command.run(
            URL(filePath: "/bin/sh"),
            [
                "-c", "echo $$ > \(group)/cgroup.procs; exec \"$0\" leaks --json r.json -- \"$1\"",
                Products.gameprof.path,
                program.path,
            ], directory: folder.url)
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(result.status == 4 && result.error.contains("ended because memory ran out"), "\(result.error)")
        #expect(report.target.exit == Report.Exit(signal: 9, outOfMemory: true))
        #expect(report.grew?.first?.allocatedBy?.maker?.contains("eat") == true, "\(result.error)")
    }

    @Test func `another SIGKILL is not taken for it`() throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            Products.gameprof, ["leaks", "--json", "r.json", "--", "/bin/sh", "-c", "kill -9 $$"], directory: folder.url
        )
        #expect(result.error.contains("signal 9") && !result.error.contains("memory ran out"), "\(result.error)")
    }
}
