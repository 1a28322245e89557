import CardGame
import InstrumentationTesting
import Testing

/// Some milliseconds of work and 1,000 tables.
private func play(_ number: Int) {
    for round in 0..<1_000 {
        let table = makeTable(players: round % 5)
        table.deal()
        #expect(table.rounds == 1)
    }
}

/// What a suite costs by itself and with each trait: four tests of ten cases each, measured by `make bench tests`.
@Suite struct Plain {
    @Test(arguments: 0..<10) func first(number: Int) { play(number) }
    @Test(arguments: 0..<10) func second(number: Int) { play(number) }
    @Test(arguments: 0..<10) func third(number: Int) { play(number) }
    @Test(arguments: 0..<10) func fourth(number: Int) { play(number) }
}

@Suite(.leakFree) struct LeakFree {
    @Test(arguments: 0..<10) func first(number: Int) { play(number) }
    @Test(arguments: 0..<10) func second(number: Int) { play(number) }
    @Test(arguments: 0..<10) func third(number: Int) { play(number) }
    @Test(arguments: 0..<10) func fourth(number: Int) { play(number) }
}

@Suite(.allocations(of: Table.self, atMost: 1_000)) struct Counted {
    @Test(arguments: 0..<10) func first(number: Int) { play(number) }
    @Test(arguments: 0..<10) func second(number: Int) { play(number) }
    @Test(arguments: 0..<10) func third(number: Int) { play(number) }
    @Test(arguments: 0..<10) func fourth(number: Int) { play(number) }
}

@Suite(.zombieFree) struct ZombieFree {
    @Test(arguments: 0..<10) func first(number: Int) { play(number) }
    @Test(arguments: 0..<10) func second(number: Int) { play(number) }
    @Test(arguments: 0..<10) func third(number: Int) { play(number) }
    @Test(arguments: 0..<10) func fourth(number: Int) { play(number) }
}
