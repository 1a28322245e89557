import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

@Suite struct HeapDetailsTests {
    private static func details(_ heap: LiveHeapFixture, of types: String...) -> [Report.LiveHeap.Detail] {
        HeapDetails(
            heap.ownership, types: heap.types, rootNames: heap.rootNames,
            begin: HeapBeginRecord(snapshot: SnapshotID(1))
        ).details(of: types)
    }

    @Test("references are counted by the type and field that they come from and go to") func references() throws {
        var heap = LiveHeapFixture()
        let (game, storage) = (heap.object("Game.Game"), heap.object("Swift._ContiguousArrayStorage<Game.Board>"))
        heap.root(game)
        heap.refer(game, "boards", storage)
        let observer = heap.object("Game.Observer")
        heap.refer(game, "observer", observer)
        for _ in 0..<3 {
            let board = heap.object("Game.Board")
            heap.refer(storage, "", board)
            heap.refer(board, "card", heap.object("Game.Card"))
            heap.refer(observer, "board", board, ownership: .weak)
        }
        let detail = try #require(Self.details(heap, of: "Board").only)
        #expect(detail.count == 3)
        #expect(
            Set(detail.incoming.map { "\($0.type).\($0.field ?? "") \($0.ownership) \($0.count)" }) == [
                "Game.Game.boards strong 3", "Game.Observer.board weak 3",
            ])
        #expect(detail.outgoing.map { "\($0.field ?? ""): \($0.type) \($0.count)" } == ["card: Game.Card 3"])
    }

    @Test("short details of several types are those of each by itself") func shortDetails() throws {
        var heap = LiveHeapFixture()
        let (game, storage) = (heap.object("Game.Game"), heap.object("Swift._ContiguousArrayStorage<Game.Board>"))
        heap.root(game)
        heap.refer(game, "boards", storage)
        for _ in 0..<3 {
            let board = heap.object("Game.Board")
            heap.refer(storage, "", board)
            heap.refer(board, "card", heap.object("Game.Card"))
        }
        let details = HeapDetails(
            heap.ownership, types: heap.types, rootNames: heap.rootNames,
            begin: HeapBeginRecord(snapshot: SnapshotID(1)))
        let short = details.shortDetails(ofTypes: ["Game.Board", "Game.Card", "Game.Gone"])
        #expect(short.keys.sorted() == ["Game.Board", "Game.Card"])
        for (type, detail) in short {
            let whole = try #require(details.details(of: [type]).only)
            #expect(detail.incoming == whole.incoming && detail.outgoing == whole.outgoing)
            #expect(detail.ways == whole.ways && detail.retained == whole.retained && detail.wayObjects == nil)
            #expect(detail.retainedBytes == whole.retainedBytes)
        }
    }

    @Test("objects that are held alike are one way, with their number") func ways() throws {
        var heap = LiveHeapFixture()
        let (game, cache) = (heap.object("Game.Game"), heap.object("Game.Cache"))
        heap.root(game)
        heap.root(cache)
        for _ in 0..<2 { heap.refer(game, "boards", heap.object("Game.Board")) }
        for _ in 0..<5 { heap.refer(cache, "boards", heap.object("Game.Board")) }
        let detail = try #require(Self.details(heap, of: "Game.Board").only)
        #expect(detail.ways.map(\.instances) == [5, 2])
        #expect(detail.ways.first?.references.map(\.from) == ["a global variable", "Game.Cache"])
    }

    @Test("a way begins at a doubtful word only where no other leads to the object") func doubtfulWords() throws {
        var heap = LiveHeapFixture()
        let (memory, game, side) = (heap.object(nil), heap.object("Game.Game"), heap.object("Game.Side"))
        let board = heap.object("Game.Board", strong: 2)
        heap.root(memory)
        heap.root(game)
        heap.refer(memory, "", board, ownership: .conservative)
        heap.refer(game, "side", side)
        heap.refer(side, "board", board)
        let way = try #require(Self.details(heap, of: "Board").only?.ways.only)
        #expect(way.references.map(\.from).contains("Game.Side"))
    }

    @Test("what objects retain is counted once, by the stack that allocated it") func retained() throws {
        var heap = LiveHeapFixture()
        let (first, second) = (heap.names.stack("Board.deal()"), heap.names.stack("Cache.fill()"))
        let (root, board) = (heap.object("Game.Board", size: 10), heap.object("Game.Board", size: 10))
        heap.root(root)
        heap.refer(root, "next", board)
        heap.refer(board, "cards", heap.object("Game.Card", size: 100, stack: first))
        heap.refer(board, "image", heap.object("Game.Image", size: 1000, stack: second))
        let detail = try #require(Self.details(heap, of: "Board").only)
        #expect(detail.retainedBytes == 1120 && detail.shallowBytes == 20)
        #expect(detail.retained.map(\.bytes) == [1000, 100, 20])
        #expect(detail.retained.first?.allocatedBy?.frames.first?.function == "Cache.fill()")
    }

    @Test("memory without a reference count is held by a typed pointer") func unmanagedBuffer() throws {
        var heap = LiveHeapFixture()
        let (game, buffer) = (heap.object("Game.Game", size: 10), heap.object(nil, size: 500))
        heap.root(game)
        heap.refer(game, "pixels", buffer, ownership: .unmanaged)
        #expect(heap.section.holders.only?.retainedBytes == 510)
    }

    /// A list of nodes behind a global variable, each with a card. Returns the nodes.
    private static func list(of count: Int, in heap: inout LiveHeapFixture) -> [Int] {
        let nodes = (0..<count).map { _ in heap.object("Game.Node") }
        heap.root(nodes[0])
        for (node, next) in zip(nodes, nodes.dropFirst()) { heap.refer(node, "next", next) }
        return nodes
    }

    // With a path made for each object these would be 5e9 steps.
    @Test("the paths to the objects of a long list are compared without making each") func longList() throws {
        var heap = LiveHeapFixture()
        let nodes = Self.list(of: 100_000, in: &heap)
        for node in nodes { heap.refer(node, "card", heap.object("Game.Card")) }
        let detail = try #require(Self.details(heap, of: "Game.Card").only)
        #expect(detail.ways.reduce(0) { $0 + $1.instances } == nodes.count && detail.ways.count == 1)
        #expect(detail.ways.allSatisfy { $0.omitted == nil && $0.references.last?.to == "Game.Card" })
    }

    @Test("a very deep path is cut in the middle, and says by how much") func deepPath() throws {
        var heap = LiveHeapFixture()
        let nodes = Self.list(of: 50_000, in: &heap)
        heap.refer(nodes[nodes.count - 1], "card", heap.object("Game.Card"))
        let path = try #require(Self.details(heap, of: "Game.Card").only?.ways.only)
        #expect(path.references.map(\.path) == ["", "next", "card"])
        let shown = path.references.reduce(0) { $0 + ($1.repeats ?? 1) }
        #expect(shown <= 2 * RetainingPathTree.endLimit && shown + (path.omitted ?? 0) == nodes.count + 1)
    }

    @Test("a cut between objects of different types has no field") func unlikeEnds() throws {
        var heap = LiveHeapFixture()
        let blocks = (0..<10_000).map { heap.object("Game.Part\($0)") }
        heap.root(blocks[0])
        for (block, next) in zip(blocks, blocks.dropFirst()) { heap.refer(block, "part", next) }
        let path = try #require(Self.details(heap, of: "Game.Part9999").only?.ways.only)
        let gap = try #require(path.references.dropFirst().filter { $0.path != "part" }.only)
        #expect(gap.from == "Game.Part999" && gap.to == "Game.Part9000" && gap.field.isEmpty)
        #expect(path.omitted == 8_000)
    }

    // With a walk up the chain for each box these would be 5e9 steps.
    @Test("what refers to an object in a long chain of boxes is the object that has the chain") func boxes() throws {
        var heap = LiveHeapFixture()
        let game = heap.object("Game.Game")
        heap.root(game)
        var (above, label) = (game, "first")
        for _ in 0..<100_000 {
            let box = heap.object("box", kind: .genericBox)
            heap.refer(above, label, box)
            heap.refer(box, "card", heap.object("Game.Card"))
            (above, label) = (box, "next")
        }
        let detail = try #require(Self.details(heap, of: "Game.Card").only)
        #expect(detail.incoming.allSatisfy { $0.type == "Game.Game" })
        #expect(detail.incoming.reduce(0) { $0 + $1.count } == 100_000)
    }
}
