import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct LivingObjectsTests {
    private static let living: HeapObject.Flags = [.swift, .reachable]

    private func ask(
        _ heap: HeapFixture, _ object: ObjectID, _ type: String, count: UInt64 = 1
    ) throws -> LiveObjects {
        let id = try #require(heap.objects.first { $0.id == object }).type
        heap.targets = [
            HeapTarget(cause: .type, type: id, count: count, bytes: 32 * count, label: type),
            HeapTarget(cause: .type, object: object, type: id, count: count, bytes: 32 * count, label: type),
        ]
        return try #require(heap.report().why?.only)
    }

    @Test("of very many lost objects all are counted, not those that are listed")
    func lostOnesOfASample() throws {
        let heap = HeapFixture()
        for _ in 0..<3 { heap.node("Game.Card") }
        let other = heap.node("Game.Board")
        heap.lost = [
            HeapCensusRecord(type: heap.typeID("Game.Card"), stack: .none, count: 2_000_000, bytes: 64_000_000),
            HeapCensusRecord(type: heap.typeID("Game.Board"), stack: .none, count: 1, bytes: 32),
        ]
        heap.targets = [HeapTarget(cause: .type, type: .none, count: 0, bytes: 0, label: "Card")]
        #expect(heap.objects.contains { $0.id == other })
        #expect(try #require(heap.report().why?.only).message.contains("2,000,000 objects are leaked"))
    }

    @Test func theWayIsWrittenFromTheVariableOn() throws {
        let heap = HeapFixture()
        let game = heap.node("Game.Game", flags: Self.living)
        let storage = heap.node("Swift._ContiguousArrayStorage<Game.Board>", flags: Self.living)
        let board = heap.node("Game.Board", flags: Self.living)
        heap.refer(game, "boards", storage)
        heap.refer(storage, "", board, kind: .element)
        heap.roots = [HeapRoot(object: game, kind: .global, address: 0x40)]
        heap.variables = [0x40: SymbolicatedVariable(name: "Game.shared", image: "gamelab")]
        let answer = try ask(heap, board, "Board", count: 3)
        #expect(answer.type == "Game.Board")
        #expect(answer.instances == 3)
        let way = try #require(answer.ways.only)
        #expect(way.root.kind == .global)
        #expect(way.references.map(\.from) == ["Game.shared", "Game.Game"])
        #expect(way.references.map(\.path) == ["", "boards[…]"])
        #expect(way.references.last?.to == "Game.Board")
    }

    @Test func storageThatAVariableNamesIsTheVariable() throws {
        let heap = HeapFixture()
        let storage = heap.node("Swift._DictionaryStorage<Swift.String, Game.Card>", flags: Self.living)
        let card = heap.node("Game.Card", flags: Self.living)
        heap.refer(storage, "ace", card, kind: .value)
        heap.roots = [HeapRoot(object: storage, kind: .global, address: 0x40)]
        heap.variables = [0x40: SymbolicatedVariable(name: "cards", image: "gamelab")]
        let way = try #require(try ask(heap, card, "Card").ways.only)
        #expect(way.references.map { $0.from + $0.path + " " + $0.to } == ["cards[…] Game.Card"])
    }

    @Test func theValueOfAKeyIsNamedByItsPathNotByTheKey() throws {
        let heap = HeapFixture()
        let storage = heap.node("Swift._DictionaryStorage<Swift.String, Game.State>", flags: Self.living)
        let card = heap.node("Game.Card", flags: Self.living)
        heap.refer(storage, "a.key\u{1f}top.card", card, kind: .value)
        heap.roots = [HeapRoot(object: storage, kind: .global, address: 0x40)]
        heap.variables = [0x40: SymbolicatedVariable(name: "states", image: "gamelab")]
        let way = try #require(try ask(heap, card, "Card").ways.only)
        #expect(way.references.map { $0.from + $0.path + " " + $0.to } == ["states[…].top.card Game.Card"])
    }

    @Test func whatStaysGoesBeforeWhatPasses() throws {
        let heap = HeapFixture()
        let owner = heap.node("Game.Owner", flags: Self.living)
        let card = heap.node("Game.Card", flags: Self.living)
        heap.refer(owner, "card", card)
        heap.roots = [
            HeapRoot(object: card, kind: .stack), HeapRoot(object: owner, kind: .global),
        ]
        let way = try #require(try ask(heap, card, "Card").ways.only)
        #expect(way.root.kind == .global)
        #expect(way.references.count == 2)
    }

    @Test func aListIsDrawnShort() throws {
        let heap = HeapFixture()
        let nodes = (0..<100).map { _ in heap.node("Game.Node", flags: Self.living) }
        for (a, b) in zip(nodes, nodes.dropFirst()) { heap.refer(a, "next", b) }
        heap.roots = [HeapRoot(object: nodes[0], kind: .global)]
        let way = try #require(try ask(heap, nodes[99], "Node").ways.only)
        #expect(way.references.count == 2)
        #expect(way.references.last?.repeats == 99)
    }

    @Test func aWeakReferenceIsNoWay() throws {
        let heap = HeapFixture()
        let game = heap.node("Game.Game", flags: Self.living)
        let card = heap.node("Game.Card", flags: Self.living)
        heap.refer(game, "current", card, ownership: .weak)
        heap.roots = [HeapRoot(object: game, kind: .global)]
        #expect(try ask(heap, card, "Card").ways.isEmpty)
    }

    @Test func aTypeThatNothingLivingHasGetsASentence() throws {
        let heap = HeapFixture()
        heap.targets = [HeapTarget(cause: .type, label: "Nope")]
        let answer = try #require(heap.report().why?.only)
        #expect(answer.message == "No live object has a type that matches Nope.")
        #expect(answer.type == nil)
        #expect(TextReport.render(heap.report()).contains(answer.message))
    }

    @Test func anObjectIsCalledWhatTheProgramCalledIt() throws {
        let heap = HeapFixture()
        let card = heap.node("Game.Card", flags: Self.living)
        heap.roots = [HeapRoot(object: card, kind: .global)]
        heap.targets = [
            HeapTarget(cause: .address, object: card, count: 1, label: "the dealt card"),
            HeapTarget(cause: .address, label: "the old board"),
        ]
        let why = try #require(heap.report().why)
        #expect(Set(why.map(\.message)) == ["the dealt card is live.", "the old board was deallocated."])
    }
}
