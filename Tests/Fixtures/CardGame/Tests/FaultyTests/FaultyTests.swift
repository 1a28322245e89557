import CardGame
import InstrumentationTesting
import Testing
import XCTest

/// Something is lost in each of these: every one must fail, and with its own finding.
@Suite struct FaultySuite {
    @Test(.leakFree) func heldTable() { makeHeldTable().deal() }

    @Test(.leakFree) func talkingTable() { makeTalkingTable().deal() }

    @Test(.leakFree) func heldTableLater() async throws {
        let table = makeHeldTable()
        try await Dealer().deal(at: table)
    }

    @Test(.leakFree) func heldTableOfAThrower() throws {
        makeHeldTable().deal()
        throw Misdeal()
    }

    @Test func heldTableInACall() {
        expectNoLeaks { makeHeldTable().deal() }
    }

    @Test func heldTableInAnAsyncCall() async throws {
        try await expectNoLeaks {
            let table = makeTalkingTable()
            try await Dealer().deal(at: table)
        }
    }

    @Test func aTableStays() {
        expectDeallocated { makeHeldTable() }
    }

    @Test func aTableIsRemembered() {
        expectDeallocated {
            let table = makeTable(players: 2)
            Memories.shared.keep(table)
            return table
        }
        Memories.shared.forget()
    }
}

/// The same is lost beside each other, and beside a test that loses nothing and is named like the end of another one.
@Suite(.leakFree) struct FaultyTwins {
    @Test func undealt() async throws {
        #expect(makeTableOfHolders().players.count == 4)
        try await Task.sleep(for: .seconds(1))
    }

    /// Ends when the other one has lost its table.
    @Test func dealt() async throws {
        try await Task.sleep(for: .milliseconds(300))
        makeTable(players: 4).deal()
    }

    @Test func heldByAll() {
        expectNoLeaks { #expect(makeTableOfHolders().players.count == 4) }
    }
}

/// Too much is made in each of these.
@Suite struct FaultyCounts {
    @Test(.allocations(of: Table.self, atMost: 49), arguments: 0..<8) func oneTableTooMany(number: Int) {
        for size in 0..<50 { #expect(makeTable(players: size % 5 + number).rounds == 0) }
    }

    @Test(.allocations(of: Player.self, atMost: 27)) func onePlayerTooMany() async {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 { group.addTask { makeTable(players: number).players.count } }
            #expect(await group.reduce(0, +) == 28)
        }
    }

    @Test(.allocations(atMost: 5)) func tooMuchOfEverything() { #expect(makeTable(players: 4).players.count == 4) }

    @Test func tooManyInACall() {
        expectAllocations(of: Table.self, atMost: 1) {
            makeTable(players: 3).deal()
            makeTable(players: 3).deal()
        }
    }

    @Test func tooManyInAnAsyncCall() async throws {
        try await expectAllocations(of: Player.self, atMost: 0) {
            let table = makeTable(players: 1)
            try await Dealer().deal(at: table)
            throw Misdeal()
        }
    }
}

/// Something dead is used in each of these. The tests beside them go on.
@Suite struct FaultyLives {
    @Test(.zombieFree) func aLateWaiter() { makeLateWaiter().serve() }

    @Test(.zombieFree) func aWaiterLaterOn() async throws {
        let waiter = makeLateWaiter()
        try await Task.sleep(for: .milliseconds(1))
        waiter.serve()
    }
}

final class FaultyXCTests: XCTestCase {
    func testSomethingIsLost() {
        assertNoLeaks { makeHeldTable().deal() }
    }

    func testATableIsHeldByAll() {
        assertNoLeaks { XCTAssertEqual(makeTableOfHolders().players.count, 4) }
    }

    func testATableStays() {
        assertDeallocated { makeHeldTable() }
    }

    func testTooManyTablesAreMade() {
        assertAllocations(of: Table.self, atMost: 1) {
            makeTable(players: 1).deal()
            makeTable(players: 1).deal()
        }
    }

    func testALateWaiter() {
        assertNoZombies(in: self) { makeLateWaiter().serve() }
    }
}
