import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct HeapComparisonTests {
    /// A game with boards and one list of moves, as a heap of a recording.
    private static func heap(
        _ snapshot: UInt32, boards: Int, moves: Int, run: UInt64 = 1
    ) throws -> ComparedHeap {
        var heap = LiveHeapFixture()
        let game = heap.object("Game.Game")
        // Types have the same numbers in all heaps of a run; nothing reaches these two.
        for type in ["Game.Board", "Game.Move"] { _ = heap.object(type) }
        heap.root(game)
        for _ in 0..<boards { heap.refer(game, "boards", heap.object("Game.Board", size: 100)) }
        for _ in 0..<moves { heap.refer(game, "moves", heap.object("Game.Move", size: 48)) }
        return try compared(heap, snapshot, run: run)
    }

    private static func compared(
        _ heap: LiveHeapFixture, _ snapshot: UInt32, run: UInt64 = 1
    ) throws -> ComparedHeap {
        var recording = Recording()
        recording.startUnixNanoseconds = run
        recording.program = ProgramRecord(instruments: [.heap], executable: "/games/game", arguments: ["game"])
        recording.types = heap.types
        var taken = HeapSnapshot(
            begin: HeapBeginRecord(snapshot: SnapshotID(snapshot)), end: HeapEndRecord(snapshot: SnapshotID(snapshot)))
        taken.graph = heap.heap
        return try #require(ComparedHeap(recording, taken, symbolicator: heap.names))
    }

    @Test("objects of two snapshots are added, removed or kept") func oneRun() throws {
        let comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 2, moves: 0), try Self.heap(2, boards: 5, moves: 0))
        #expect(comparison.isOneRun)
        let row = try #require(comparison.types.first { $0.type == "Game.Board" })
        #expect((row.added, row.removed, row.kept) == (3, 0, 2))
        #expect(row.change.retainedDifference == 300)
        let held = try #require(comparison.holders.first { $0.type == "Game.Board" })
        #expect(held.holder == "Game.Game" && held.field == "boards")
        #expect((held.change.countBefore, held.change.countAfter) == (2, 5))
    }

    @Test("an object at another's address is another one if its type is another's") func reusedAddress() throws {
        let comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 3, moves: 0), try Self.heap(2, boards: 0, moves: 3))
        let moves = try #require(comparison.types.first { $0.type == "Game.Move" })
        #expect((moves.added, moves.removed, moves.kept) == (3, 0, 0))
        let boards = try #require(comparison.types.first { $0.type == "Game.Board" })
        #expect((boards.added, boards.removed, boards.kept) == (0, 3, 0))
    }

    @Test("two runs are compared by numbers") func twoRuns() throws {
        let comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 3, moves: 1), try Self.heap(1, boards: 4, moves: 0, run: 2))
        #expect(!comparison.isOneRun && comparison.survivors == nil)
        let boards = try #require(comparison.types.first { $0.type == "Game.Board" })
        #expect((boards.added, boards.removed, boards.kept) == (1, 0, 3))
    }

    @Test("equal heaps have no row") func equal() throws {
        let comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 3, moves: 1), try Self.heap(2, boards: 3, moves: 1))
        #expect(comparison.types.isEmpty && comparison.holders.isEmpty)
        #expect(HeapComparisonText.render(comparison).hasSuffix("No type changed."))
    }

    @Test("a large collection has a row of its own with its field, in one of the heaps or in both") func collections()
        throws
    {
        func heap(_ snapshot: UInt32, storage: UInt64) throws -> ComparedHeap {
            var heap = LiveHeapFixture()
            let game = heap.object("Game.Game", size: 1000)
            heap.root(game)
            let list = heap.object("Swift._ContiguousArrayStorage<Game.Move>", size: storage)
            heap.refer(game, "moves", list)
            let small = heap.object("Swift._ContiguousArrayStorage<Game.Board>", size: 1)
            heap.refer(game, "boards", small)
            for _ in 0..<3 { heap.refer(list, "", heap.object("Game.Move", size: 10)) }
            return try Self.compared(heap, snapshot)
        }
        let rows = HeapComparisonBuilder.compare(try heap(1, storage: 4), try heap(2, storage: 500)).holders
        let row = try #require(rows.first { $0.type.contains("ArrayStorage") })
        #expect(row.holder == "Game.Game" && row.field == "moves")
        #expect((row.change.countBefore, row.change.countAfter) == (1, 1))
        #expect((row.change.retainedBefore, row.change.retainedAfter) == (34, 530))
        #expect(rows.filter { $0.type.contains("ArrayStorage") }.count == 1)
    }

    @Test("what objects hold that hold one another is counted once") func list() throws {
        func heap(_ snapshot: UInt32, moves: Int) throws -> ComparedHeap {
            var heap = LiveHeapFixture()
            var last = heap.object("Game.Game")
            heap.root(last)
            for _ in 0..<moves {
                let move = heap.object("Game.Move", size: 10)
                heap.refer(last, "next", move)
                last = move
            }
            return try Self.compared(heap, snapshot)
        }
        let rows = HeapComparisonBuilder.compare(try heap(1, moves: 0), try heap(2, moves: 4)).holders
        let first = try #require(rows.first { $0.holder == "Game.Game" })
        let others = try #require(rows.first { $0.holder == "Game.Move" })
        #expect((first.change.countAfter, first.change.retainedAfter) == (1, 40))
        #expect((others.change.countAfter, others.change.retainedAfter) == (3, 30))
    }

    @Test("of three snapshots what was made after the first and stayed is shown") func threeSnapshots() throws {
        let comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 2, moves: 0), try Self.heap(3, boards: 4, moves: 0),
            between: try Self.heap(2, boards: 5, moves: 0))
        let row = try #require(comparison.survivors?.only)
        #expect(row.type == "Game.Board" && row.count == 2 && row.bytes == 200)
    }

    @Test("the page has the heaps, types, holders and what stayed of three snapshots") func page() throws {
        let comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 2, moves: 7), try Self.heap(3, boards: 40, moves: 0),
            between: try Self.heap(2, boards: 9, moves: 0))
        let page = try HeapComparisonPage.render(comparison)
        for text in [
            "<th scope=\"row\">between</th>", "Game.boards: Board", "+3.7 KB", "Made after the first snapshot",
            "data-value=\"38\">+38<", "data-value=\"7\">−7<",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        let two = try HeapComparisonPage.render(
            HeapComparisonBuilder.compare(
                try Self.heap(1, boards: 3, moves: 1), try Self.heap(1, boards: 3, moves: 1, run: 2)))
        #expect(two.contains("No type changed.") && !two.contains("Made after") && !two.contains(">between<"))
    }

    @Test("a page of the most rows with the longest names is below two megabytes, and names are text")
    func longNames() throws {
        var comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 2, moves: 0), try Self.heap(2, boards: 3, moves: 0))
        let name = "Game.<script>alert(1)</script>" + String(repeating: "&<Name>", count: 500)
        var change = HeapComparison.Change()
        change.retainedAfter = .max
        comparison.types = (0..<200).map {
            .init(type: "\(name)\($0)", change: change, added: .max, removed: 0, kept: 0)
        }
        comparison.holders = (0..<200).map {
            .init(holder: "\(name)\($0)", field: name, type: name, change: change)
        }
        comparison.survivors = (0..<200).map { .init(type: "\(name)\($0)", count: .max, bytes: .max) }
        let page = try HeapComparisonPage.render(comparison)
        #expect(page.utf8.count < 2_000_000)
        #expect(!page.contains("<script>alert"))
    }

    @Test("the JSON follows its schema") func schema() throws {
        let comparison = HeapComparisonBuilder.compare(
            try Self.heap(1, boards: 2, moves: 0), try Self.heap(3, boards: 4, moves: 1),
            between: try Self.heap(2, boards: 5, moves: 0))
        let file = Repository.file("Documentation/heap-diff.schema.json")
        let root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let json = try JSONReport.encode(comparison)
        #expect(
            try ReportSchema(root: root).problems(of: JSONSerialization.jsonObject(with: Data(json.utf8))).isEmpty)
    }
}
