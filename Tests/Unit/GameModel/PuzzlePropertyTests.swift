import GameModel
import Testing

/// What must hold in any game; the games are random, and the same in each run.
@Suite struct PuzzlePropertyTests {
    private static let games = [2, 3, 4, 5, 7].flatMap { length in (1...4).map { (length, UInt64($0)) } }

    @Test(arguments: games)
    func everyPositionCanBeSolved(length: Int, seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let fixture = try PuzzleFixture(length: length)
        let puzzle = fixture.puzzle
        puzzle.shuffle(using: &generator)
        #expect(isReachable(puzzle.values, length: length))
        for _ in 0..<200 {
            makeRandomMove(in: puzzle, using: &generator)
            #expect(isReachable(puzzle.values, length: length))
            #expect(try puzzle.value(at: puzzle.freeIndex) == puzzle.size - 1)
            #expect(puzzle.isSolved == (puzzle.values == Array(0..<puzzle.size)))
        }
    }

    @Test(arguments: games)
    func asManyUndosAsMovesReturnToTheStart(length: Int, seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let fixture = try PuzzleFixture(length: length)
        let puzzle = fixture.puzzle
        puzzle.shuffle(using: &generator)
        let start = puzzle.values
        for _ in 0..<300 { makeRandomMove(in: puzzle, using: &generator) }
        let end = puzzle.values
        let moves = puzzle.moveCount
        for _ in 0..<moves { fixture.undoManager.undo() }
        #expect(puzzle.values == start)
        #expect(puzzle.moveCount == 0)
        #expect(!fixture.undoManager.canUndo)
        for _ in 0..<moves { fixture.undoManager.redo() }
        #expect(puzzle.values == end)
        #expect(puzzle.moveCount == moves)
    }

    @Test(arguments: games)
    func everyMoveAndOnlyAMoveIsAnnounced(length: Int, seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let fixture = try PuzzleFixture(length: length)
        for _ in 0..<300 {
            let before = fixture.puzzle.values
            let announced = fixture.tilts.entries.count + fixture.moves.entries.count
            let moved = makeRandomMove(in: fixture.puzzle, using: &generator)
            #expect(moved == (fixture.puzzle.values != before))
            #expect(fixture.tilts.entries.count + fixture.moves.entries.count == announced + (moved ? 1 : 0))
        }
        #expect(fixture.tilts.entries.count + fixture.moves.entries.count == fixture.puzzle.moveCount)
    }

    @Test func theSameSeedShufflesAlike() throws {
        var (first, second, third) = (SplitMix64(seed: 9), SplitMix64(seed: 9), SplitMix64(seed: 10))
        let puzzles = try (0..<3).map { _ in try Puzzle() }
        puzzles[0].shuffle(using: &first)
        puzzles[1].shuffle(using: &second)
        puzzles[2].shuffle(using: &third)
        #expect(puzzles[0].values == puzzles[1].values)
        #expect(puzzles[0].values != puzzles[2].values)
    }

    @Test func theOracleTellsAnUnreachablePosition() {
        #expect(isReachable(Array(0..<16), length: 4))
        #expect(!isReachable(Array(0..<13) + [14, 13, 15], length: 4))
    }

    /// A tilt or a move of any tile, legal or not.
    @discardableResult
    private func makeRandomMove(in puzzle: Puzzle, using generator: inout SplitMix64) -> Bool {
        let directions = Direction.allCases
        let direction = directions[Int.random(in: 0..<directions.count, using: &generator)]
        if Bool.random(using: &generator) { return puzzle.tilt(to: direction) }
        // Indexes around the empty field, some of them beyond the board.
        let reach = puzzle.length + 1
        let index = puzzle.freeIndex + Int.random(in: -reach...reach, using: &generator)
        return puzzle.moveItem(at: index, to: direction)
    }
}
