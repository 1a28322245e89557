import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct ScopedCounterTests {
    private let heap = HeapFixture()

    private func frame(_ function: String, _ module: String = "Game", origin: FrameOrigin = .user) -> SymbolicatedFrame
    {
        SymbolicatedFrame(
            function: function, module: module, image: module, file: origin == .user ? "/src/Game.swift" : nil,
            line: origin == .user ? 12 : nil, origin: origin, isRuntimeSupport: origin == .runtime)
    }

    private func isOwn(_ frames: SymbolicatedFrame...) -> Bool {
        ScopedCounterRule.isOwn(SymbolicatedStack(frames: frames))
    }

    private var test: SymbolicatedFrame { frame("BoardTests.deal()", "GameTests") }

    @Test func whatTheTestsCodeAsksForIsItsOwn() {
        #expect(isOwn(frame("swift_allocObject", "", origin: .runtime), frame("Board.init()"), test))
        #expect(isOwn(frame("Array.append(_:)", "Swift", origin: .runtime), test))
        #expect(
            isOwn(frame("malloc", "", origin: .library), frame("Data.init()", "Foundation", origin: .library), test))
    }

    @Test func whatHappensOnceInAProcessIsNobodys() {
        let malloc = frame("malloc", "", origin: .library)
        for function in ["swift_once", "swift_getGenericMetadata", "swift::_getWitnessTable", "_dl_open"] {
            #expect(!isOwn(malloc, frame(function, "", origin: .runtime), test), "\(function)")
        }
        #expect(!isOwn(frame("one-time initialization function for shared"), test))
        #expect(isOwn(frame("Metadata.init()"), test), "a type of the user's")
    }

    @Test func whatTheTestLibraryNeedsForItselfIsNotCounted() {
        let checking = frame("__checkValue(_:)", "Testing", origin: .library)
        #expect(!isOwn(frame("swift_allocObject", "", origin: .runtime), checking, test))
        #expect(isOwn(frame("Board.isSolved.getter"), checking, test), "the test's code in an expectation")
        #expect(!isOwn(frame("swift_job_run", "", origin: .runtime)), "nobody asked")
    }

    @Test func theTextNamesTypesAndMakers() {
        var recording = heap.recording
        let card = heap.typeID("Game.Card")
        let board = heap.typeID("Game.Board")
        recording.types = heap.recording.types
        let dealt = heap.stack("Card.init()", "Board.deal()", "main")
        let drawn = heap.stack("Card.__allocating_init(suit:)", "Board.draw()", "main")
        let rows = [
            ScopedCounterRow(type: card, stack: dealt, count: 1_200, bytes: 9_600),
            ScopedCounterRow(type: card, stack: drawn, count: 4, bytes: 32),
            ScopedCounterRow(type: board, stack: heap.stack("Game.start()", "main"), count: 1, bytes: 64),
        ]
        let tallied = ScopedAllocations(rows, of: recording, symbolicator: heap)
        let totals = tallied.totals
        #expect(totals.total == 1_205)
        #expect(
            AllocationLimitText.text(totals, limit: 16, type: nil) == """
                1,205 allocations, at most 16 expected: 1,204 × Card, 1 × Board.
                1,200 × Card in Board.deal(), Game.swift:11
                4 × Card in Board.draw(), Game.swift:11
                1 × Board in Game.start(), Game.swift:10
                """)
        #expect(
            AllocationLimitText.text(totals, limit: 16, type: "Card")
                .hasPrefix("1,205 allocations of Card, at most 16 expected"))
        let allocations = tallied.report.allocations
        #expect(allocations?.byType.map(\.type) == ["Game.Card", "Game.Board"])
        #expect(allocations?.totals.allocations == 1_205 && allocations?.totals.bytes == 9_696)
    }
}
