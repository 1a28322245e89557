import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofTrace

@Suite struct HeapGroupingTests {
    @Test func tenThousandEqualCyclesAreOneRow() throws {
        let heap = HeapFixture()
        for number in 0..<10_000 {
            let made = number.isMultiple(of: 2)
            let first = heap.node(made ? "Game.A" : "Game.B")
            let second = heap.node(made ? "Game.B" : "Game.A")
            heap.refer(made ? first : second, "b", made ? second : first)
            heap.refer(made ? second : first, "a", made ? first : second)
        }
        let finding = try #require(heap.findings.only)
        #expect(finding.count == 10_000)
        #expect(finding.objects == ["Game.A": 10_000, "Game.B": 10_000])
    }

    @Test func aRingIsDrawnShortAndKeepsItsSignatureAtEveryLength() throws {
        let signatures = try [2, 3, 4, 1_000].map { length in
            let heap = HeapFixture()
            let nodes = (0..<length).map { _ in heap.node("Game.Node") }
            for index in nodes.indices { heap.refer(nodes[index], "next", nodes[(index + 1) % length]) }
            let finding = try #require(heap.findings.only)
            #expect(finding.references.count == (length > 3 ? 1 : length))
            #expect(finding.references.allSatisfy { ($0.repeats ?? 1) * finding.references.count == length })
            return finding.signature
        }
        #expect(Set(signatures).count == 1)
    }

    @Test func theSignatureDoesNotDependOnWhereAStrippedProgramHasItsCode() throws {
        let signatures = try ["game+0x1a2b", "game+0x3c4d"].map { place in
            let heap = HeapFixture()
            let board = heap.node("Game.Board")
            heap.refer(board, "hook", board, calling: place)
            return try #require(heap.findings.only).signature
        }
        #expect(Set(signatures).count == 1)
    }

    @Test func theSignatureDoesNotDependOnOrderOrOnHowManyClosuresThereAre() throws {
        let one = HeapFixture()
        one.addUndoCycle()
        let many = HeapFixture()
        many.node("Game.Other", flags: [.swift, .reachable])
        many.addUndoCycle(extraClosures: 7)
        #expect(try #require(one.findings.only).signature == #require(many.findings.only).signature)
    }

    @Test(arguments: [
        "closure #1 in Puzzle.tilt(to:)", "partial apply for closure #2 in Puzzle.tilt(to:)",
        "specialized closure #1 in Puzzle.tilt(to:)",
        "function signature specialization <Arg[0] = Owned> of closure #1 in Puzzle.tilt(to:)",
    ])
    func theSignatureDoesNotDependOnWhatTheOptimiserCallsAClosure(name: String) {
        #expect(FunctionName.unnumbered(name) == "closure in Puzzle.tilt(to:)")
    }

    @Test func leaksOfDifferentFunctionsAreDifferentRows() {
        let heap = HeapFixture()
        heap.node("Game.Card", stack: heap.stack("Board.deal()", "main"))
        heap.node("Game.Card", stack: heap.stack("Board.deal()", "other"))
        heap.node("Game.Card", stack: heap.stack("Card.init()", "Board.copy()"))
        #expect(heap.findings.map(\.count).sorted() == [1, 2])
    }

    @Test("a hundred thousand objects that leak alike are one row")
    func manyLeaksAreOneRow() {
        let heap = HeapFixture()
        for _ in 0..<50_000 {
            let a = heap.node("Game.A")
            let b = heap.node("Game.B")
            heap.refer(a, "b", b)
            heap.refer(b, "a", a)
        }
        #expect(heap.findings.map(\.count) == [50_000])
    }
}
