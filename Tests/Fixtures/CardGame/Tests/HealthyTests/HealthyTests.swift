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

/// So many tables and players are made, no more, whatever runs beside it: the same function with eight arguments too.
@Suite struct HealthyCounts {
    @Test(.allocations(of: Table.self, atMost: 50), .leakFree, arguments: 0..<8) func tables(number: Int) {
        for size in 0..<50 { #expect(makeTable(players: size % 5 + number).rounds == 0) }
    }

    @Test(.allocations(of: Player.self, atMost: 28)) func playersOfChildTasks() async {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 { group.addTask { makeTable(players: number).players.count } }
            #expect(await group.reduce(0, +) == 28)
        }
    }

    @Test(.allocations(of: Table.self, atMost: 3)) func tablesOfCallsAndTasks() async throws {
        let count = expectAllocations(of: Table.self, atMost: 1) { makeTable(players: 3).players.count }
        #expect(count == 3)
        try await expectAllocations(of: Table.self, atMost: 1) {
            let table = makeTable(players: 1)
            try await Dealer().deal(at: table)
        }
        await Task { _ = makeTable(players: 1) }.value
    }

    @Test(.allocations(atMost: 40), arguments: 0..<8) func everything(number: Int) async throws {
        let table = makeTable(players: 4)
        try await Task.sleep(for: .milliseconds(1))
        #expect(table.players.count == 4)
    }

    /// The tables of others run beside it.
    @Test(.allocations(of: Table.self, atMost: 0)) func none() async throws {
        try await Task.sleep(for: .milliseconds(5))
    }

    @Test func whatIsThrownComesThrough() {
        #expect(throws: Misdeal.self) {
            try expectAllocations(of: Table.self, atMost: 1) {
                makeTable(players: 3).deal()
                throw Misdeal()
            }
        }
    }
}

@Suite(.zombieFree) struct HealthyLives {
    @Test(.leakFree) func aWaiterOfALivingTable() {
        let table = makeTable(players: 2)
        Waiter(table: table).serve()
        #expect(table.rounds == 1)
    }

    @Test(arguments: 1...3) func dealingLater(rounds: Int) async throws {
        let table = makeTable(players: 2)
        for _ in 0..<rounds { try await Dealer().deal(at: table) }
        #expect(table.rounds == rounds)
    }
}

final class HealthyXCTests: XCTestCase {
    func testNothingIsLost() {
        XCTAssertEqual(assertNoLeaks { makeTable(players: 3).players.count }, 3)
        assertDeallocated { makeTable(players: 1) }
    }

    func testSoManyTablesAreMade() async throws {
        let count = assertAllocations(of: Table.self, atMost: 1) { makeTable(players: 3).players.count }
        XCTAssertEqual(count, 3)
        try await assertAllocations(of: Table.self, atMost: 1) {
            let table = makeTable(players: 1)
            try await Dealer().deal(at: table)
        }
        assertAllocations(atMost: 40) { _ = makeTable(players: 4) }
    }

    func testTheTableLives() {
        assertNoZombies(in: self) {
            let table = makeTable(players: 2)
            Waiter(table: table).serve()
        }
    }
}
