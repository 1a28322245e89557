// A database in memory and one in a file: records, queries, a rollback, an observation.
import Foundation
import GRDB

struct Player: Codable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var name: String
    var score: Int

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Refused: Error {}

func use(_ database: some DatabaseWriter) throws -> String {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("players") { database in
        try database.create(table: "player") { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("name", .text).notNull()
            table.column("score", .integer).notNull()
        }
    }
    try migrator.migrate(database)
    let deliveries = DispatchQueue(label: "deliveries")
    let isComplete = DispatchSemaphore(value: 0)
    let observation = ValueObservation.tracking { try Player.fetchCount($0) }
    let token = observation.start(
        in: database, scheduling: .async(onQueue: deliveries), onError: { _ in },
        onChange: { count in if count == 200 { isComplete.signal() } })
    for number in 0..<200 {
        try database.write { database in
            var player = Player(id: nil, name: "player \(number)", score: number * 7 % 101)
            try player.insert(database)
        }
    }
    try? database.write { database in
        try Player.deleteAll(database)
        throw Refused()
    }
    let best = try database.read { database in
        try Player.filter(Column("score") > 90).order(Column("score").desc, Column("id")).limit(3).fetchAll(database)
    }
    let isObserved = isComplete.wait(timeout: .now() + 20) == .success
    token.cancel()
    deliveries.sync {}
    let count = try database.read { try Player.fetchCount($0) }
    return "\(count) players, best \(best.map(\.score)), observed \(isObserved)"
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notebook-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
print("memory: \(try use(DatabaseQueue()))")
let pool = try DatabasePool(path: folder.appendingPathComponent("players.sqlite").path)
print("file: \(try use(pool))")
try pool.close()
