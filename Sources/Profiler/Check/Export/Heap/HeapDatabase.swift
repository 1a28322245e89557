import GameprofAnalysis
import GameprofBasics
import GameprofTrace

/// The heap as a database of SQLite. `Documentation/HeapFormats.md` describes its tables and has queries.
public struct HeapDatabase {
    private let dump: HeapDump
    private let database: SQLiteDatabase

    private static let tables = """
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA user_version = 1;
        CREATE TABLE snapshot (program TEXT, number INTEGER, name TEXT, seconds REAL, objects INTEGER, bytes INTEGER);
        CREATE TABLE types (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, is_buffer INTEGER NOT NULL, count INTEGER NOT NULL,
            bytes INTEGER NOT NULL);
        CREATE TABLE objects (
            id INTEGER PRIMARY KEY, address INTEGER NOT NULL, type INTEGER NOT NULL REFERENCES types,
            bytes INTEGER NOT NULL, retained INTEGER NOT NULL, reachable INTEGER NOT NULL,
            dominator INTEGER REFERENCES objects, owner INTEGER REFERENCES objects,
            strong_count INTEGER, stack INTEGER);
        CREATE TABLE "references" (
            source INTEGER NOT NULL REFERENCES objects, target INTEGER NOT NULL REFERENCES objects, field TEXT,
            ownership TEXT NOT NULL, holds INTEGER NOT NULL);
        CREATE TABLE roots (
            object INTEGER NOT NULL REFERENCES objects, kind TEXT NOT NULL, name TEXT NOT NULL, thread TEXT,
            holds INTEGER NOT NULL);
        CREATE TABLE stacks (
            stack INTEGER NOT NULL, depth INTEGER NOT NULL, function TEXT NOT NULL, module TEXT NOT NULL, file TEXT,
            line INTEGER, PRIMARY KEY (stack, depth)) WITHOUT ROWID;
        BEGIN;
        """

    /// After the rows, so that each is sorted once.
    private static let indexes = """
        CREATE INDEX types_by_name ON types (name);
        CREATE INDEX objects_by_type ON objects (type, retained);
        CREATE INDEX objects_by_retained ON objects (retained);
        CREATE INDEX objects_by_owner ON objects (owner);
        CREATE INDEX objects_by_dominator ON objects (dominator);
        CREATE INDEX objects_by_stack ON objects (stack);
        CREATE INDEX references_by_source ON "references" (source);
        CREATE INDEX references_by_target ON "references" (target);
        CREATE INDEX roots_by_object ON roots (object);
        COMMIT;
        ANALYZE;
        """

    /// Writes the database to a new file at `path`.
    /// - Throws: `SQLiteError`.
    public static func write(_ dump: HeapDump, program: String, to path: String) throws {
        let database = HeapDatabase(dump: dump, database: try SQLiteDatabase(path: path, mode: .write))
        try database.database.execute(tables)
        try database.writeSnapshot(program)
        try database.writeTypes()
        try database.writeObjects()
        try database.writeReferences()
        try database.writeRoots()
        try database.writeStacks()
        try database.database.execute(indexes)
    }

    private func writeSnapshot(_ program: String) throws {
        let held = (0..<dump.count).filter { dump.isHeld($0) }
        try database.prepare("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?)").run(
            .text(PlainText.clean(program)), .number(dump.snapshot), .text(PlainText.clean(dump.snapshotName)),
            .real(Double(dump.time) / 1e9), .number(held.count),
            .number(held.reduce(UInt64(0)) { $0 &+ dump.heap.sizes[$1] }))
    }

    private func writeTypes() throws {
        var (counts, bytes) = ([Int](repeating: 0, count: dump.typeNames.count), dump.typeNames.map { _ in UInt64(0) })
        var areBuffers = [Bool](repeating: false, count: dump.typeNames.count)
        for block in 0..<dump.count {
            let type = dump.type(of: block)
            areBuffers[type] = dump.isBuffer(block)
            guard dump.isHeld(block) else { continue }
            counts[type] += 1
            bytes[type] &+= dump.heap.sizes[block]
        }
        let insert = try database.prepare("INSERT INTO types VALUES (?, ?, ?, ?, ?)")
        for (index, name) in dump.typeNames.enumerated() {
            try insert.run(
                .number(index + 1), .text(name), .number(areBuffers[index] ? 1 : 0), .number(counts[index]),
                .number(bytes[index]))
        }
    }

    private func writeObjects() throws {
        let insert = try database.prepare("INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let owners = dump.owners()
        for block in 0..<dump.count {
            let isHeld = dump.isHeld(block)
            let (stack, isSwift) = (dump.heap.stacks[block], dump.heap.flags[block].contains(.swift))
            try insert.run(
                .number(block + 1), .number(dump.heap.addresses[block]), .number(dump.type(of: block) + 1),
                .number(dump.heap.sizes[block]), .number(dump.retained[block]), .number(isHeld ? 1 : 0),
                dump.dominator(of: block).map { .number($0 + 1) } ?? .null,
                owners[block] == HeapDump.none ? .null : .number(UInt64(owners[block]) + 1),
                isSwift ? .number(dump.heap.strongCounts[block]) : .null,
                stack.isNone ? .null : .number(stack.rawValue))
        }
    }

    private func writeReferences() throws {
        let insert = try database.prepare("INSERT INTO \"references\" VALUES (?, ?, ?, ?, ?)")
        for block in 0..<dump.count {
            for reference in dump.heap.references(of: block) {
                let field = dump.label(of: reference)
                try insert.run(
                    .number(block + 1), .number(UInt64(dump.heap.targets[reference]) + 1),
                    field.isEmpty ? .null : .text(field), .text(dump.heap.ownership(of: reference).word),
                    .number(dump.holds(reference) ? 1 : 0))
            }
        }
    }

    private func writeRoots() throws {
        let insert = try database.prepare("INSERT INTO roots VALUES (?, ?, ?, ?, ?)")
        for root in dump.roots {
            try insert.run(
                .number(root.block + 1), .text(root.kind.word), .text(root.name), .textOrNull(root.thread),
                .number(root.holds ? 1 : 0))
        }
    }

    private func writeStacks() throws {
        let insert = try database.prepare("INSERT INTO stacks VALUES (?, ?, ?, ?, ?, ?)")
        for stack in dump.stacks() {
            for (depth, frame) in dump.frames(of: stack).enumerated() {
                try insert.run(
                    .number(stack.rawValue), .number(depth), .text(frame.function), .text(frame.module),
                    frame.file.isEmpty ? .null : .text(frame.file), frame.line == 0 ? .null : .number(frame.line))
            }
        }
    }
}

extension Ownership {
    /// As a column of a table.
    fileprivate var word: String {
        switch self {
        case .strong: "strong"
        case .unowned: "unowned"
        case .weak: "weak"
        case .unmanaged: "unmanaged"
        case .conservative: "conservative"
        }
    }
}
