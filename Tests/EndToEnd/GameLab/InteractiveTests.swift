import Foundation
import GameModel
import Testing

@testable import GameLab

@Suite struct TerminalInputTests {
    @Test func understandsLettersArrowsAndClicks() {
        var decoder = TerminalInputDecoder()
        let inputs = decoder.decode(Array("u\u{1b}[A\u{1b}OD\u{1b}[<0;6;8M\u{1b}[<0;6;8mq".utf8))
        #expect(inputs == [.character("u"), .arrow(.up), .arrow(.left), .click(row: 7, column: 5), .character("q")])
    }

    @Test func waitsForTheRestOfASequence() {
        var decoder = TerminalInputDecoder()
        #expect(decoder.decode([0x1b]).isEmpty)
        #expect(decoder.decode(Array("[".utf8)).isEmpty)
        #expect(decoder.decode(Array("Cs".utf8)) == [.arrow(.right), .character("s")])
    }

    @Test func dropsWhatMeansNothing() {
        var decoder = TerminalInputDecoder()
        #expect(decoder.decode(Array("\u{1b}[200~\u{1b}[<64;1;1M\u{1b}[<0;0;9M\u{7}ä".utf8)).isEmpty)
        #expect(decoder.decode(Array("\u{1b}[\(String(repeating: "1", count: 100))".utf8)).isEmpty)
        #expect(decoder.decode(Array("x".utf8)) == [.character("x")])
    }
}

@Suite struct SessionTests {
    private func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func eachActionIsReadAsItIsWritten() {
        let actions: [Action] = Direction.allCases.map(Action.tilt) + [.touch(7), .flip, .undo, .redo, .shuffle, .quit]
        #expect(actions.map { Action($0.description) } == actions)
    }

    @Test func whatWasWrittenIsReadAgain() throws {
        var session = Session(game: "puzzle", seed: 9, side: 5)
        session.steps = [.init(frame: 3, action: .tilt(.left)), .init(frame: 3, action: .undo)]
        let path = try file("")
        defer { unlink(path) }
        let writer = try SessionWriter(session, to: path)
        for step in session.steps { try writer.write(step) }
        #expect(try Session(contentsOf: path) == session)
    }

    @Test(arguments: [
        "", "gamelab session 2\n", "gamelab session 1\ngame puzzle\nseed x\nside 4\n",
        "gamelab session 1\ngame puzzle\nseed 1\nside 4\n5 undo\n4 undo\n",
        "gamelab session 1\ngame puzzle\nseed 1\nside 4\n5 jump\n",
    ])
    func anythingElseIsRefused(text: String) throws {
        let path = try file(text)
        defer { unlink(path) }
        #expect(throws: Session.Unreadable.self) { try Session(contentsOf: path) }
        let run = try GameLabProcess("play", "puzzle", "--replay", path)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("is no recorded session"))
    }

    @Test func aSessionPlaysToTheSameEndEachTime() throws {
        let puzzle = try file(
            "gamelab session 1\ngame puzzle\nseed 3\nside 3\n1 tilt left\n2 tilt up\n5 undo\n9 redo\n9 touch 4\n20 quit\n"
        )
        let memory = try file(
            "gamelab session 1\ngame memory\nseed 5\nside 2\n1 flip\n2 tilt right\n3 flip\n60 touch 0\n61 touch 2\n")
        defer { for path in [puzzle, memory] { unlink(path) } }
        let first = try GameLabProcess("play", "puzzle", "--replay", puzzle)
        #expect(first.exitCode == 0)
        #expect(first.output.hasPrefix("puzzle: "))
        #expect(try GameLabProcess("play", "puzzle", "--replay", puzzle).output == first.output)
        #expect(try GameLabProcess("play", "puzzle", "--replay", puzzle, "--paced").output == first.output)
        let turned = try GameLabProcess("play", "memory", "--replay", memory)
        #expect(turned.output.contains("count 4"))
        #expect(try GameLabProcess("play", "puzzle", "--replay", memory).exitCode == 2)
    }
}

@Suite struct BoardTests {
    @Test func tiltsAndClicksMoveTilesAndUndoTakesThemBack() throws {
        let board = try PuzzleBoard(length: 3, seed: 4)
        let start = board.summary.components(separatedBy: "board ")[1]
        func standing() -> String { board.summary.components(separatedBy: "board ")[1] }
        for direction in Direction.allCases {
            board.perform(.tilt(direction))
            let moved = standing()
            board.perform(.undo)
            #expect(standing() == start)
            board.perform(.redo)
            #expect(standing() == moved)
            board.perform(.undo)
        }
        let touched = (0..<9).filter { index in
            board.perform(.touch(index))
            defer { board.perform(.undo) }
            return standing() != start
        }
        #expect((2...4).contains(touched.count))
    }

    @Test func aClickMeansTheFieldUnderIt() throws {
        let puzzle = try PuzzleBoard(length: 4, seed: 1)
        #expect(puzzle.action(forClickAt: BoardLayout.top, BoardLayout.left) == .touch(0))
        let (row, column) = (BoardLayout.top + 3 * BoardLayout.cellHeight, BoardLayout.left + 2 * BoardLayout.cellWidth)
        #expect(puzzle.action(forClickAt: row, column) == .touch(14))
        #expect(puzzle.action(forClickAt: BoardLayout.top - 1, BoardLayout.left) == nil)
        #expect(puzzle.action(forClickAt: row, 79) == nil)
        #expect(try MemoryBoard(side: 4, seed: 1).action(forClickAt: row, column) == .touch(14))
    }

    @Test func twoOpenCardsAreTurnedBackAfterAWhile() throws {
        let board = try MemoryBoard(side: 2, seed: 1)
        let open = { board.lines.joined().contains("\u{1b}[48;5;150m") }
        let pair = (1..<4).first { second in
            board.perform(.touch(0))
            board.perform(.touch(second))
            for _ in 0..<60 { board.advance() }
            return !board.summary.contains(" 0 pairs")
        }
        #expect(pair != nil)
        #expect(!open())
    }

    @Test func onlyChangedLinesAreDrawn() {
        var screen = Screen()
        #expect(screen.update(to: ["a", "b"], rows: 24).contains("\u{1b}[2;1Hb"))
        #expect(screen.update(to: ["a", "c"], rows: 24) == "\u{1b}[2;1Hc\u{1b}[K")
        #expect(screen.update(to: ["a", "c"], rows: 24).isEmpty)
        screen.forget()
        #expect(screen.update(to: ["a", "c"], rows: 1).contains("a"))
    }
}
