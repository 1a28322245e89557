/// Where a board of equal cells lies on the screen.
struct BoardLayout {
    let rows: Int
    let columns: Int

    /// Of the board's top left corner.
    static let top = 3
    static let left = 2
    static let cellHeight = 3
    static let cellWidth = 7

    var height: Int { rows * Self.cellHeight }
    var width: Int { columns * Self.cellWidth }

    /// Draws the board: the text in the middle of each cell, on the cell's background colour (of the 256).
    func lines(_ cell: (_ row: Int, _ column: Int) -> (text: String, background: Int, foreground: Int)) -> [String] {
        (0..<height).map { line in
            let row = line / Self.cellHeight
            let isMiddle = line % Self.cellHeight == Self.cellHeight / 2
            let cells = (0..<columns).map { column in
                let (text, background, foreground) = cell(row, column)
                let shown = isMiddle ? Self.centred(text) : String(repeating: " ", count: Self.cellWidth - 1)
                return "\u{1b}[48;5;\(background)m\u{1b}[38;5;\(foreground)m\(shown)\u{1b}[0m "
            }
            return String(repeating: " ", count: Self.left) + cells.joined()
        }
    }

    private static func centred(_ text: String) -> String {
        let room = cellWidth - 1
        let shown = String(text.prefix(room))
        let before = (room - shown.count) / 2
        return String(repeating: " ", count: before) + shown
            + String(repeating: " ", count: room - shown.count - before)
    }
}
