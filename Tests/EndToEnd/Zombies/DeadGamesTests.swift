import Foundation
import Testing

/// Dead objects as programs come by them: callbacks, timers, tasks and notifications that outlive their game.
@Suite struct DeadGamesTests {
    static let types = [
        "board-in-array": "DeadGames.Game", "changed": "DeadGames.Game", "delegate": "DeadGames.Umpire",
        "dictionary-storage": "Swift._DictionaryStorage", "escaped-buffer": "Swift._ContiguousArrayStorage",
        "exit-callback": "DeadGames.Game", "key-path": "DeadGames.Game", "mirror": "DeadGames.Game",
        "notification": "DeadGames.Game", "string-storage": "Swift.__StringStorage", "subclass": "DeadGames.Dungeon",
        "tail-element": "DeadGames.Hand", "timer": "DeadGames.Ticker", "task": "DeadGames.Game",
    ]

    @Test(arguments: types.keys.sorted(), [SwiftProgram.Build.onone, .optimised])
    func `the dead object is named, with three stacks`(story: String, build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(files: ["DeadGames.swift"], module: "DeadGames", build: build)
        let run = try ZombieRun.record(program, [story])
        let finding = try #require(run.findings.first, "\(run.error)")
        #expect(finding.type.hasPrefix(Self.types[story] ?? "?"))
        #expect(run.status == 1)
        for stack in [finding.allocatedBy, finding.deallocatedBy, finding.usedBy] {
            #expect(stack?.frames.contains { $0.file?.hasSuffix("DeadGames.swift") ?? false } ?? false, "\(finding)")
        }
    }
}
