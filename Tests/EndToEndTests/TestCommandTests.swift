import Foundation
import Testing

/// `gameprof test` beside a `swift test` that says what the case needs.
@Suite struct TestCommandTests {
    private func run(swift script: String) throws -> CommandResult {
        let folder = try TemporaryFolder()
        let swift = folder.url.appending(path: "swift")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: swift)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return try Command.run(
            Products.gameprof, ["test"], environment: ["PATH": "\(folder.url.path):\(path)"], directory: folder.url)
    }

    @Test("a package whose tests measure nothing is not measured, and did not pass")
    func nothingMeasured() throws {
        let result = try run(swift: "exit 0")
        #expect(result.status == 4)
        #expect(result.error.contains("Not measured"), "\(result.error)")
        #expect(!result.error.contains("No test lost anything"))
    }

    @Test("tests that measured and lost nothing pass, with how often they measured")
    func measuredAndSound() throws {
        let result = try run(swift: #"printf 111 >> "$GAMEPROF_TEST_FINDINGS/measured""#)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.contains("No test lost anything; stretches measured: 3."), "\(result.error)")
    }

    @Test("a test that fails is told before what was not measured")
    func failedTest() throws {
        #expect(try run(swift: "exit 1").status == 1)
    }
}
