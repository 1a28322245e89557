import Foundation

struct CellAddress: Hashable, CustomStringConvertible {
    let column: Int
    let row: Int

    var description: String {
        String(UnicodeScalar(UInt8(65 + column))) + "\(row + 1)"
    }

    init?(_ text: some StringProtocol) {
        guard let letter = text.first, let ascii = letter.asciiValue, (65...90).contains(ascii),
              let row = Int(text.dropFirst()) else { return nil }
        column = Int(ascii) - 65
        self.row = row - 1
    }
}

enum Formula {
    case constant(Double)
    case sum([CellAddress])
    case product(CellAddress, CellAddress)

    var references: [CellAddress] {
        switch self {
        case .constant: []
        case .sum(let cells): cells
        case .product(let a, let b): [a, b]
        }
    }
}

final class Cell {
    let address: CellAddress
    fileprivate(set) var value = 0.0
    fileprivate var formula = Formula.constant(0)
    fileprivate var precedents: [Cell] = []
    fileprivate var dependents: [CellAddress: Cell] = [:]
    fileprivate weak var sheet: Sheet?

    init(address: CellAddress, sheet: Sheet) {
        self.address = address
        self.sheet = sheet
    }

    fileprivate func rewire(to sources: [Cell]) {
        for old in precedents { old.dependents[address] = nil }
        precedents = sources
        for source in sources { source.dependents[address] = self }
    }

    fileprivate func recompute() {
        switch formula {
        case .constant(let number):
            value = number
        case .sum:
            value = precedents.reduce(0) { $0 + $1.value }
        case .product:
            value = precedents.map(\.value).reduce(1, *)
        }
        sheet?.didRecompute(self)
        dependents.values.forEach { $0.recompute() }
    }
}

final class Sheet {
    private var cells: [CellAddress: Cell] = [:]
    private(set) var recomputations = 0
    private lazy var formatter: (Double) -> String = { number in
        number == number.rounded() ? String(Int(number)) : String(format: "%.2f", number)
    }
    var onRecompute: ((CellAddress) -> Void)?

    private func cell(at address: CellAddress) -> Cell {
        if let existing = cells[address] { return existing }
        let made = Cell(address: address, sheet: self)
        cells[address] = made
        return made
    }

    func set(_ address: CellAddress, _ formula: Formula) {
        let target = cell(at: address)
        target.formula = formula
        target.rewire(to: formula.references.map { self.cell(at: $0) })
        target.recompute()
    }

    fileprivate func didRecompute(_ cell: Cell) {
        recomputations += 1
        onRecompute?(cell.address)
    }

    func text(at address: CellAddress) -> String {
        formatter(cells[address]?.value ?? 0)
    }
}

final class ChangeHighlighter {
    private let sheet: Sheet
    private var hot: Set<CellAddress> = []

    init(sheet: Sheet) {
        self.sheet = sheet
        sheet.onRecompute = { [weak self] address in
            self?.hot.insert(address)
        }
    }

    func flush() -> [String] {
        defer { hot.removeAll() }
        return hot.map(\.description).sorted()
    }
}

func budget() {
    func at(_ name: String) -> CellAddress { CellAddress(name)! }
    let sheet = Sheet()
    let highlighter = ChangeHighlighter(sheet: sheet)
    sheet.set(at("A1"), .constant(1_200))
    sheet.set(at("A2"), .constant(340.5))
    sheet.set(at("A3"), .sum([at("A1"), at("A2")]))
    sheet.set(at("B1"), .constant(0.19))
    sheet.set(at("B3"), .product(at("A3"), at("B1")))
    _ = highlighter.flush()
    sheet.set(at("A2"), .constant(400))
    print(sheet.text(at: at("A3")), sheet.text(at: at("B3")), highlighter.flush(), sheet.recomputations)
}

budget()
