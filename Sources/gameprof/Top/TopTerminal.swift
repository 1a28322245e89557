import Foundation

/// A terminal on which screens replace each other, and which hands over keys as they are pressed. It is as before when this ends.
final class TopTerminal {
    /// A key, or what a key with a name sends.
    enum Key: Hashable {
        case character(Character)
        case up, down, enter, escape, erase
    }

    private var before = termios()
    private var isOpen = false
    private var pending: [UInt8] = []

    /// Nil: standard input and output are no terminal that can place text.
    init?() {
        let term = ProcessInfo.processInfo.environment["TERM"] ?? ""
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, !term.isEmpty, term != "dumb",
            tcgetattr(STDIN_FILENO, &before) == 0
        else { return nil }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // A read returns at once with what there is, and no key stops the tool, which would leave the shell on this screen.
        withUnsafeMutableBytes(of: &raw.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)], $0[Int(VSUSP)]) = (0, 0, 0) }
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else { return nil }
        isOpen = true
        put("\u{1b}[?1049h\u{1b}[?25l")
    }

    deinit { close() }

    /// Shows the former screen again.
    func close() {
        guard isOpen else { return }
        isOpen = false
        put("\u{1b}[?25h\u{1b}[?1049l")
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    }

    /// Columns and lines.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func show(_ lines: [String]) {
        // Cleared first: behind a line as wide as the screen its last character would be.
        put("\u{1b}[H" + lines.map { "\u{1b}[K" + $0 }.joined(separator: "\r\n"))
    }

    /// The keys since the last call.
    func keys() -> [Key] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 { pending += buffer[..<count] }
        var keys: [Key] = []
        while let (key, length) = next() {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// The first of the bytes that wait as a key, nil where they are none; nothing: a character's end is missing.
    private func next() -> (key: Key?, length: Int)? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1b:
            guard pending.count > 2, pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
                return (.escape, 1)
            }
            // Parameters, then one byte that says which key it is.
            guard let end = pending[2...].firstIndex(where: { (0x40...0x7e).contains($0) }) else {
                return pending.count > 16 ? (nil, pending.count) : nil
            }
            guard end == 2 else { return (nil, end + 1) }
            return (pending[2] == UInt8(ascii: "A") ? .up : pending[2] == UInt8(ascii: "B") ? .down : nil, 3)
        case 0x0a, 0x0d: return (.enter, 1)
        case 0x7f, 0x08: return (.erase, 1)
        case 0..<0x20: return (nil, 1)
        default:
            let length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
            guard pending.count >= length else { return nil }
            return (String(validating: pending.prefix(length), as: UTF8.self)?.first.map(Key.character), length)
        }
    }

    private func put(_ text: String) { _ = PipeOutput.write(Array(text.utf8), to: STDOUT_FILENO) }
}
