/// Draws only the lines that changed, so that sixty frames a second stay a trickle of bytes.
struct Screen {
    private var shown: [String] = []

    /// Forgets what is shown: the next frame is drawn whole.
    mutating func forget() { shown = [] }

    /// The bytes that turn what is shown into `lines`; lines below the terminal's last are left out.
    mutating func update(to lines: [String], rows: Int) -> String {
        var output = shown.isEmpty ? "\u{1b}[2J" : ""
        for (index, line) in lines.prefix(rows).enumerated() where index >= shown.count || shown[index] != line {
            output += "\u{1b}[\(index + 1);1H\(line)\u{1b}[K"
        }
        shown = lines
        return output
    }
}
