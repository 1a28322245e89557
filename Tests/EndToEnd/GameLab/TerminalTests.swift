import Foundation
import Testing

/// The games on a real terminal, as tmux gives one; left out where tmux is missing.
@Suite(.serialized, .enabled(if: Tmux.isInstalled)) struct TerminalTests {
    @Test func aGameIsPlayedByKeysAndMouseAndPlaysAgain() throws {
        let tmux = try Tmux()
        let session = tmux.folder.appending(path: "game.session").path
        try tmux.type("\(try GameLabProcess.executable().path) play puzzle --interactive --seed 3 --record \(session)")
        try tmux.wait { $0.contains("0 moves") }
        for (key, moves) in [("Left", "1 moves"), ("Up", "2 moves"), ("u", "1 moves"), ("r", "2 moves")] {
            try tmux.send(key)
            try tmux.wait { $0.contains(" \(moves)") }
        }
        try tmux.send("q")
        let screen = try tmux.wait { $0.contains("puzzle: ") && $0.contains("notifications") }
        let replayed = try GameLabProcess("play", "puzzle", "--replay", session).output
        let ending = replayed.replacing(" ", with: "").replacing("\n", with: "")
        #expect(screen.replacing(" ", with: "").replacing("\n", with: "").contains(ending))
    }

    /// The test run blocks other signals, and what it starts inherits that.
    @Test(arguments: ["SEGV", "BUS"])
    func theTerminalIsGivenBackWhateverEndsTheGame(signal: String) throws {
        let tmux = try Tmux()
        let game = "\(try GameLabProcess.executable().path) play memory --interactive"
        try tmux.type(
            "stty -g > before; ulimit -c 0; export SWIFT_BACKTRACE=enable=no; clear; bash -c 'echo $$ > game; exec \(game)'"
        )
        try tmux.wait { $0.contains("0 pairs found") }
        let process = try String(contentsOf: tmux.folder.appending(path: "game"), encoding: .utf8)
        let killed = Process()
        killed.executableURL = URL(filePath: "/bin/kill")
        killed.arguments = ["-\(signal)", process.trimmingCharacters(in: .whitespacesAndNewlines)]
        try killed.run()
        killed.waitUntilExit()
        try tmux.wait { !$0.contains("pairs found") }
        try tmux.type("stty -g > after; echo is over")
        try tmux.wait { $0.contains("\nis over") }
        let (before, after) = (tmux.folder.appending(path: "before"), tmux.folder.appending(path: "after"))
        #expect(try Data(contentsOf: before) == Data(contentsOf: after))
    }

    @Test func withoutATerminalOneSentenceSaysSo() throws {
        let run = try GameLabProcess("play", "puzzle", "--interactive")
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("standard input and output must be a terminal"))
    }
}
