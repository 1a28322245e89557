import GameprofBasics

/// The tree of processes for a terminal: a line for each, or for several that are alike.
public enum TextProcesses {
    private static let leastName = 20
    private static let gap = 2

    public static func lines(_ table: ProcessTable, style: TextStyle) -> [String] {
        let names = table.rows.map { row in
            String(repeating: " ", count: min(2 * row.depth, leastName)) + PlainText.clean(row.name)
        }
        let heads = ["pid"] + table.heads
        let cells = table.rows.map { row in [row.process.map { "\($0)" } ?? ""] + row.cells }
        let widths = heads.indices.map { column in ([heads] + cells).map { $0[column].count }.max() ?? 0 }
        let room = style.width - widths.reduce(0) { $0 + $1 + gap }
        let width = max(leastName, min(room, names.map(\.count).max() ?? 0))
        func line(_ name: String, _ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                heads[column] == ProcessTable.found ? cells[column] : TextTable.right(cells[column], widths[column])
            }
            return ([TextTable.left(name, width)] + padded).joined(separator: String(repeating: " ", count: gap))
        }
        let lines = zip(names, cells).map { line($0, $1) }
        return [style.paint(line("process", heads), .faint)]
            + zip(table.rows, lines).map { row, line in
                switch row.severity {
                case .error: style.paint(line, .error)
                case .warning: style.paint(line, .warning)
                case .note, nil: line
                }
            }
    }
}
