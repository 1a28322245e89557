import GameModel
import Testing

@Suite struct MemoryTests {
    @Test func dealsEachTypeTwiceFaceDown() throws {
        let memory = try MemoryFixture().memory
        #expect(memory.cards.count == 36)
        #expect(memory.cards.map(\.type).sorted() == (0..<36).map { $0 / 2 })
        #expect(memory.cards.allSatisfy { !$0.showsFront && !$0.isSolved })
        #expect(memory.flipCount == 0)
        #expect(!memory.isSolved)
    }

    @Test(arguments: [Int.min, -2, 0, 1, 35, Int.max])
    func refusesCardCountsWithoutPairs(cardCount: Int) {
        #expect(throws: MemoryError.unusableCardCount(cardCount)) { try MemoryFixture(cardCount: cardCount) }
    }

    @Test func errorsAreSentences() {
        #expect(
            MemoryError.unusableCardCount(35).description
                == "A memory game needs an even number of 2 to 1000000 cards, not 35.")
        #expect(
            MemoryError.negativePenalty(-1).description
                == "A penalty adds to the count of turned cards, so it cannot be -1.")
    }

    @Test func theSeedDecidesTheOrder() throws {
        let types = try [1, 1, 2].map { try MemoryFixture(seed: $0).memory.cards.map(\.type) }
        #expect(types[0] == types[1])
        #expect(types[0] != types[2])
    }

    @Test func turningToTheFrontIsAnnouncedAndCounts() throws {
        let fixture = try MemoryFixture()
        #expect(fixture.memory.turnCard(at: 0))
        #expect(fixture.memory.cards[0].showsFront)
        #expect(fixture.memory.flipCount == 1)
        #expect(fixture.turns.entries == [true])
    }

    @Test func turningToTheBackIsAnnouncedAndDoesNotCount() throws {
        let fixture = try MemoryFixture()
        fixture.memory.turnCard(at: 0)
        #expect(fixture.memory.turnCard(at: 0))
        #expect(!fixture.memory.cards[0].showsFront)
        #expect(fixture.memory.flippedCards.isEmpty)
        #expect(fixture.memory.flipCount == 1)
        #expect(fixture.turns.entries == [true, false])
    }

    @Test(arguments: [Int.min, -1, 36, Int.max])
    func turnsNoCardBeyondItsCards(index: Int) throws {
        let fixture = try MemoryFixture()
        #expect(!fixture.memory.turnCard(at: index))
        #expect(fixture.turns.entries.isEmpty)
    }

    @Test func theThirdOpenCardTurnsTheFirstBack() throws {
        let fixture = try MemoryFixture()
        let cards = fixture.differingIndexes().map { fixture.memory.cards[$0] }
        for index in fixture.differingIndexes() { fixture.memory.turnCard(at: index) }
        #expect(cards.map(\.showsFront) == [false, true, true])
        #expect(fixture.memory.flippedCards.map(\.type) == [1, 2])
        #expect(fixture.memory.flipCount == 3)
        #expect(fixture.turns.entries == [true, true, true, false])
    }

    @Test func solvesAMatchingPair() throws {
        let fixture = try MemoryFixture()
        let indexes = fixture.indexes(ofType: 4)
        for index in indexes { fixture.memory.turnCard(at: index) }
        #expect(fixture.memory.checkFlippedCards())
        #expect(indexes.allSatisfy { fixture.memory.cards[$0].isSolved && fixture.memory.cards[$0].showsFront })
        #expect(fixture.memory.flippedCards.isEmpty)
        #expect(fixture.pairs.entries == [[4, 4]])
        #expect(!fixture.memory.turnCard(at: indexes[0]))
        #expect(!fixture.memory.isSolved)
    }

    @Test func turnsADifferingPairBack() throws {
        let fixture = try MemoryFixture()
        for index in fixture.differingIndexes().prefix(2) { fixture.memory.turnCard(at: index) }
        #expect(!fixture.memory.checkFlippedCards())
        #expect(fixture.memory.cards.allSatisfy { !$0.showsFront })
        #expect(fixture.pairs.entries.isEmpty)
        #expect(fixture.turns.entries == [true, true, false, false])
        #expect(fixture.memory.flipCount == 2)
    }

    @Test func checksNothingBeforeTwoCardsAreOpen() throws {
        let fixture = try MemoryFixture()
        #expect(!fixture.memory.checkFlippedCards())
        fixture.memory.turnCard(at: 0)
        #expect(!fixture.memory.checkFlippedCards())
        #expect(fixture.memory.cards[0].showsFront)
    }

    @Test func penaltiesCountAsTurns() throws {
        let memory = try MemoryFixture().memory
        memory.turnCard(at: 0)
        try memory.addPenalty(5)
        #expect(memory.flipCount == 6)
        #expect(throws: MemoryError.negativePenalty(-1)) { try memory.addPenalty(-1) }
        #expect(memory.flipCount == 6)
    }

    @Test func isSolvedWithItsLastPair() throws {
        let fixture = try MemoryFixture(cardCount: 8)
        for type in 0..<4 {
            #expect(!fixture.memory.isSolved)
            for index in fixture.indexes(ofType: type) { fixture.memory.turnCard(at: index) }
            fixture.memory.checkFlippedCards()
        }
        #expect(fixture.memory.isSolved)
        #expect(fixture.memory.flipCount == 8)
        #expect(fixture.pairs.entries.count == 4)
    }

    @Test func clearDealsAnew() throws {
        var generator = SplitMix64(seed: 77)
        let fixture = try MemoryFixture(cardCount: 2)
        fixture.memory.turnCard(at: 0)
        fixture.memory.turnCard(at: 1)
        fixture.memory.checkFlippedCards()
        #expect(fixture.memory.isSolved)
        fixture.memory.clear(using: &generator)
        #expect(!fixture.memory.isSolved)
        #expect(fixture.memory.flipCount == 0)
        #expect(fixture.memory.cards.count == 2)
        #expect(fixture.memory.cards.allSatisfy { !$0.showsFront && !$0.isSolved })
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func neverShowsMoreThanTwoUnsolvedCards(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let fixture = try MemoryFixture(cardCount: 12, seed: seed)
        let memory = fixture.memory
        for _ in 0..<300 {
            let announced = fixture.turns.entries.count
            let turned = memory.turnCard(at: Int.random(in: -1...12, using: &generator))
            #expect(turned == (fixture.turns.entries.count > announced))
            if Bool.random(using: &generator) { memory.checkFlippedCards() }
            let open = memory.cards.filter { $0.showsFront && !$0.isSolved }
            #expect(open.count == memory.flippedCards.count)
            #expect(open.count <= 2)
        }
        #expect(memory.flipCount == fixture.turns.entries.count { $0 })
    }
}
