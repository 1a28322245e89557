import Foundation
import Testing

@testable import GameprofAnalysis

/// The example whose debug menu writes the page of the leaks since the level began.
@Suite(.enabled(if: LongTests.field)) struct DebugMenuFieldTests {
    @Test("a game writes the page of what it lost since the level began, and runs on")
    func page() throws {
        let folder = try TemporaryFolder()
        let example = Products.package.appending(path: "Examples/DebugMenu")
        let scratch = FileManager.default.temporaryDirectory.appending(path: "gameprof-debug-menu")
        let build = try Command.run(
            URL(filePath: "/usr/bin/env"),
            [
                "swift", "build", "--traits", "Profiling", "--package-path", example.path, "--scratch-path",
                scratch.path,
            ])
        try #require(build.status == 0, "\(build.output) \(build.error)")
        let play = try Command.run(
            URL(filePath: "/bin/sh"),
            ["-c", "printf 'F9\\nplay\\nF9\\nF9\\n' | \(scratch.path)/debug/DebugMenu"],
            environment: ["GAMEPROF": "leaks"], directory: folder.url)
        #expect(
            play.output == """
                ready: F9 writes leaks.html, any other key plays a round
                0 findings, see leaks.html
                1 findings, see leaks.html
                1 findings, see leaks.html
                played

                """, "\(play.error)")
        let page = try String(contentsOf: folder.url.appending(path: "leaks.html"), encoding: .utf8)
        #expect(page.contains("Enemy") && page.contains("playARound"))
        for contradiction in [" in 0 blocks", "<dd>0 s</dd>", "older recorder"] {
            #expect(!page.contains(contradiction))
        }
        let plain = try Command.run(URL(filePath: "\(scratch.path)/debug/DebugMenu"))
        #expect(plain.output.hasPrefix("This process is not recorded"))
    }
}
