import Foundation
import GRDB
import GameprofBasics
import HistoryModel

/// The tables, and the one place that reads and writes them.
enum Schema {
    /// "GPHi" in the file's header: other people's databases are refused.
    static let applicationID: Int32 = 0x4750_4869
    static let version = 1

    /// Why a file is not used: "F is …".
    struct Refusal: Error { var reason: String }

    static func clean(_ text: String) -> String { PlainText.clean(text) }

    static func prepare(_ database: Database) throws {
        // One look: between two of them another process may make the tables.
        var isMade = false
        try database.inTransaction(.deferred) {
            isMade = try isReady(database)
            return .commit
        }
        if isMade { return }
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.inTransaction(.immediate) {
            // Another process may have made the tables meanwhile.
            if try !isReady(database) { try create(database) }
            return .commit
        }
    }

    /// - Throws: `Refusal` for what is no history, or one of a later version.
    private static func isReady(_ database: Database) throws -> Bool {
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if owner == applicationID {
            guard found <= version else {
                throw Refusal(
                    reason: "is a history of version \(found), this gameprof-history reads version \(version).")
            }
            return found == version
        }
        let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_schema") ?? 0
        guard owner == 0, found == 0, tables == 0 else { throw Refusal(reason: "is a database of another program.") }
        return false
    }

    private static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE run (
                    id INTEGER PRIMARY KEY,
                    digest TEXT NOT NULL UNIQUE,
                    commitHash TEXT NOT NULL,
                    committed INTEGER NOT NULL,
                    branch TEXT NOT NULL,
                    machine TEXT NOT NULL,
                    toolchain TEXT NOT NULL,
                    scenario TEXT NOT NULL,
                    instruments TEXT NOT NULL,
                    isComplete INTEGER NOT NULL,
                    wallSeconds REAL NOT NULL
                ) STRICT;
                CREATE INDEX runOfSeries ON run (branch, scenario, committed);
                CREATE TABLE finding (
                    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
                    signature TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    severity TEXT NOT NULL,
                    title TEXT NOT NULL,
                    count INTEGER NOT NULL,
                    bytes INTEGER NOT NULL,
                    PRIMARY KEY (run, signature)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE figure (
                    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
                    place INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    unit TEXT NOT NULL,
                    repetition INTEGER NOT NULL,
                    value REAL NOT NULL,
                    PRIMARY KEY (run, place, repetition)
                ) STRICT, WITHOUT ROWID;
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                """)
    }

    /// False: the history has it already.
    static func insert(_ run: Run, into database: Database) throws -> Bool {
        let origin = run.origin
        try database.execute(
            sql: """
                INSERT INTO run (digest, commitHash, committed, branch, machine, toolchain, scenario, instruments,
                    isComplete, wallSeconds)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING
                """,
            arguments: [
                run.digest, origin.commit, origin.committed, origin.branch, origin.machine, origin.toolchain,
                run.scenario, run.instruments.sorted().joined(separator: ","), run.isComplete, run.wallSeconds,
            ])
        guard database.changesCount > 0 else { return false }
        let id = database.lastInsertedRowID
        let finding = try database.cachedStatement(sql: "INSERT OR IGNORE INTO finding VALUES (?, ?, ?, ?, ?, ?, ?)")
        for one in run.findings {
            try finding.execute(arguments: [id, one.signature, one.kind, one.severity, one.title, one.count, one.bytes])
        }
        let figure = try database.cachedStatement(sql: "INSERT INTO figure VALUES (?, ?, ?, ?, ?, ?)")
        for (place, one) in run.figures.enumerated() {
            for (repetition, value) in one.values.enumerated() {
                try figure.execute(arguments: [id, place, one.name, one.unit.rawValue, repetition, value])
            }
        }
        return true
    }

    /// In the order in which they were added.
    static func runs(_ database: Database, branch: String, scenario: String, last: Int) throws -> [Run] {
        let chosen = """
            SELECT id FROM run WHERE branch = ? AND scenario = ? ORDER BY committed DESC, id DESC LIMIT ?
            """
        let key: StatementArguments = [branch, scenario, last]
        var runs: [Int64: Run] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM run WHERE id IN (\(chosen))", arguments: key) {
            let instruments: String = row["instruments"]
            runs[row["id"]] = Run(
                origin: Run.Origin(
                    commit: row["commitHash"], committed: row["committed"], branch: row["branch"],
                    machine: row["machine"], toolchain: row["toolchain"]),
                scenario: row["scenario"], instruments: Set(instruments.split(separator: ",").map(String.init)),
                isComplete: row["isComplete"], wallSeconds: row["wallSeconds"], findings: [], figures: [])
        }
        let findings = try Row.fetchCursor(
            database, sql: "SELECT * FROM finding WHERE run IN (\(chosen)) ORDER BY run, signature", arguments: key)
        while let row = try findings.next() {
            runs[row["run"]]?.findings.append(
                Run.Finding(
                    signature: row["signature"], kind: row["kind"], severity: row["severity"], title: row["title"],
                    count: row["count"], bytes: row["bytes"]))
        }
        let figures = try Row.fetchCursor(
            database, sql: "SELECT * FROM figure WHERE run IN (\(chosen)) ORDER BY run, place, repetition",
            arguments: key)
        while let row = try figures.next() {
            let (run, name, value): (Int64, String, Double) = (row["run"], row["name"], row["value"])
            let count = runs[run]?.figures.count ?? 0
            if count > 0, runs[run]?.figures[count - 1].name == name {
                runs[run]?.figures[count - 1].values.append(value)
            } else {
                guard let unit = MeasureUnit(rawValue: row["unit"]) else { continue }
                runs[run]?.figures.append(Run.Figure(name: name, unit: unit, values: [value]))
            }
        }
        return runs.sorted { $0.key < $1.key }.map(\.value)
    }
}
