import Foundation
import Testing

/// A game that is asked for its figures all day: `make soak`.
@Suite(.enabled(if: LongTests.soak)) struct ServingSoakTests {
    private static let targets = ["/debug/pprof/heap", "/debug/pprof/allocs", "/metrics"]

    private static func residentBytes(_ game: ServingGame) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(game.processID)/smaps_rollup", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Rss:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
    }

    /// The first three thousand find most of what there is: images, names, and the stacks of sampled blocks and threads, of
    /// which the recorder keeps each once. New ones come ever more seldom: 0.9 MB with the second thousand, 0.4 with the sixth.
    @Test func `ten thousand requests leave the resident memory within 5 MB`() throws {
        let game = try ServingGame(
            frames: 10_000_000, environment: ["GAMEPROF": "allocations,time", "GAMEPROF_SAMPLE": "512k;seed=7"])
        func ask(_ count: Int) {
            for number in 0..<count {
                let target =
                    number % 100 == 0 ? "/debug/pprof/profile?seconds=1" : Self.targets[number % Self.targets.count]
                #expect(game.address.get(target)?.status == 200)
            }
        }
        ask(3000)
        let before = try Self.residentBytes(game)
        ask(10_000)
        let after = try Self.residentBytes(game)
        #expect(after - before < 5_000_000, "from \(before) to \(after) bytes")
    }
}
