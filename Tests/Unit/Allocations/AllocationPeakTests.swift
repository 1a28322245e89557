import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct AllocationPeakTests {
    @Test func `what lived at the peak is what each stack had then`() throws {
        var trace = TraceBuilder()
        let (first, second, third) = (trace.stack(0x100), trace.stack(0x200), trace.stack(0x300))
        trace.allocate(100, at: first)
        trace.allocate(50, at: second)
        trace.free(100, of: first)
        trace.allocate(20, at: third)
        trace.free(50, of: second)
        let rows = try recording(trace).allocations.byStack
        func atPeak(_ stack: StackID) -> UInt64? { rows.first { $0.stack == stack }?.counts.atPeakBytes }
        #expect(atPeak(first) == 100 && atPeak(second) == 50 && atPeak(third) == 0)
    }

    @Test func `a temporary block can be part of the peak`() throws {
        var trace = TraceBuilder()
        let (first, second) = (trace.stack(0x100), trace.stack(0x200))
        trace.allocate(100, at: first)
        trace.temporary(70, at: second, count: 3)
        trace.free(100, of: first)
        let summary = try recording(trace).allocations
        #expect(summary.totals.peakBytes == 170)
        #expect(summary.byStack.reduce(0) { $0 + $1.counts.atPeakBytes } == 170)
    }

    @Test func `the rows at the peak add up to it`() throws {
        var trace = TraceBuilder()
        var random = SystemRandomNumberGenerator()
        let stacks = (1...5).map { trace.stack(UInt64($0 * 0x100)) }
        var live: [(size: UInt64, stack: StackID)] = []
        for _ in 0..<400 {
            if let block = live.randomElement(using: &random), Bool.random(using: &random) {
                trace.free(block.size, of: block.stack)
                live.remove(at: live.firstIndex { $0 == block } ?? 0)
            } else if let stack = stacks.randomElement(using: &random) {
                let size = UInt64.random(in: 1...200, using: &random)
                trace.allocate(size, at: stack)
                live.append((size, stack))
            }
        }
        let summary = try recording(trace).allocations
        #expect(summary.byStack.reduce(0) { $0 + $1.counts.atPeakBytes } == summary.totals.peakBytes)
        #expect(summary.byType.reduce(0) { $0 + $1.counts.atPeakBytes } == summary.totals.peakBytes)
    }

    @Test func `parts of the run hold all that was allocated, also when they are joined`() {
        var moments = AllocationMoments(span: 240_000, limit: 8)
        var last: [Int32] = [-1, -1, -1]
        for step in 0..<60 {
            let (place, part) = (step % 3, moments.part(at: UInt64(step) * 4_000))
            if moments.add(10, 1, to: last[place], part: part) { continue }
            if moments.isFull {
                last = [-1, -1, -1]
                moments.halve { last[$0] = $1 }
            }
            last[place] = moments.append(place, 10, 1, part: moments.part(at: UInt64(step) * 4_000))
        }
        #expect(moments.entries.reduce(0) { $0 + $1.bytes } == 600)
        #expect(moments.entries.count <= 9)
        #expect(moments.entries.map(\.part) == moments.entries.map(\.part).sorted())
    }
}

@Suite struct AllocatedTypesTests {
    private func counts(_ bytes: UInt64) -> AllocationCounts {
        var counts = AllocationCounts()
        (counts.allocations, counts.bytes) = (bytes / 8, bytes)
        return counts
    }

    @Test func `what has no name is called by who made it, and nothing is counted twice`() {
        let closure = ObjectNoun.contextOrVariable.rawValue
        let types = [
            Report.TypeRow(type: "Swift._ContiguousArrayStorage<Swift.UInt8>", counts: counts(800)),
            Report.TypeRow(
                type: closure, counts: counts(160),
                makers: [
                    .init(
                        function: "Board.deal(_:)", module: "Game", file: "/src/Board.swift", line: 12,
                        counts: counts(160))
                ]),
            Report.TypeRow(
                type: closure, counts: counts(96),
                makers: [
                    .init(
                        function: "Board.deal(_:)", module: "Game", file: "/src/Board.swift", line: 19,
                        counts: counts(80))
                ]),
            Report.TypeRow(
                type: "memory", counts: counts(64),
                makers: [
                    .init(function: "Board.load()", module: "Game", counts: counts(40)),
                    .init(function: "", module: "libstdc++.so.6", counts: counts(24)),
                ]),
        ]
        let rows = AllocatedTypes.rows(types, names: ShortNames(Set(types.map(\.type))))
        #expect(
            rows.map(\.name) == [
                "[UInt8]", "closure in Board.deal(_:) at Board.swift:12", "closure in Board.deal(_:) at Board.swift:19",
                "memory for Board.load()", "memory for libstdc++.so.6", "closure, other",
            ])
        #expect(rows.reduce(0) { $0 + $1.counts.bytes } == types.reduce(0) { $0 + $1.counts.bytes })
    }

    @Test(arguments: [
        ("Swift._ContiguousArrayStorage<Swift.UInt8>", "[UInt8]"),
        ("Swift._DictionaryStorage<Swift.String, Swift._SetStorage<Game.Card>>", "[String: Set<Card>]"),
        ("Swift._ContiguousArrayStorage<(Game.Box) -> ()>", "[(Box) -> ()]"),
        ("Swift._ContiguousArrayStorage<(Game.Name, Swift.Int)>", "[(Name, Int)]"),
        ("Swift._DictionaryStorage<Swift.Optional<Swift.Int>, (Game.A) -> Game.B>", "[Int?: (A) -> B]"),
        ("Swift.__StringStorage", "String"), ("Game.Array<Game.Card>.Slot", "Array<Card>.Slot"),
        ("Game.Box<Swift.Array<Game.Card>>", "Box<[Card]>"), ("broken<Swift.Int", "broken<Int"), ("memory", "memory"),
    ])
    func `storage is named as the value that it holds`(_ name: String, _ short: String) {
        #expect(ShortNames([name])[name] == short)
    }

    @Test func `two types that would read the same keep their modules`() {
        let names = ShortNames(["Swift._SetStorage<Game.Card>", "Swift._SetStorage<Other.Card>"])
        #expect(names["Swift._SetStorage<Game.Card>"] == "Set<Game.Card>")
    }
}
