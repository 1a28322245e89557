import Dispatch
import Foundation

// A database connection pool with leases, waiting callers and a statement cache.

final class LRUCache<Key: Hashable, Value> {
    private final class Entry {
        let key: Key
        var value: Value
        var newer: Entry?
        weak var older: Entry?

        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    private var table: [Key: Entry] = [:]
    private var oldest: Entry?
    private var newest: Entry?
    private let capacity: Int
    private(set) var misses = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { table.count }

    func value(for key: Key, make: () -> Value) -> Value {
        if let entry = table[key] {
            unlink(entry)
            push(entry)
            return entry.value
        }
        misses += 1
        let entry = Entry(key: key, value: make())
        table[key] = entry
        push(entry)
        if table.count > capacity, let victim = oldest {
            unlink(victim)
            table.removeValue(forKey: victim.key)
        }
        return entry.value
    }

    private func push(_ entry: Entry) {
        entry.older = newest
        newest?.newer = entry
        newest = entry
        if oldest == nil { oldest = entry }
    }

    private func unlink(_ entry: Entry) {
        let newer = entry.newer
        let older = entry.older
        entry.newer = nil
        entry.older = nil
        if let older { older.newer = newer } else { oldest = newer }
        if let newer { newer.older = older } else { newest = older }
    }
}

struct Statement {
    let sql: String
    let tokens: [Substring]
}

final class Connection {
    let number: Int
    private weak var pool: ConnectionPool?
    private let statements = LRUCache<String, Statement>(capacity: 8)
    private(set) var used = 0

    init(number: Int, pool: ConnectionPool) {
        self.number = number
        self.pool = pool
    }

    func execute(_ sql: String) -> Int {
        used += 1
        let statement = statements.value(for: sql) {
            Statement(sql: sql, tokens: sql.split(separator: " "))
        }
        return statement.tokens.count + (pool?.generation ?? 0)
    }
}

/// Gives its connection back when it goes away.
final class Lease {
    let connection: Connection
    private let giveBack: (Connection) -> Void

    init(connection: Connection, giveBack: @escaping (Connection) -> Void) {
        self.connection = connection
        self.giveBack = giveBack
    }

    deinit {
        giveBack(connection)
    }
}

final class ConnectionPool {
    typealias Waiter = (Lease) -> Void

    private(set) var generation = 0
    private var idle: [Connection] = []
    private var waiters: [Waiter] = []
    private var opened = 0
    private let maximum: Int
    private var reaper: DispatchSourceTimer?
    private let queue = DispatchQueue(label: "pool.reaper")

    init(maximum: Int) {
        self.maximum = maximum
    }

    func startReaper() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 0.01, repeating: 0.01)
        let counter = ReapCounter()
        timer.setEventHandler { counter.bump() }
        timer.setCancelHandler { print("reaper stopped") }
        reaper = timer
        timer.resume()
    }

    func acquire(_ body: @escaping Waiter) {
        if let connection = idle.popLast() {
            body(wrap(connection))
        } else if opened < maximum {
            opened += 1
            body(wrap(Connection(number: opened, pool: self)))
        } else {
            waiters.append(body)
        }
    }

    func drain() {
        reaper?.cancel()
        reaper = nil
        waiters.removeAll()
        idle.removeAll()
        generation += 1
    }

    private func wrap(_ connection: Connection) -> Lease {
        Lease(connection: connection) { back in
            self.returned(back)
        }
    }

    private func returned(_ connection: Connection) {
        if waiters.isEmpty {
            idle.append(connection)
        } else {
            let next = waiters.removeFirst()
            next(wrap(connection))
        }
    }
}

final class ReapCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var turns = 0

    func bump() {
        lock.withLock { turns += 1 }
    }
}

final class ReportService {
    private let pool: ConnectionPool
    private(set) var rows = 0
    private var held: [Lease] = []

    init(pool: ConnectionPool) {
        self.pool = pool
    }

    func pageRows(_ count: Int) {
        for page in 0..<count {
            pool.acquire { lease in
                self.rows += lease.connection.execute("select * from sales where page = \(page % 12)")
            }
        }
    }

    func crowd(_ count: Int) {
        for index in 0..<count {
            pool.acquire { lease in
                self.rows += lease.connection.execute("select \(index)")
                self.held.append(lease)
            }
        }
    }

    func letGo() {
        while let lease = held.popLast() {
            _ = lease.connection.number
        }
    }
}

func nightly() {
    let pool = ConnectionPool(maximum: 3)
    pool.startReaper()
    let reports = ReportService(pool: pool)
    reports.pageRows(40)
    reports.crowd(7)
    reports.letGo()
    Thread.sleep(forTimeInterval: 0.05)
    pool.drain()
    print("rows \(reports.rows)")
}

nightly()
