// An import into the program's one database, a singleton: all rows are the data, and the program ends when they are read.
import Foundation

final class Row {
    let id: Int
    let name: String
    let price: Int
    init(id: Int, name: String, price: Int) {
        self.id = id
        self.name = name
        self.price = price
    }
}
final class Database {
    nonisolated(unsafe) static let shared = Database()
    private var rows: [Int: Row] = [:]
    private var names: [String: [Int]] = [:]
    private init() {}
    func insert(_ row: Row) {
        rows[row.id] = row
        names[row.name.lowercased(), default: []].append(row.id)
    }
    func find(_ name: String) -> [Row] { (names[name.lowercased()] ?? []).compactMap { rows[$0] } }
    var count: Int { rows.count }
}
struct Lines: Sequence, IteratorProtocol {
    private var at = 0
    let count: Int
    init(count: Int) { self.count = count }
    mutating func next() -> String? {
        guard at < count else { return nil }
        at += 1
        return "\(at);Article number \(at % 700) of the catalogue;\(at * 7 % 1_000)"
    }
}
enum ImportError: Error { case fields(Int) }
func parse(_ line: String) throws -> Row {
    let fields = line.components(separatedBy: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    guard fields.count == 3, let id = Int(fields[0]), let price = Int(fields[2]) else {
        throw ImportError.fields(fields.count)
    }
    return Row(id: id, name: fields[1], price: price)
}
func run() throws {
    for line in Lines(count: 3_000) { Database.shared.insert(try parse(line)) }
    print(Database.shared.count, Database.shared.find("article number 5 of the catalogue").count)
}
try run()
