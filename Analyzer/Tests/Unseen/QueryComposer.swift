import Foundation

enum SQLValue: Sendable, Equatable, CustomStringConvertible {
    case text(String), integer(Int), null

    var description: String {
        switch self {
        case .text(let s): "'\(s.replacingOccurrences(of: "'", with: "''"))'"
        case .integer(let i): String(i)
        case .null: "NULL"
        }
    }
}

struct SQLFragment: Sendable {
    var text: String
    var bindings: [SQLValue] = []

    static func + (lhs: SQLFragment, rhs: SQLFragment) -> SQLFragment {
        SQLFragment(text: lhs.text + rhs.text, bindings: lhs.bindings + rhs.bindings)
    }
}

indirect enum Predicate: Sendable {
    case compare(String, String, SQLValue)
    case all([Predicate])
    case any([Predicate])
    case not(Predicate)

    var fragment: SQLFragment {
        switch self {
        case .compare(let column, let op, let value):
            SQLFragment(text: "\(column) \(op) ?", bindings: [value])
        case .all(let parts):
            Self.join(parts, " AND ")
        case .any(let parts):
            Self.join(parts, " OR ")
        case .not(let inner):
            SQLFragment(text: "NOT ") + inner.fragment
        }
    }

    private static func join(_ parts: [Predicate], _ separator: String) -> SQLFragment {
        let fragments = parts.map(\.fragment)
        return SQLFragment(
            text: "(" + fragments.map(\.text).joined(separator: separator) + ")",
            bindings: fragments.flatMap(\.bindings)
        )
    }
}

@resultBuilder
enum PredicateBuilder {
    static func buildExpression(_ predicate: Predicate) -> [Predicate] { [predicate] }
    static func buildBlock(_ parts: [Predicate]...) -> [Predicate] { parts.flatMap { $0 } }
    static func buildOptional(_ part: [Predicate]?) -> [Predicate] { part ?? [] }
    static func buildArray(_ parts: [[Predicate]]) -> [Predicate] { parts.flatMap { $0 } }
}

struct Query<Record>: Sendable {
    typealias Decode = @Sendable ([String: SQLValue]) -> Record?

    private let table: String
    private var predicate: Predicate?
    private var ordering: [String] = []
    private var limit: Int?
    private let decode: Decode

    init(_ table: String, decode: @escaping Decode) {
        self.table = table
        self.decode = decode
    }

    func filter(@PredicateBuilder _ build: () -> [Predicate]) -> Self {
        var copy = self
        copy.predicate = .all((predicate.map { [$0] } ?? []) + build())
        return copy
    }

    func ordered(by column: String, descending: Bool = false) -> Self {
        var copy = self
        copy.ordering.append(descending ? column + " DESC" : column)
        return copy
    }

    func first(_ count: Int) -> Self {
        var copy = self
        copy.limit = count
        return copy
    }

    func map<Other>(_ transform: @escaping @Sendable (Record) -> Other) -> Query<Other> {
        var other = Query<Other>(table) { row in
            self.decode(row).map(transform)
        }
        other.predicate = predicate
        other.ordering = ordering
        other.limit = limit
        return other
    }

    var sql: SQLFragment {
        var fragment = SQLFragment(text: "SELECT * FROM \(table)")
        if let predicate { fragment = fragment + SQLFragment(text: " WHERE ") + predicate.fragment }
        if !ordering.isEmpty { fragment.text += " ORDER BY " + ordering.joined(separator: ", ") }
        if let limit { fragment.text += " LIMIT \(limit)" }
        return fragment
    }

    func run(_ execute: (SQLFragment) -> [[String: SQLValue]]) -> [Record] {
        execute(sql).compactMap { decode($0) }
    }
}

struct Book: Sendable {
    let title: String
    let year: Int
}

let books = Query("books") { row -> Book? in
    guard case .text(let title)? = row["title"], case .integer(let year)? = row["year"] else { return nil }
    return Book(title: title, year: year)
}

let recentTitles = books
    .filter {
        Predicate.compare("year", ">", .integer(1950))
        for word in ["Sea", "Mountain"] {
            Predicate.not(.compare("title", "=", .text(word)))
        }
    }
    .ordered(by: "year", descending: true)
    .first(10)
    .map { "\($0.title) (\($0.year))" }

let titles = recentTitles.run { fragment in
    print(fragment.text, fragment.bindings.map(\.description))
    return [["title": .text("Solaris"), "year": .integer(1961)], ["title": .null]]
}
print(titles)
