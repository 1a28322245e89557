import GameModel

/// What comes from the terminal, once its bytes are understood.
enum TerminalInput: Hashable, Sendable {
    case character(Character)
    case arrow(Direction)
    /// The left button goes down in this cell; rows and columns count from 0.
    case click(row: Int, column: Int)
}

/// Understands what a terminal sends: letters, arrow keys in both modes, mouse reports in SGR form. Bytes that belong to
/// an unfinished sequence wait for the next ones.
struct TerminalInputDecoder {
    private var pending: [UInt8] = []

    /// The longest sequence that is waited for; what is longer is no input of ours.
    private static let longestSequence = 32

    /// Takes in bytes and returns what they mean. What means nothing is dropped.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        pending += bytes
        var inputs: [TerminalInput] = []
        while let first = pending.first {
            if first != Self.escape {
                pending.removeFirst()
                if first >= 0x20, first < 0x7f { inputs.append(.character(Character(UnicodeScalar(first)))) }
                if first == Self.controlC { inputs.append(.character("q")) }
                continue
            }
            guard let length = sequenceLength() else { break }
            if let input = Self.meaning(of: pending[..<length]) { inputs.append(input) }
            pending.removeFirst(length)
        }
        return inputs
    }

    private static let escape = UInt8(0x1b)
    private static let controlC = UInt8(3)

    /// Bytes of the escape sequence at the front; nil: it is not complete yet.
    private func sequenceLength() -> Int? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return 1 }
        if let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) { return end + 1 }
        return pending.count > Self.longestSequence ? pending.count : nil
    }

    private static func meaning(of sequence: ArraySlice<UInt8>) -> TerminalInput? {
        let text = String(decoding: sequence.dropFirst(2), as: UTF8.self)
        switch text {
        case "A": return .arrow(.up)
        case "B": return .arrow(.down)
        case "C": return .arrow(.right)
        case "D": return .arrow(.left)
        default: return click(text)
        }
    }

    /// `<0;COLUMN;ROWM`: the left button goes down; cells count from 1.
    private static func click(_ text: String) -> TerminalInput? {
        guard text.first == "<", text.last == "M" else { return nil }
        let numbers = text.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, numbers[0] == 0, numbers[1] >= 1, numbers[2] >= 1 else { return nil }
        return .click(row: numbers[2] - 1, column: numbers[1] - 1)
    }
}
