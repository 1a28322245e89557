import CTraceFormat
import GameprofTrace
import Testing

@testable import GameprofHeap

@Suite struct LiveHeapPassTests {
    @Test(arguments: [false, true])
    func `a block has its references in order, however many are looked up at once and by whichever thread`(
        hasThread: Bool
    ) throws {
        let fake = FakeClone()
        let small = (0..<30).map { fake.block(32, $0 == 7 ? [FakeClone.heap + 16] : []) }
        // The random numbers of a linear congruential generator.
        var random: UInt64 = 1
        let names = (0..<50_000).map { _ in
            random = random &* 6_364_136_223_846_793_005 &+ 1
            return Int(random >> 33) % small.count
        }
        let table: UInt64 = 0x6000_0000_0000
        fake.map([0, 0] + names.map { small[$0] }, at: table, block: UInt64(8 * names.count))
        fake.variables(0, [table + 16])
        let clone = try fake.frozen()
        let graph = fake.graph(clone)
        let reached = try Reachability(graph, from: ImageRoots.find(clone, graph).roots)
        let heap = LiveHeapPass.heap(graph, reached, clone, hasThread: hasThread)
        #expect(heap.count == 31 && heap.addresses.map(\.self) == small + [table + 16])
        #expect(heap.references(of: 30).map { Int(heap.targets[$0]) } == names)
        #expect(heap.references(of: 7).map { heap.targets[$0] } == [0])
        #expect(heap.references(of: 8).isEmpty && heap.flags.allSatisfy { $0.contains(.reachable) })
    }
}
