import CSystemSQLite

/// A database of SQLite in a file of its own (`sqlite3`). Closed with its last reference.
final class SQLiteDatabase {
    let handle: OpaquePointer
    private let path: String

    enum Mode: Sendable {
        case read
        /// A new file is made where there is none.
        case write
    }

    /// Opens the database at `path`.
    /// - Throws: `SQLiteError`.
    init(path: String, mode: Mode) throws {
        let flags = mode == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(handle)
            throw SQLiteError(path: path, reason: reason)
        }
        self.handle = handle
        self.path = path
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements that return no rows.
    func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Compiles one statement, whose `?` are bound later.
    func prepare(_ sql: String) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        guard let statement else { throw SQLiteError(path: path, reason: "an empty statement") }
        return SQLiteStatement(statement, of: self)
    }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure() }
    }

    func failure() -> SQLiteError { SQLiteError(path: path, reason: String(cString: sqlite3_errmsg(handle))) }
}

/// Why a database could not be used.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var reason: String

    public var description: String { "\(path): \(reason)." }
}
