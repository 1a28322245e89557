import GameModel

/// What a player can do, whatever key or mouse button stands for it; a line of a recorded session.
enum Action: Hashable, Sendable {
    /// Tilts the board of a puzzle, or moves the cursor over the cards.
    case tilt(Direction)
    /// Touches the position with this index: swipes a tile, turns a card.
    case touch(Int)
    /// Turns the card under the cursor.
    case flip
    case undo
    case redo
    case shuffle
    case quit
}

extension Action: LosslessStringConvertible {
    /// As it stands in a recorded session: `tilt left`, `touch 7`, `undo`.
    var description: String {
        switch self {
        case .tilt(let direction): "tilt \(direction)"
        case .touch(let index): "touch \(index)"
        case .flip: "flip"
        case .undo: "undo"
        case .redo: "redo"
        case .shuffle: "shuffle"
        case .quit: "quit"
        }
    }

    init?(_ description: String) {
        let words = description.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst().first, words.count) {
        case ("tilt", let name?, 2):
            guard let direction = Direction.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = .tilt(direction)
        case ("touch", let number?, 2):
            guard let index = Int(number), index >= 0 else { return nil }
            self = .touch(index)
        case ("flip", nil, 1): self = .flip
        case ("undo", nil, 1): self = .undo
        case ("redo", nil, 1): self = .redo
        case ("shuffle", nil, 1): self = .shuffle
        case ("quit", nil, 1): self = .quit
        default: return nil
        }
    }
}
