import Foundation

/// A recorded session: which game it was, and every action with the frame in which it was done. Played again, it leads
/// to the same end.
struct Session: Equatable {
    /// An action and its frame; frames count from 0.
    struct Step: Equatable {
        var frame: Int
        var action: Action
    }

    /// Name of the game, as on the command line.
    var game: String
    var seed: UInt64
    /// Fields along a side.
    var side: Int
    var steps: [Step] = []

    /// Why a file is no session.
    struct Unreadable: Error, CustomStringConvertible {
        var description: String
    }

    private static let title = "gamelab session 1"
    private static let longestSession = 60 * 60 * 24 * 60

    /// The lines in front of the steps.
    var heading: String { "\(Self.title)\ngame \(game)\nseed \(seed)\nside \(side)\n" }

    init(game: String, seed: UInt64, side: Int) {
        self.game = game
        self.seed = seed
        self.side = side
    }

    /// Reads what a ``SessionWriter`` wrote.
    init(contentsOf path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Unreadable(description: "\(path) cannot be read.")
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        func value(_ index: Int, _ name: String) throws -> String {
            guard index < lines.count, lines[index].hasPrefix(name + " ") else {
                throw Unreadable(description: "\(path) is no recorded session: line \(index + 1) gives no \(name).")
            }
            return String(lines[index].dropFirst(name.count + 1))
        }
        guard lines.first == Self.title else { throw Unreadable(description: "\(path) is no recorded session.") }
        game = try value(1, "game")
        guard let seed = UInt64(try value(2, "seed")), let side = Int(try value(3, "side")) else {
            throw Unreadable(description: "\(path) is no recorded session: its seed or side is no number.")
        }
        (self.seed, self.side) = (seed, side)
        for (index, line) in lines.enumerated().dropFirst(4) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2, let frame = Int(words[0]), let action = Action(words[1]),
                frame >= steps.last?.frame ?? 0, frame < Self.longestSession
            else { throw Unreadable(description: "\(path) is no recorded session: line \(index + 1) is no step.") }
            steps.append(Step(frame: frame, action: action))
        }
    }
}

/// Writes a session while it is played: each step at once, so that a killed game keeps its session.
final class SessionWriter {
    private let file: FileHandle

    init(_ session: Session, to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: Data(session.heading.utf8)),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Session.Unreadable(description: "\(path) cannot be written.") }
        self.file = file
        try file.seekToEnd()
    }

    func write(_ step: Session.Step) throws {
        try file.write(contentsOf: Data("\(step.frame) \(step.action)\n".utf8))
    }

    deinit { try? file.close() }
}
