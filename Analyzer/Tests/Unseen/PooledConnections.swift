import Foundation

struct PoolExhausted: Error {}

struct Row: Sendable {
    let columns: [String: String]
}

protocol Wire: AnyObject {
    func send(_ statement: String) throws -> [Row]
    func close()
}

final class FakeWire: Wire {
    private var open = true

    func send(_ statement: String) throws -> [Row] {
        guard open else { throw PoolExhausted() }
        return [Row(columns: ["sql": statement, "length": String(statement.count)])]
    }

    func close() {
        open = false
    }
}

final class PooledConnection {
    let number: Int
    private let wire: any Wire
    fileprivate var giveBack: ((PooledConnection) -> Void)?
    fileprivate var lastUsed = Date.distantPast
    private(set) var statements = 0

    init(number: Int, wire: any Wire) {
        self.number = number
        self.wire = wire
    }

    deinit {
        wire.close()
    }

    func query(_ statement: String) throws -> [Row] {
        statements += 1
        return try wire.send(statement)
    }

    func release() {
        giveBack?(self)
    }
}

final class ConnectionPool {
    private var idle: [PooledConnection] = []
    private var leased: [ObjectIdentifier: PooledConnection] = [:]
    private var waiting: [(PooledConnection) -> Void] = []
    private let makeWire: () -> any Wire
    private let limit: Int
    private var made = 0

    init(limit: Int, makeWire: @escaping () -> any Wire) {
        self.limit = limit
        self.makeWire = makeWire
    }

    private func makeConnection() -> PooledConnection? {
        guard made < limit else { return nil }
        made += 1
        let connection = PooledConnection(number: made, wire: makeWire())
        connection.giveBack = { connection in
            self.leased[ObjectIdentifier(connection)] = nil
            connection.lastUsed = Date()
            if self.waiting.isEmpty {
                self.idle.append(connection)
            } else {
                self.lend(connection, to: self.waiting.removeFirst())
            }
        }
        return connection
    }

    private func lend(_ connection: PooledConnection, to body: (PooledConnection) -> Void) {
        leased[ObjectIdentifier(connection)] = connection
        body(connection)
    }

    func lease(_ body: @escaping (PooledConnection) -> Void) {
        if let connection = idle.popLast() ?? makeConnection() {
            lend(connection, to: body)
        } else {
            waiting.append(body)
        }
    }

    func withConnection<T>(_ body: (PooledConnection) throws -> T) throws -> T {
        guard let connection = idle.popLast() ?? makeConnection() else { throw PoolExhausted() }
        defer { connection.release() }
        return try body(connection)
    }

    var summary: String { "made \(made), idle \(idle.count), leased \(leased.count)" }
}

final class UserTable {
    private let pool: ConnectionPool
    private var cache: [Int: String] = [:]

    init(pool: ConnectionPool) {
        self.pool = pool
    }

    func name(of id: Int) throws -> String {
        if let known = cache[id] { return known }
        let rows = try pool.withConnection { connection in
            try connection.query("select name from users where id = \(id)")
        }
        let name = rows.first?.columns["length"] ?? "?"
        if cache.count >= 128 { cache.removeAll() }
        cache[id] = name
        return name
    }
}

func handleBatch(_ ids: [Int]) throws {
    let pool = ConnectionPool(limit: 2) { FakeWire() }
    let users = UserTable(pool: pool)
    print(try ids.map(users.name(of:)))
    var held: [PooledConnection] = []
    for _ in 0..<3 {
        pool.lease { held.append($0) }
    }
    held.forEach { $0.release() }
    held.last?.release()
    print(pool.summary)
}

try handleBatch([1, 2, 3, 2])
try handleBatch([40])
