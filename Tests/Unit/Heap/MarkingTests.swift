import Testing

@testable import GameprofHeap

@Suite struct MarkingTests {
    @Test func `the rest of a heap is reached from what nothing in it holds, and from one block of a ring`() {
        var marking = Marking(count: 7)
        defer { marking.deallocate() }
        marking.reach(0)
        // 0 is a root; 2 → 1 → 3; 4 ⇄ 5, 6 names itself.
        for (block, target) in [(1, 3), (2, 1), (4, 5), (5, 4), (6, 6)] { marking.visit(block, target) }
        marking.begin(7)
        marking.spread()
        #expect(marking.markRest() == [2, 6, 4])
        #expect((0..<7).allSatisfy(marking.reached.contains))
    }
}
