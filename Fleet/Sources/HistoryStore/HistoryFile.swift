import Foundation
import GRDB
import GameprofBasics
import HistoryModel

/// Why a history could not be read or written, as one sentence.
public struct HistoryFileError: Error, CustomStringConvertible, Equatable {
    public enum Kind: Sendable { case unreadable, failed }

    public let kind: Kind
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// The SQLite file of a history, with a write-ahead log: several processes may read and add at once.
public struct HistoryFile: Sendable {
    private let database: DatabaseQueue
    private let name: String

    /// How long another writer is waited for.
    static let patience: TimeInterval = 60

    /// Opens the file. `creates`: makes it if it is missing.
    /// - Throws: `HistoryFileError`.
    public init(path: String, creates: Bool) throws {
        name = Schema.clean(path)
        guard creates || FileManager.default.fileExists(atPath: path) else {
            throw HistoryFileError(.unreadable, "\(name) is missing. gameprof history add makes it.")
        }
        let place: OutputPlace
        do { place = try OutputPlace(path) } catch {
            throw HistoryFileError(.failed, "\(name) cannot be opened: \(error.reason).")
        }
        guard place.isReplaceable else {
            throw HistoryFileError(.unreadable, "\(name) is no history of gameprof: it is not a regular file.")
        }
        // A new one is its user's alone; SQLite gives the files beside it the same mode. It follows links, and finds none.
        let path = place.path
        if creates { close(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)) }
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.patience)
        configuration.label = "history"
        do {
            database = try Self.patiently {
                let database = try DatabaseQueue(path: path, configuration: configuration)
                try database.inDatabase(Schema.prepare)
                return database
            }
        } catch { throw Self.error(error, name) }
    }

    /// Adds runs in one transaction: all of them or, after a failure, none. Returns how many the history did not have.
    /// - Throws: `HistoryFileError`.
    public func add(_ runs: [Run]) throws -> Int {
        try access { database in
            var added = 0
            try database.inTransaction(.immediate) {
                for run in runs where try Schema.insert(run, into: database) { added += 1 }
                return .commit
            }
            return added
        }
    }

    /// What a history has runs of.
    public struct Series: Hashable, Sendable {
        public var branch: String
        public var scenario: String
        public var runs: Int
    }

    /// By branch and scenario.
    /// - Throws: `HistoryFileError`.
    public func series() throws -> [Series] {
        try access { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT branch, scenario, COUNT(*) AS runs FROM run GROUP BY branch, scenario ORDER BY branch, scenario"
            ).map { Series(branch: $0["branch"], scenario: $0["scenario"], runs: $0["runs"]) }
        }
    }

    /// The branch with the most runs, of equal ones the first by name; nil: the history is empty.
    /// - Throws: `HistoryFileError`.
    public func mainBranch() throws -> String? {
        try access { database in
            try String.fetchOne(
                database, sql: "SELECT branch FROM run GROUP BY branch ORDER BY COUNT(*) DESC, branch LIMIT 1")
        }
    }

    /// The runs of a scenario on a branch; `last`: of the commits with the latest dates, at most so many runs.
    /// - Throws: `HistoryFileError`.
    public func timeline(branch: String, scenario: String, last: Int = 20_000) throws -> Timeline {
        try access { database in
            Timeline(try Schema.runs(database, branch: branch, scenario: scenario, last: last))
        }
    }

    private func access<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try database.inDatabase(body)
        } catch { throw Self.error(error, name) }
    }

    /// The switch to a write-ahead log and the recovery of one do not wait for other processes: repeats what was refused.
    private static func patiently<T>(_ body: () throws -> T) throws -> T {
        let end = Date().addingTimeInterval(patience)
        var pause: useconds_t = 1_000
        while true {
            do {
                return try body()
            } catch let error as DatabaseError
                where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) && Date() < end
            {
                usleep(pause)
                pause = min(pause * 2, 100_000)
            }
        }
    }

    private static func error(_ error: any Error, _ name: String) -> HistoryFileError {
        switch error {
        case let error as HistoryFileError: return error
        case let error as Schema.Refusal: return HistoryFileError(.unreadable, "\(name) \(error.reason)")
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT:
                return HistoryFileError(.unreadable, "\(name) is no history of gameprof, or it is damaged.")
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
                return HistoryFileError(
                    .failed, "\(name) cannot be opened for writing; its folder must be writable too.")
            case .SQLITE_FULL: return HistoryFileError(.failed, "\(name) cannot grow: the disk is full.")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                return HistoryFileError(.failed, "\(name) was in use by another process for \(Int(patience)) seconds.")
            default: return HistoryFileError(.failed, "\(name): SQLite reports: \(error.message ?? "no reason").")
            }
        default: return HistoryFileError(.failed, "\(name): \(error.localizedDescription)")
        }
    }
}
