import Testing

@Suite struct PlayCommandTests {
    @Test func playsEachGameToItsEnd() throws {
        let run = try GameLabProcess("play", "both", "--games", "3", "--seed", "7")
        #expect(run.exitCode == 0)
        #expect(run.errors.isEmpty)
        let starts = run.outputLines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(
            starts == [
                "puzzle 1: solved", "memory 1: solved", "puzzle 2: solved", "memory 2: solved", "puzzle 3: solved",
                "memory 3: solved", "played 6 games",
            ])
    }

    @Test(arguments: ["puzzle", "memory"])
    func playsOneKindOfGame(kind: String) throws {
        let run = try GameLabProcess("play", kind, "--games", "2")
        #expect(run.outputLines.count == 3)
        #expect(run.outputLines.dropLast().allSatisfy { $0.hasPrefix(kind) })
        #expect(run.exitCode == 0)
    }

    @Test func theSameSeedPlaysTheSameGames() throws {
        let runs = try ["5", "5", "6"].map { try GameLabProcess("play", "both", "--seed", $0).outputLines.dropLast() }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
    }

    @Test(arguments: [["play", "chess"], ["play", "puzzle", "--games", "0"], ["play"], ["unknown"]])
    func wrongUsageEndsWithTwo(arguments: [String]) throws {
        let run = try GameLabProcess(arguments)
        #expect(run.exitCode == 2)
        #expect(run.output.isEmpty)
        #expect(!run.errors.isEmpty)
    }

    @Test func listExplainsEachFault() throws {
        let run = try GameLabProcess("list")
        #expect(run.outputLines.count == 19)
        #expect(run.outputLines.first == "malloc-leak       A block of 1,234 bytes from malloc is never freed.")
    }
}
