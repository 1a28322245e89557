import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck
@testable import GameprofTrace

@Suite struct HeapFormatTests {
    /// A game that holds a board with three cards in an array, an observer that refers weakly to the board, a stale word
    /// that names a card, and two objects that nothing reaches.
    private static var game: LiveHeapFixture {
        var heap = LiveHeapFixture()
        let game = heap.object("Game.Game", size: 48)
        let board = heap.object("Game.Board", size: 56)
        let storage = heap.object("Swift._ContiguousArrayStorage<Game.Card>", size: 160)
        let cards = (0..<3).map { _ in heap.object("Game.Card", size: 24) }
        let observer = heap.object("Game.Observer", size: 32)
        let memory = heap.object(nil, size: 100)
        let lost = [heap.object("Game.Lost", size: 40), heap.object("Game.Lost", size: 40)]
        heap.root(game)
        heap.root(observer, kind: .stack)
        heap.root(memory)
        heap.root(cards[2], kind: .register)
        heap.refer(game, "board", board)
        heap.refer(game, "first", cards[0], ownership: .unowned)
        heap.refer(board, "cards", storage)
        for card in cards { heap.refer(storage, "", card) }
        heap.refer(observer, "board", board, ownership: .weak)
        heap.refer(memory, "", cards[1], ownership: .conservative)
        heap.refer(lost[0], "other", lost[1])
        heap.refer(lost[1], "other", lost[0])
        return heap
    }

    private func bytes(_ write: (ExportStream) throws -> Void) rethrows -> [UInt8] {
        var bytes: [UInt8] = []
        try write(ExportStream { bytes += $0 })
        return bytes
    }

    private func snapshot(_ dump: HeapDump) throws -> V8Snapshot {
        try V8Snapshot(try bytes { try HeapSnapshotExport.write(dump, to: $0) })
    }

    private func hprof(_ dump: HeapDump) throws -> HprofFile {
        try HprofFile(try bytes { try HprofExport.write(dump, milliseconds: 1_700_000_000_000, to: $0) })
    }

    private func database(_ dump: HeapDump) throws -> SQLiteDatabase {
        let path = FileManager.default.temporaryDirectory.appending(path: "gameprof-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try HeapDatabase.write(dump, program: "/games/game", to: path)
        return try SQLiteDatabase(path: path, mode: .read)
    }

    // MARK: - heapsnapshot

    @Test("a V8 snapshot has every block with its type, size and named references")
    func snapshotBlocks() throws {
        let fixture = Self.game
        let file = try snapshot(fixture.dump)
        let blocks = file.nodes.filter { $0.type != "synthetic" }
        #expect(blocks.map(\.size) == fixture.heap.sizes.map(Int.init))
        #expect(Set(blocks.map(\.id)).count == blocks.count && blocks.allSatisfy { $0.id % 2 == 1 })
        let game = try #require(blocks.first { $0.name == "Game.Game" })
        #expect(game.edges.map(\.name) == ["board", "first"] && game.edges.map(\.type) == ["property", "weak"])
        let storage = try #require(blocks.first { $0.name.contains("Storage") })
        #expect(storage.edges.map(\.name) == ["0", "1", "2"])
    }

    @Test("the dominators of a V8 snapshot are those of the analysis")
    func snapshotDominators() throws {
        let dump = Self.game.dump
        let file = try snapshot(dump)
        let first = file.nodes.count - dump.count
        for block in 0..<dump.count where dump.isHeld(block) {
            #expect(file.retained(first + block) == Int(dump.retained[block]), "\(file.nodes[first + block])")
        }
        #expect(file.nodes.prefix(first).map(\.name) == ["", "(global variables)", "(stacks)", "(unreachable)"])
        let unreachable = file.nodes[first - 1].edges.map { file.nodes[$0.target].name }
        #expect(unreachable == ["Game.Lost", "Game.Lost"])
    }

    @Test("names with quotes, escapes and control characters stay one string of the file")
    func hostileNames() throws {
        var fixture = LiveHeapFixture()
        let game = fixture.object("Game.\"x\\y\u{1b}[2J\n</script>")
        let board = fixture.object("Game.Board")
        fixture.root(game)
        fixture.refer(game, "a\"b\u{0}c", board)
        let dump = fixture.dump
        let names = try snapshot(dump).nodes.map(\.name)
        #expect(names.contains("Game.\"x\\y\\u{1B}[2J\\u{A}</script>"))
        #expect(try hprof(dump).classes.values.contains { $0.name.hasPrefix("Game.\"x\\y\\u{1B}") })
        let rows = try database(dump).prepare("SELECT field FROM \"references\"").rows()
        #expect(rows == [[.text("a\"b\\u{0}c")]])
    }

    @Test("a block has the same number in two snapshots of one process")
    func numbersOfBlocks() {
        let before = SnapshotNumbers([0x5555_0000_0010, 0x5555_0000_0040, 0x7fff_0000_0010])
        let after = SnapshotNumbers([0x5555_0000_0040, 0x5555_0000_0080])
        #expect(before[1] == after[0])
        let far = SnapshotNumbers([0x5555_0000_0010, 0x5559_0000_0010])
        #expect(far[0] != far[1])
    }

    // MARK: - hprof

    @Test("a Java heap dump has a class for each type, with fields of the references' names")
    func hprofClasses() throws {
        let fixture = Self.game
        let file = try hprof(fixture.dump)
        #expect(file.format == "JAVA PROFILE 1.0.2" && file.isEnded)
        let addresses = fixture.heap.addresses
        let game = try #require(file.instances[addresses[0]])
        let type = try #require(file.classes[game.type])
        #expect(type.name == "Game.Game")
        #expect(type.fields.map(\.name).filter { !$0.hasPrefix("other") } == ["board", "first (not held)"])
        #expect(game.references.map(\.name) == ["board"] && game.references.map(\.target) == [addresses[1]])
        #expect(file.classes[type.parent]?.name == "java.lang.Object")
        let storage = try #require(file.arrays[addresses[2]])
        #expect(file.classes[storage.type]?.name == "[LSwift._ContiguousArrayStorage<Game.Card>;")
        #expect(storage.references.map(\.target) == Array(addresses[3...5]))
    }

    @Test("the fields of a Java heap dump make up the size of each block")
    func hprofSizes() throws {
        let fixture = Self.game
        let file = try hprof(fixture.dump)
        let heap = fixture.heap
        for (address, size) in zip(heap.addresses, heap.sizes) {
            if let object = file.instances[address] {
                #expect(object.bytes + 16 == Int(size))
                #expect(file.classes[object.type]?.size == object.bytes)
            } else {
                let array = try #require(file.arrays[address])
                #expect(Int(size) - array.bytes - 24 < 8)
            }
        }
    }

    @Test("global variables are static fields, other roots have their kinds, and stale words are none")
    func hprofRoots() throws {
        let fixture = Self.game
        let file = try hprof(fixture.dump)
        let addresses = fixture.heap.addresses
        let variable = try #require(file.classes.first { $0.value.name == "a global variable" })
        #expect(Set(variable.value.statics.values) == [addresses[0], addresses[7]])
        #expect(file.roots == [variable.key: 0x05, addresses[6]: 0x04])
    }

    @Test("a block larger than a segment is written whole")
    func largeArray() throws {
        var fixture = LiveHeapFixture()
        let storage = fixture.object("Swift._ContiguousArrayStorage<Game.Card>", size: 2_000_000)
        let card = fixture.object("Game.Card", size: 32)
        fixture.root(storage)
        fixture.refer(storage, "", card)
        let file = try hprof(fixture.dump)
        #expect(file.arrays.values.map(\.bytes) == [1_999_976])
        #expect(file.instances.count == 1 && file.isEnded)
    }

    // MARK: - sqlite

    @Test("the database answers who holds the largest objects of a type")
    func databaseHolders() throws {
        let database = try database(Self.game.dump)
        let query = """
            SELECT t.name, o.bytes, o.retained, h.name FROM objects o JOIN types t ON t.id = o.type
            LEFT JOIN objects p ON p.id = o.owner LEFT JOIN types h ON h.id = p.type
            WHERE t.name LIKE '%.Card' OR t.name LIKE '%.Board' ORDER BY o.retained DESC, o.id
            """
        let rows = try database.prepare(query).rows()
        #expect(rows[0] == [.text("Game.Board"), .integer(56), .integer(288), .text("Game.Game")])
        #expect(rows[1] == [.text("Game.Card"), .integer(24), .integer(24), .text("Game.Board")])
        #expect(rows.count == 4)
        let weak = try database.prepare("SELECT field, ownership, holds FROM \"references\" WHERE NOT holds ORDER BY 1")
            .rows()
        #expect(
            weak == [
                [.null, .text("conservative"), .integer(0)], [.text("board"), .text("weak"), .integer(0)],
                [.text("first"), .text("unowned"), .integer(0)],
            ])
    }

    @Test("a database is whole and its references name rows that exist")
    func databaseIntegrity() throws {
        let database = try database(Self.game.dump)
        #expect(try database.prepare("PRAGMA integrity_check").rows() == [[.text("ok")]])
        #expect(try database.prepare("PRAGMA foreign_key_check").rows() == [])
    }

    // MARK: - All

    @Test("objects, bytes and counts by type of every format are those of the report")
    func totals() throws {
        let fixture = Self.game
        let (section, dump) = (fixture.section, fixture.dump)
        let reported = Dictionary(
            uniqueKeysWithValues: section.types.map { ($0.type, [$0.count, Int($0.shallowBytes)]) })

        let rows = try database(dump).prepare("SELECT name, count, bytes FROM types WHERE count > 0").rows()
        var stored: [String: [Int]] = [:]
        for row in rows {
            guard case .text(let name) = row[0], case .integer(let count) = row[1], case .integer(let bytes) = row[2]
            else { continue }
            stored[name] = [Int(count), Int(bytes)]
        }
        #expect(stored == reported)

        let file = try snapshot(dump)
        let first = file.nodes.count - dump.count
        let held = (0..<dump.count).filter(dump.isHeld).map { file.nodes[first + $0] }
        #expect(held.count == section.objects && held.reduce(0) { $0 + $1.size } == Int(section.bytes))
        let java = try hprof(dump)
        #expect(java.instances.count + java.arrays.count == dump.count)
    }
}
