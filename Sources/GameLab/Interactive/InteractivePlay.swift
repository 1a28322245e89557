import ArgumentParser
import Foundation

/// Plays one game interactively or from a recorded session, and says at the end how it stands.
struct InteractivePlay {
    var game: GameChoice
    var seed: UInt64
    var options: InteractiveOptions

    func run() throws {
        let session = try session()
        var loop = GameLoop(game: try Self.board(of: session))
        let game = loop.game
        loop.replay = options.replay == nil ? nil : session.steps
        loop.writer = try options.record.map { try SessionWriter(session, to: $0) }
        loop.isPaced = options.interactive || options.paced
        let terminal = options.interactive ? try Terminal() : nil
        loop.terminal = terminal
        defer { terminal?.close() }
        let times = try loop.run()
        terminal?.close()
        print(game.summary)
        if options.frameTimes, loop.isPaced { print(times.summary) }
    }

    private func session() throws -> Session {
        guard game != .both else { throw ValidationError("Play puzzle or memory; not both at once.") }
        guard let path = options.replay else {
            let side = options.side ?? (game == .puzzle ? 4 : 6)
            if game == .memory, !side.isMultiple(of: 2) {
                throw ValidationError("Cards lie in pairs: take a side of 2, 4, 6 or 8.")
            }
            return Session(game: game.rawValue, seed: seed, side: side)
        }
        do {
            let session = try Session(contentsOf: path)
            guard session.game == game.rawValue else {
                throw ValidationError("\(path) is a session of \(session.game), not of \(game.rawValue).")
            }
            return session
        } catch let error as Session.Unreadable {
            throw ValidationError(error.description)
        }
    }

    private static func board(of session: Session) throws -> any InteractiveGame {
        guard (2...8).contains(session.side), session.game == "puzzle" || session.side.isMultiple(of: 2) else {
            throw ValidationError("The session has a side of \(session.side), which no game has.")
        }
        return session.game == "puzzle"
            ? try PuzzleBoard(length: session.side, seed: session.seed)
            : try MemoryBoard(side: session.side, seed: session.seed)
    }
}
