import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct LiveHeapTests {
    @Test(
        "weak, unowned and unmanaged references keep nothing alive", arguments: [Ownership.weak, .unowned, .unmanaged])
    func referencesThatDoNotRetain(ownership: Ownership) {
        var heap = LiveHeapFixture()
        let (game, board) = (heap.object("Game.Game"), heap.object("Game.Board"))
        let observer = heap.object("Game.Observer")
        heap.root(game)
        heap.root(observer)
        heap.refer(game, "board", board)
        heap.refer(observer, "board", board, ownership: ownership)
        #expect(heap.holder(of: board) == game)
    }

    /// An atlas whose entries refer to tiles without owning them, and to other things.
    private static func atlas(strong: UInt32, size: UInt64) -> LiveHeapFixture {
        var heap = LiveHeapFixture()
        let atlas = heap.object("Game.Atlas")
        let entries = heap.object("Swift._DictionaryStorage<Swift.Int, Game.Entry<Swift.Int, Swift.Int>>")
        heap.root(atlas)
        heap.refer(atlas, "entries", entries)
        let stale = heap.object(nil)
        heap.root(stale)
        for _ in 0..<3 {
            let tile = heap.object("Game.Tile", size: size, strong: strong)
            heap.refer(entries, "tile", tile, ownership: .unowned)
            heap.refer(stale, "", tile, ownership: .conservative)
        }
        return heap
    }

    @Test("deinitialised objects are held by no doubtful word, and named with the unowned reference that keeps them")
    func deinitialised() throws {
        let heap = Self.atlas(strong: 0, size: 4000)
        #expect(heap.section.objects == 3 && heap.section.unheld?.unowned == 3)
        let group = try #require(DeinitialisedObjects(heap.ownership).groups().only)
        #expect(group.type == "Game.Tile" && group.members.count == 3 && group.bytes == 12_000)
        #expect(group.reference.from == "Game.Entry<Swift.Int, Swift.Int>" && group.reference.field == "tile")
        #expect(DeinitialisedObjects(Self.atlas(strong: 1, size: 4000).ownership).groups().isEmpty)
        #expect(DeinitialisedObjects(Self.atlas(strong: 0, size: 48).ownership).groups().isEmpty, "too few bytes")
    }

    @Test(
        "what unowned keeps is a warning from a megabyte on, however small the heap is",
        arguments: [(UInt64(13_000), Finding.Severity.note), (400_000, .warning)])
    func leastDeinitialised(_ size: UInt64, _ severity: Finding.Severity) {
        let heap = Self.atlas(strong: 0, size: size)
        var recording = heap.names.recording
        recording.types = heap.types
        let snapshot = HeapSnapshot(begin: HeapBeginRecord(snapshot: SnapshotID(1)))
        let found = LivingSuspects(
            recording: recording, snapshot: snapshot, ownership: heap.ownership, rootNames: heap.rootNames
        ).findings(besides: [])
        #expect(found.map(\.facts.kind) == [.deinitialised] && found.map(\.facts.severity) == [severity])
    }

    @Test("live blocks that nothing holds are counted beside those that are held, and named") func unheld() throws {
        var heap = LiveHeapFixture()
        let game = heap.object("Game.Game")
        heap.root(game)
        #expect(heap.section.unheld == nil)
        for _ in 0..<2 { heap.refer(game, "owner", heap.object("Game.Owner", size: 48), ownership: .unowned) }
        _ = heap.object("Game.Lost", size: 4, isReachable: false)
        let section = heap.section
        let unheld = try #require(section.unheld)
        #expect(section.objects == 1 && unheld.blocks == 3 && unheld.unowned == 2 && unheld.bytes == 100)
        #expect(
            LiveHeapWords.unheld(section)
                == "In addition, nothing holds 3 live blocks (100 B): 2 deinitialised objects that unowned "
                + "references keep, 1 block to which nothing leads")
    }

    @Test("an unmanaged reference holds an object to which nothing else leads, and shares no other") func unmanaged() {
        var heap = LiveHeapFixture()
        let (game, box, shared) = (heap.object("Game.Game"), heap.object("Game.Box"), heap.object("Game.Shared"))
        let part = heap.object("Game.Part")
        heap.root(game)
        heap.refer(game, "handle", box, ownership: .unmanaged)
        heap.refer(game, "handle", part, ownership: .unmanaged)
        heap.refer(game, "shared", shared)
        heap.refer(shared, "part", part)
        #expect(heap.section.unheld == nil)
        #expect(heap.holder(of: box) == game && heap.holder(of: part) == shared)
    }

    @Test("what two objects hold is retained by what holds them both")
    func sharedObject() {
        var heap = LiveHeapFixture()
        let (game, left, right) = (heap.object("Game.Game"), heap.object("Game.Side"), heap.object("Game.Side"))
        let deck = heap.object("Game.Deck", strong: 2)
        heap.root(game)
        heap.refer(game, "left", left)
        heap.refer(game, "right", right)
        heap.refer(left, "deck", deck)
        heap.refer(right, "deck", deck)
        #expect(heap.holder(of: deck) == game)
    }

    @Test("a word on a stack holds nothing whose whole count typed references explain")
    func staleWordOfAStack() {
        var heap = LiveHeapFixture()
        let (game, board) = (heap.object("Game.Game"), heap.object("Game.Board"))
        heap.root(game)
        heap.refer(game, "board", board)
        heap.root(board, kind: .stack)
        #expect(heap.holder(of: board) == game)
    }

    @Test("a word on a stack holds an object with a retain that no typed reference explains")
    func localVariable() {
        var heap = LiveHeapFixture()
        let (game, board) = (heap.object("Game.Game"), heap.object("Game.Board", strong: 2))
        heap.root(game)
        heap.refer(game, "board", board)
        heap.root(board, kind: .stack)
        #expect(heap.holder(of: board) == nil)
    }

    @Test("stale words of a stack and of memory without a type hold nothing that is lost")
    func staleWordOfLost() throws {
        var heap = LiveHeapFixture()
        let memory = heap.object(nil)
        let (scene, card) = (
            heap.object("Game.Scene", isReachable: false), heap.object("Game.Card", isReachable: false)
        )
        heap.root(memory)
        heap.root(scene, kind: .stack)
        heap.refer(scene, "card", card)
        heap.refer(scene, "me", scene)
        heap.refer(memory, "", card, ownership: .conservative)
        #expect(try heap.section.objects == 1 && #require(heap.section.unheld).blocks == 2)
    }

    @Test("memory without a type does not share an object whose count is explained")
    func staleWordOfMemory() {
        var heap = LiveHeapFixture()
        let (game, board, memory) = (heap.object("Game.Game"), heap.object("Game.Board"), heap.object(nil))
        heap.root(game)
        heap.root(memory)
        heap.refer(game, "board", board)
        heap.refer(memory, "", board, ownership: .conservative)
        #expect(heap.holder(of: board) == game)
    }

    @Test("a cycle that only a doubtful word reaches is held by that word")
    func cycleBehindAPointer() {
        var heap = LiveHeapFixture()
        let (left, right, memory) = (heap.object("Game.Left"), heap.object("Game.Right"), heap.object(nil))
        heap.root(memory)
        heap.refer(memory, "", left, ownership: .conservative)
        heap.refer(left, "right", right)
        heap.refer(right, "left", left)
        #expect(heap.holder(of: left) == memory)
        #expect(heap.holder(of: right) == left)
    }

    @Test("memory that a root refers to owns the memory behind it")
    func memoryBehindARoot() throws {
        var heap = LiveHeapFixture()
        let (first, second, third) = (heap.object(nil), heap.object(nil), heap.object(nil))
        let board = heap.object("Game.Board")
        heap.root(first)
        heap.refer(first, "", second)
        heap.refer(second, "", third)
        heap.refer(third, "", board)
        let holders = heap.section.holders
        #expect(holders.map(\.count) == [1])
        let memory = try #require(holders.first)
        #expect((memory.ownBytes, memory.retainedBytes) == (96, 128))
        #expect(memory.children.map(\.type) == ["Game.Board"])
    }

    @Test("buffers count to their owner, and what lies in them stands below its field")
    func buffers() throws {
        var heap = LiveHeapFixture()
        let game = heap.object("Game.Game", size: 100)
        let storage = heap.object("Swift._ContiguousArrayStorage<Game.Card>", size: 10)
        let cards = (0..<3).map { _ in heap.object("Game.Card", size: 1000) }
        heap.root(game)
        heap.refer(game, "cards", storage)
        for card in cards { heap.refer(storage, "", card) }
        let section = heap.section
        #expect(section.bytes == 3110)
        let row = try #require(section.holders.only)
        #expect(row.root == "a global variable")
        #expect(row.type == "Game.Game" && row.ownBytes == 110 && row.retainedBytes == 3110)
        let below = try #require(row.children.only)
        #expect(below.type == "Game.Card" && below.field == "cards" && below.count == 3 && below.retainedBytes == 3000)
    }

    @Test("a collection whose own memory is a hundredth of the heap has a row below the object that it belongs to")
    func largeCollections() throws {
        var heap = LiveHeapFixture()
        let cache = heap.object("Game.Cache", size: 100)
        let images = heap.object("Swift._DictionaryStorage<Swift.String, [Swift.UInt8]>", size: 500)
        let pixels = (0..<3).map { _ in heap.object("Swift._ContiguousArrayStorage<Swift.UInt8>", size: 1000) }
        let card = heap.object("Game.Card", size: 40)
        heap.root(cache)
        heap.refer(cache, "images", images)
        for pixel in pixels { heap.refer(images, "", pixel) }
        heap.refer(images, "", card)
        let row = try #require(heap.section.holders.only)
        #expect((row.type, row.ownBytes, row.retainedBytes) == ("Game.Cache", 100, 3640))
        let collection = try #require(row.children.only)
        #expect(collection.field == "images" && collection.type.contains("_DictionaryStorage"))
        #expect((collection.ownBytes, collection.retainedBytes) == (3500, 3540))
        #expect(collection.children.map(\.type) == ["Game.Card"])
    }

    @Test("a list of equal objects counts its bytes once in the row of its type")
    func listOfOneType() throws {
        var heap = LiveHeapFixture()
        let nodes = (0..<50).map { _ in heap.object("Game.Node", size: 16) }
        heap.root(nodes[0])
        for (node, next) in zip(nodes, nodes.dropFirst()) { heap.refer(node, "next", next) }
        let section = heap.section
        let row = try #require(section.types.only)
        #expect(row.count == 50 && row.shallowBytes == 800 && row.retainedBytes == 800)
    }

    @Test("references to blocks that are not there are left out, and the graph says that it is damaged")
    func damagedGraph() {
        var builder = LiveHeapBuilder()
        let row = HeapNodeRow(flags: [.reachable], size: 16, edgeCount: 2)
        builder.note(
            HeapNodesRecord(
                first: ObjectID(1), address: 64, rows: [row],
                edges: [
                    HeapNodeEdge(step: 7, ownership: .strong, label: 0),
                    HeapNodeEdge(step: .min, ownership: .strong, label: 9),
                ]))
        let heap = builder.finish()
        #expect(heap?.targets == [] && heap?.isDamaged == true && heap?.rows == [0, 0])
    }

    @Test func `a reference with a label beyond those that a heap numbers is kept without its name`() {
        var heap = LiveHeap()
        for address: UInt64 in [16, 32] {
            heap.add(address: address, size: 16, type: .none, strong: 1, flags: [])
        }
        heap.add(target: 0, label: 70_000, ownership: .strong)
        #expect(heap.references(of: 1) == 0..<1)
        #expect(heap.label(of: 0) == 0 && !heap.isDamaged)
    }
}
