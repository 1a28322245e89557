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
}

final class FaultyXCTests: XCTestCase {
    func testSomethingIsLost() {
        assertNoLeaks { makeHeldTable().deal() }
    }

    func testATableStays() {
        assertDeallocated { makeHeldTable() }
    }
}
