import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofTrace

@Suite struct HeapComponentsTests {
    /// Two objects are in one component exactly when each reaches the other, by brute force.
    @Test(arguments: 0..<60) func agreesWithReachability(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let count = Int(random.next() % 12) + 1
        let heap = HeapFixture()
        let nodes = (0..<count).map { heap.node("Game.N\($0)") }
        var reach = (0..<count).map { row in (0..<count).map { $0 == row } }
        for _ in 0..<Int(random.next() % 24) {
            let (from, to) = (Int(random.next() % UInt64(count)), Int(random.next() % UInt64(count)))
            let ownership = Ownership(rawValue: UInt8(random.next() % 5)) ?? .strong
            heap.refer(nodes[from], "f", nodes[to], ownership: ownership)
            if ownership.holds { reach[from][to] = true }
        }
        for middle in 0..<count {
            for from in 0..<count where reach[from][middle] {
                for to in 0..<count where reach[middle][to] { reach[from][to] = true }
            }
        }
        let components = Components(Adjacency(graph: heap.graph) { $0.ownership.holds })
        for a in 0..<count {
            for b in 0..<count {
                #expect((components.of[a] == components.of[b]) == (reach[a][b] && reach[b][a]))
            }
        }
    }

    @Test func aLongChainDoesNotOverflowTheStack() {
        let heap = HeapFixture()
        var last = heap.node("Game.Node")
        for _ in 0..<200_000 {
            let next = heap.node("Game.Node")
            heap.refer(last, "next", next)
            last = next
        }
        #expect(Components(Adjacency(graph: heap.graph) { _ in true }).count == 200_001)
    }
}

/// A small seeded generator.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return StableHash.mix(state)
    }
}
