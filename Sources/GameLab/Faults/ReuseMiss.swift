/// A cell of a list that shows a card.
final class CardCell {
    let identifier: String
    fileprivate(set) var row = 0
    private let backdrop: [UInt8]

    @inline(never)
    init(identifier: String) {
        self.identifier = identifier
        backdrop = Array(repeating: 7, count: 1_024)
    }
}

/// Keeps the cells that left the screen, to be used again.
final class CellPool {
    private var cells: [CardCell] = []

    /// A cell of that identifier that left the screen.
    @inline(never)
    func dequeue(_ identifier: String) -> CardCell? {
        guard let index = cells.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        return cells.remove(at: index)
    }

    /// Takes a cell that leaves the screen; keeps no more than a screenful.
    @inline(never)
    func enqueue(_ cell: CardCell) {
        cells.append(cell)
        if cells.count > CardList.visibleRows { cells.removeFirst() }
    }
}

/// A list of cards on a screen of eight rows.
final class CardList {
    static let visibleRows = 8

    private let pool = CellPool()
    private let identifier: String
    private var visible: [CardCell] = []
    private(set) var madeCells = 0

    /// - Parameter identifier: what the pool is asked for.
    init(identifier: String) {
        self.identifier = identifier
    }

    @inline(never)
    func scroll(toRow row: Int) {
        if visible.count == Self.visibleRows { pool.enqueue(visible.removeFirst()) }
        let cell = pool.dequeue(identifier) ?? makeCell()
        cell.row = row
        visible.append(cell)
    }

    @inline(never)
    func makeCell() -> CardCell {
        madeCells += 1
        return CardCell(identifier: "card")
    }
}

/// Makes a cell for each row, though cells that left the screen are there.
enum ReuseMiss: Fault {
    static let name = "reuse-miss"
    static let summary = "Cells are asked for by another identifier than they have: each row makes one anew."
    static let defaultPresses = 1_000
    static let pressLimit = 1_000_000

    static func commit(presses: Int) {
        // The fault: another identifier than that of the cells.
        scroll(CardList(identifier: "Card"), rows: presses)
    }

    static func commitCured(presses: Int) {
        scroll(CardList(identifier: "card"), rows: presses)
    }

    @inline(never)
    static func scroll(_ list: CardList, rows: Int) {
        for row in 0..<rows { list.scroll(toRow: row) }
        say("showed \(rows) rows by \(list.madeCells) cells")
    }
}
