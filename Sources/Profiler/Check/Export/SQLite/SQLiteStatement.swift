import CSystemSQLite

/// A compiled statement (`sqlite3_stmt`).
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: SQLiteDatabase

    /// SQLite copies a text that is bound with this destructor (`SQLITE_TRANSIENT`, a macro that Swift cannot see).
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement once with these values for its `?`; rows are passed over.
    func run(_ values: SQLiteValue...) throws {
        try bind(values)
        while try step() {}
        sqlite3_reset(handle)
    }

    /// The rows of the statement with these values for its `?`.
    func rows(_ values: SQLiteValue...) throws -> [[SQLiteValue]] {
        try bind(values)
        var rows: [[SQLiteValue]] = []
        while try step() { rows.append((0..<sqlite3_column_count(handle)).map { column($0) }) }
        sqlite3_reset(handle)
        return rows
    }

    private func bind(_ values: [SQLiteValue]) throws {
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .null: try database.check(sqlite3_bind_null(handle, place))
            case .integer(let number): try database.check(sqlite3_bind_int64(handle, place, number))
            case .real(let number): try database.check(sqlite3_bind_double(handle, place, number))
            case .text(let text): try database.check(sqlite3_bind_text(handle, place, text, -1, Self.transient))
            }
        }
    }

    private func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let failure = database.failure()
            sqlite3_reset(handle)
            throw failure
        }
    }

    private func column(_ place: Int32) -> SQLiteValue {
        switch sqlite3_column_type(handle, place) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, place))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, place))
        case SQLITE_NULL: .null
        default: .text(sqlite3_column_text(handle, place).map { String(cString: $0) } ?? "")
        }
    }
}

/// What a row has in a column, or a statement is given.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// Above 2⁶³ − 1: that.
    static func number(_ number: some BinaryInteger) -> SQLiteValue { .integer(Int64(clamping: number)) }

    static func textOrNull(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}
