import Foundation
import GameprofTestSupport
import Testing

@Suite("Layout of the repository")
struct RepositoryLayoutTests {
    /// The names that the project was asked for, and what an entry may be: a file or a folder.
    @Test(
        "the six names of the project's card exist",
        arguments: [
            "Package.swift", "Sources/GameModel", "Sources/Instrumentation", "Sources/Profiler", "Tests", "Reports",
        ])
    func namesOfTheCard(name: String) {
        #expect(FileManager.default.fileExists(atPath: Repository.file(name).path))
    }

    @Test("Sources has six rooms")
    func rooms() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.file("Sources").path)
        #expect(Set(names) == ["GameModel", "GameLab", "Instrumentation", "Recorder", "Profiler", "gameprof"])
    }
}
