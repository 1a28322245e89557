import Testing

@testable import Profiler

/// A use of a dead object is told as a sentence of English, with what is known.
@Suite struct ZombieWordsTests {
    @Test(arguments: [
        ("retain", "Board was deallocated in Game.reset(), then used by a retain."),
        ("unowned reference load", "Board was deallocated in Game.reset(), then used by an unowned reference load."),
        ("uniqueness check", "Board was deallocated in Game.reset(), then used by a uniqueness check."),
        ("reference counting", "Board was deallocated in Game.reset(), then used by reference counting."),
        ("free", "Board was freed in Game.reset(), and then freed again."),
    ])
    func theOperationIsPartOfASentence(_ operation: String, _ sentence: String) {
        let killer = SymbolicatedFrame(function: "Game.reset()", file: "/src/Game.swift", line: 3)
        #expect(
            ZombieWords.sentence(.init(operation: operation), type: "App.Board", killer: killer) == sentence)
    }

    @Test func aFunctionWithoutANameIsNotTold() {
        let killer = SymbolicatedFrame(function: "game+0x4ccebf")
        #expect(
            ZombieWords.sentence(.init(operation: "retain"), type: "App.Board", killer: killer)
                == "Board was deallocated, then used by a retain.")
    }
}
