// A spreadsheet with formulas as closures and dependent cells.
struct Place: Hashable { let column: Int, row: Int }
final class Cell {
    let place: Place
    var formula: ((Sheet) -> Double)?
    private(set) var value = 0.0
    private(set) var dependents: [Weak] = []
    struct Weak { weak var cell: Cell? }
    init(place: Place) { self.place = place }
    func set(_ value: Double, in sheet: Sheet) {
        self.value = value
        sheet.changed(self)
    }
    func recompute(in sheet: Sheet) -> Bool {
        guard let formula else { return false }
        let new = formula(sheet)
        defer { value = new }
        return new != value
    }
    func add(dependent: Cell) {
        if !dependents.contains(where: { $0.cell === dependent }) { dependents.append(Weak(cell: dependent)) }
    }
}
final class Sheet {
    private var cells: [Place: Cell] = [:]
    private(set) var recomputed = 0
    func cell(_ column: Int, _ row: Int) -> Cell {
        let place = Place(column: column, row: row)
        if let known = cells[place] { return known }
        let made = Cell(place: place)
        cells[place] = made
        return made
    }
    func sum(into target: Cell, of sources: [Cell]) {
        for source in sources { source.add(dependent: target) }
        target.formula = { _ in sources.reduce(0) { $0 + $1.value } }
    }
    func product(into target: Cell, of source: Cell, by factor: Double) {
        source.add(dependent: target)
        target.formula = { [unowned source] _ in source.value * factor }
    }
    func changed(_ cell: Cell) {
        for dependent in cell.dependents.compactMap(\.cell) {
            recomputed += 1
            if dependent.recompute(in: self) { changed(dependent) }
        }
    }
    var count: Int { cells.count }
}
let sheet = Sheet()
// The sheet is built row by row, with sums of each row and of sections.
for row in 0..<250 {
    let inputs = (0..<4).map { sheet.cell($0, row) }
    sheet.sum(into: sheet.cell(5, row), of: inputs)
    sheet.product(into: sheet.cell(6, row), of: sheet.cell(5, row), by: 1.19)
    if row % 10 == 9 { sheet.sum(into: sheet.cell(7, row), of: (row - 9...row).map { sheet.cell(6, $0) }) }
    for (column, cell) in inputs.enumerated() { cell.set(Double(row * column), in: sheet) }
}
for round in 0..<20 {
    for row in stride(from: round, to: 250, by: 20) { sheet.cell(1, row).set(Double(round), in: sheet) }
}
print(sheet.count, "cells", sheet.recomputed, "recomputed", sheet.cell(7, 249).value)
