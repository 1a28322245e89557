import ArgumentParser
import GameModel

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play healthy games to their end; nothing of them stays in memory.",
        discussion: """
            With --interactive you play: arrows or hjkl tilt the board or move the cursor, a click swipes a tile or turns a \
            card, space turns a card, u undoes, r redoes, s shuffles, q quits.
            """)

    @Argument(help: "What to play: puzzle, memory or both.")
    var game: GameChoice

    @Option(help: "The number of games of each kind.")
    var games = 1

    @Option(
        help:
            "Decides every game; the same seed plays the same games (default: 1, with --interactive another each time)."
    )
    var seed: UInt64?

    @OptionGroup var interactive: InteractiveOptions

    func validate() throws {
        guard games >= 1 else { throw ValidationError("At least one game must be played, not \(games).") }
    }

    func run() throws {
        let seed = seed ?? (interactive.interactive ? UInt64.random(in: 0...UInt64.max) : 1)
        if interactive.isWanted {
            try InteractivePlay(game: game, seed: seed, options: interactive).run()
            return
        }
        var generator = SplitMix64(seed: seed)
        for number in 1...games {
            if game != .memory { print("puzzle \(number): \(try PuzzlePlayer.play(using: &generator))") }
            if game != .puzzle { print("memory \(number): \(try MemoryPlayer.play(using: &generator))") }
        }
        let kinds = game == .both ? 2 : 1
        print("played \(games * kinds) games to their end with seed \(seed)")
    }
}
