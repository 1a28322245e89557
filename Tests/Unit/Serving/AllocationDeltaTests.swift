import Testing

@testable import InstrumentationServing

@Suite struct AllocationDeltaTests {
    private func heap(_ rows: (stack: UInt32, type: String, live: Double, freed: Double)...) -> HeapFigures {
        HeapFigures(
            mean: 512, allocated: SampleSum(),
            rows: rows.map {
                HeapFigures.Row(
                    stack: $0.stack, type: $0.type, live: SampleSum(samples: 1, count: $0.live, bytes: 10 * $0.live),
                    freed: SampleSum(samples: 1, count: $0.freed, bytes: 10 * $0.freed))
            }, unreachable: nil)
    }

    @Test("each difference has what was allocated since the one before")
    func differences() {
        var delta = AllocationDelta()
        #expect(delta.next(heap((1, "A", 2, 3))) == [.init(stack: 1, type: "A", count: 5, bytes: 50)])
        #expect(delta.next(heap((1, "A", 0, 5))).isEmpty)
        #expect(
            delta.next(heap((1, "A", 1, 6), (1, "B", 1, 0))) == [
                .init(stack: 1, type: "A", count: 2, bytes: 20), .init(stack: 1, type: "B", count: 1, bytes: 10),
            ])
    }

    @Test("a block that was counted as live and as freed is counted once in the sum")
    func twice() {
        var delta = AllocationDelta()
        let first = delta.next(heap((1, "A", 2, 4)))
        let second = delta.next(heap((1, "A", 1, 4)))
        let third = delta.next(heap((1, "A", 1, 8)))
        #expect((first + second + third).reduce(0) { $0 + $1.count } == 9)
        #expect(second.isEmpty)
    }
}
