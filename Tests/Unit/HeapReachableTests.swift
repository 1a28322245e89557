import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

@Suite struct HeapReachableTests {
    private static let living: HeapObject.Flags = [.swift, .reachable]

    /// A model that keeps a closure which captures it; `holder` says what of it a root names.
    private func heap(rootsObject: Bool, extraRetains: UInt32 = 0, flags: HeapObject.Flags = living) -> HeapFixture {
        let heap = HeapFixture()
        let model = heap.node("Game.Model", strong: 1 + extraRetains, flags: flags)
        let context = heap.closure(flags: Self.living)
        heap.refer(model, "handler", context, calling: "closure #1 in Model.start()")
        heap.refer(context, "", model, kind: .capture)
        heap.roots = [HeapRoot(object: rootsObject ? model : context, kind: .global)]
        return heap
    }

    @Test func aCycleThatOnlyItsClosureKeepsAliveIsAWarning() throws {
        let finding = try #require(heap(rootsObject: false).findings.only)
        #expect(finding.kind == .reachableCycle)
        #expect(finding.severity == .warning)
        #expect(finding.references.last?.captures == "self")
    }

    @Test func anObservationThatCapturesItsObserverIsAWarning() throws {
        let heap = HeapFixture()
        let center = heap.node("Foundation.NotificationCenter", flags: Self.living)
        let receiver = heap.node("Foundation.NSNotificationReceiver", strong: 2, flags: Self.living)
        let keeper = heap.node("Game.ScoreKeeper", flags: Self.living)
        heap.refer(center, "_observers", receiver)
        heap.refer(receiver, "block", keeper, calling: "closure #1 in ScoreKeeper.startObserving()")
        heap.refer(keeper, "token", receiver)
        heap.roots = [HeapRoot(object: center, kind: .global)]
        let finding = try #require(heap.findings.only)
        #expect(finding.kind == .reachableCycle)
        #expect(finding.references.map(\.to) == ["Foundation.NSNotificationReceiver", "Game.ScoreKeeper"])
        #expect(finding.references.last?.captures == "self")
        #expect(finding.heldBy == ["a global variable", "NotificationCenter._observers", "NSNotificationReceiver"])
    }

    @Test func aCycleThatTheProgramOwnsIsNoDefect() {
        #expect(heap(rootsObject: true).findings.isEmpty)
        #expect(heap(rootsObject: false, extraRetains: 1).findings.isEmpty)
        #expect(heap(rootsObject: false, flags: [.swift, .reachable, .countUnsure]).findings.isEmpty)
    }

    @Test func aDoublyLinkedListInUseIsNoDefect() {
        let heap = HeapFixture()
        let nodes = (0..<5).map { _ in heap.node("Game.Node", strong: 2, flags: Self.living) }
        for (a, b) in zip(nodes, nodes.dropFirst()) {
            heap.refer(a, "next", b)
            heap.refer(b, "previous", a)
        }
        heap.roots = [HeapRoot(object: nodes[0], kind: .stack)]
        #expect(heap.findings.isEmpty)
    }

    // With a path made for each object these would be 2e10 steps.
    @Test("the nearest of the objects of a long list is found without a path to each") func nearest() throws {
        let heap = HeapFixture()
        let nodes = (0..<200_000).map { _ in heap.node("Game.Node", flags: Self.living) }
        for (node, next) in zip(nodes, nodes.dropFirst()) { heap.refer(node, "next", next) }
        heap.roots = [HeapRoot(object: nodes[0], kind: .global)]
        let way = RootPaths(graph: heap.graph).way(toNearestOf: (5..<200_000).reversed().map { Int32($0) })
        #expect(way?.edges.count == 5)
    }
}
