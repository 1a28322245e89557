import Foundation
import Testing

/// A package as a user has it, built without the trait that makes its own instrumentation record: its healthy tests never fail, its faulty ones always, whatever runs beside them.
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

    /// What each faulty test must say.
    private static let faults = [
        "heldTable()": "Retain cycle", "talkingTable()": "Retain cycle", "heldTableLater()": "Retain cycle",
        "heldTableOfAThrower()": "Retain cycle", "heldTableInACall()": "Retain cycle",
        "heldTableInAnAsyncCall()": "Retain cycle", "aTableStays()": "Retain cycle",
        "undealt()": "Retain cycle", "heldByAll()": "Retain cycle",
        "aTableIsRemembered()": "Table is still live, held by Memories.shared → Memories.tables[…] → Table",
        "oneTableTooMany(number:)": "50 allocations of Table, at most 49 expected",
        "onePlayerTooMany()": "28 allocations of Player, at most 27 expected",
        "tooMuchOfEverything()": "allocations, at most 5 expected",
        "tooManyInACall()": "2 allocations of Table, at most 1 expected",
        "tooManyInAnAsyncCall()": "1 allocation of Player, at most 0 expected",
        "aLateWaiter()": "Zombie: retain of a deallocated Table",
        "aWaiterLaterOn()": "Zombie: retain of a deallocated Table",
    ]

    private static let faultyFunctions = [
        "testSomethingIsLost": "Retain cycle", "testATableIsHeldByAll": "Retain cycle",
        "testATableStays": "Retain cycle",
        "testTooManyTablesAreMade": "2 allocations of Table, at most 1 expected",
        "testALateWaiter": "Zombie: retain of a deallocated Table",
    ]

    private func run(_ arguments: String...) throws -> CommandResult {
        try Command.run(try Self.program.get(), arguments)
    }

    @Test func fiftyHealthyRunsAreSilent() throws {
        for number in 1...Self.repetitions {
            let result = try run("--testing-library", "swift-testing", "--filter", "HealthyTests")
            #expect(result.status == 0, "run \(number): \(result.output)\(result.error)")
        }
    }

    @Test func fiftyFaultyRunsMissNothingAndInventNothing() throws {
        for number in 1...Self.repetitions {
            let result = try run("--testing-library", "swift-testing", "--filter", "FaultyTests")
            let said = result.output + result.error
            for (test, words) in Self.faults {
                let told = said.split(separator: "✘").filter { $0.hasPrefix(" Test \(test) recorded an issue") }
                #expect(told.contains { $0.contains(words) }, "run \(number): \(test)\n\(said)")
                #expect(
                    told.allSatisfy { $0.contains(words) || $0.contains("Caught error: Misdeal()") },
                    "run \(number): \(test)\n\(said)")
            }
        }
    }

    @Test("each of two tests that lose the same side by side fails, and the one beside them passes")
    func twins() throws {
        for number in 1...Self.repetitions / 5 {
            let result = try run("--testing-library", "swift-testing", "--filter", "FaultyTwins")
            let said = result.output + result.error
            for test in ["undealt()", "heldByAll()"] {
                #expect(said.contains("Test \(test) recorded an issue"), "run \(number): \(said)")
            }
            #expect(!said.contains("Test dealt() recorded an issue"), "run \(number): \(said)")
        }
    }

    @Test("a function of XCTest that loses something fails also where it is the first that runs")
    func firstInItsProcess() throws {
        for (test, words) in Self.faultyFunctions where words == "Retain cycle" {
            for number in 1...Self.repetitions / 10 {
                let result = try run("FaultyTests.FaultyXCTests/\(test)")
                let said = result.output + result.error
                #expect(said.contains("FaultyXCTests.\(test) : failed - \(words)"), "run \(number): \(said)")
            }
        }
    }

    @Test func functionsOfXCTestSayTheSame() throws {
        for number in 1...Self.repetitions / 10 {
            let healthy = try run("HealthyTests.HealthyXCTests")
            #expect(healthy.status == 0, "run \(number): \(healthy.output)")
            #expect(healthy.output.contains("Executed 3 tests"))
            let faulty = try run("FaultyTests.FaultyXCTests")
            for (test, words) in Self.faultyFunctions {
                let place = "FaultyTests.swift:"
                let told = (faulty.output + faulty.error).split(separator: "\n").filter {
                    $0.contains("FaultyXCTests.\(test) : failed")
                }
                #expect(told.count == 1, "run \(number): \(faulty.output)")
                #expect(told.allSatisfy { $0.contains(words) && $0.contains(place) }, "run \(number): \(faulty.output)")
            }
        }
    }
}
