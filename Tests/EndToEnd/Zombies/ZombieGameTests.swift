import Foundation
import Testing

/// The book's zombies are told by name; healthy programs run as they would without the tool.
@Suite struct ZombieGameTests {
    @Test(arguments: zip(["zombie", "attribute-zombie"], ["GameLab.Member", "GameLab.Opponent"]))
    func `the book's zombies are told by name`(fault: String, type: String) throws {
        for build in Products.GameLabBuild.made {
            let run = try ZombieRun.record(build.executable, ["fault", fault])
            #expect(run.findings.map(\.type) == [type], "\(build) \(run.error)")
        }
    }

    @Test(arguments: Products.GameLabBuild.made)
    func `healthy games are silent`(in build: Products.GameLabBuild) throws {
        let run = try ZombieRun.record(build.executable, ["play", "both", "--games", "2", "--seed", "7"])
        #expect(run.findings.isEmpty)
        #expect(run.status == 0)
    }

    /// Lint, so told, finds something to say of nearly every file.
    private static let lint = [
        "swift-format", "lint", "--recursive", "--configuration", #"{"version": 1, "lineLength": 60}"#,
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/GameModel").path,
    ]

    @Test(arguments: [["swift-format", "--help"], ["swift", "package", "--help"], lint])
    func `the toolchain's own programs run unchanged`(command: [String]) throws {
        let found = try Command.run(URL(filePath: "/usr/bin/env"), ["sh", "-c", "readlink -f $(command -v swift)"])
        let folder = URL(filePath: found.output.trimmingCharacters(in: .newlines)).deletingLastPathComponent()
        let program = folder.appending(path: command[0])
        // In a folder of its own: in the package's, `swift package` waits for the build that runs this test.
        let elsewhere = try TemporaryFolder()
        let plain = try Command.run(program, Array(command.dropFirst()), directory: elsewhere.url)
        let run = try ZombieRun.record(program, Array(command.dropFirst()))
        #expect(run.output == plain.output)
        #expect(run.error == plain.error)
        #expect(!plain.output.isEmpty || !plain.error.isEmpty)
        #expect(run.findings.isEmpty)
        #expect(run.status == 0)
    }
}
