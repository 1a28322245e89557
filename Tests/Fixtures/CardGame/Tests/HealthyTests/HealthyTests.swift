import CardGame
import InstrumentationTesting
import Testing
import XCTest

/// Nothing is lost here: every test must pass, whatever runs beside it.
@Suite(.leakFree) struct HealthySuite {
    @Test func seating() { #expect(makeTable(players: 4).players.count == 4) }

    @Test func dealing() {
        let table = makeTable(players: 2)
        table.onDeal = { [weak table] in #expect(table?.rounds == 1) }
        table.deal()
    }

    @Test(arguments: 0..<8) func manyTables(number: Int) {
        for size in 0..<50 { #expect(makeTable(players: size % 5 + number).rounds == 0) }
    }

    @Test func dealingLater() async throws {
        let dealer = Dealer()
        try await dealer.deal(at: makeTable(players: 2))
        #expect(await dealer.dealt == 1)
    }

    @Test func throwing() {
        #expect(throws: Misdeal.self) {
            let table = makeTable(players: 3)
            table.deal()
            throw Misdeal()
        }
    }

    @Test func tasks() async {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 { group.addTask { makeTable(players: number).players.count } }
            #expect(await group.reduce(0, +) == 28)
        }
    }
}

@Suite struct HealthyCalls {
    @Test func aCycleThatIsBrokenIsNone() {
        expectNoLeaks {
            let table = makeHeldTable()
            table.players[0].heldTable = nil
        }
    }

    @Test func theResultComesThrough() async throws {
        #expect(expectNoLeaks { makeTable(players: 3).players.count } == 3)
        let rounds = try await expectNoLeaks {
            let table = makeTable(players: 1)
            try await Dealer().deal(at: table)
            return table.rounds
        }
        #expect(rounds == 1)
    }

    @Test func aTableGoes() { expectDeallocated { makeTable(players: 2) } }

    /// No trait: what others lose is none of its business.
    @Test func plain() { #expect(makeTable(players: 1).players[0].table == nil) }
}

final class HealthyXCTests: XCTestCase {
    func testNothingIsLost() {
        XCTAssertEqual(assertNoLeaks { makeTable(players: 3).players.count }, 3)
        assertDeallocated { makeTable(players: 1) }
    }
}
