import Foundation
import Testing

/// A package as a user has it: its healthy tests never fail, its faulty ones always, whatever runs beside them.
@Suite(.serialized, .enabled(if: LongTests.field)) struct CardGameFieldTests {
    private static let package = URL(filePath: #filePath).appending(path: "../../../Fixtures/CardGame").standardized
    private static let repetitions = 50

    /// Builds the package once; the test program's path.
    private static let program: Result<URL, any Error> = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-card-game")
        let build = try Command.run(
            URL(filePath: "/usr/bin/env"),
            ["swift", "build", "--build-tests", "--package-path", package.path, "--scratch-path", folder.path])
        guard build.status == 0 else { throw SwiftProgram.CompilationFailed(description: build.output + build.error) }
        return folder.appending(path: "debug/CardGamePackageTests.xctest")
    }

    private func run(_ filter: String, library: String) throws -> CommandResult {
        let arguments = library == "xctest" ? [filter] : ["--testing-library", library, "--filter", filter]
        return try Command.run(try Self.program.get(), arguments)
    }

    @Test func fiftyHealthyRunsAreSilent() throws {
        for number in 1...Self.repetitions {
            let result = try run("HealthyTests", library: "swift-testing")
            #expect(result.status == 0, "run \(number): \(result.output)\(result.error)")
        }
    }

    @Test func fiftyFaultyRunsMissNothing() throws {
        let tests = [
            "heldTable()", "talkingTable()", "heldTableLater()", "heldTableOfAThrower()", "heldTableInACall()",
            "heldTableInAnAsyncCall()", "aTableStays()",
        ]
        for number in 1...Self.repetitions {
            let result = try run("FaultyTests", library: "swift-testing")
            let said = result.output + result.error
            for test in tests {
                let lines = said.split(separator: "\n").filter { $0.contains("Test \(test) recorded an issue") }
                #expect(lines.contains { $0.contains("Retain cycle") }, "run \(number): \(test)\n\(said)")
            }
        }
    }
}
