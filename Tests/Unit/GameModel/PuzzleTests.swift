import GameModel
import Testing

@Suite struct PuzzleTests {
    @Test func startsSolvedWithEachValueAtItsPosition() throws {
        let puzzle = try Puzzle()
        #expect(puzzle.length == 4)
        #expect(puzzle.size == 16)
        #expect(puzzle.freeIndex == 15)
        #expect(puzzle.moveCount == 0)
        #expect(puzzle.isSolved)
        for index in 0..<16 {
            #expect(try puzzle.value(at: index) == index)
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1, 1_001, Int.max])
    func refusesLengthsWithoutAPuzzle(length: Int) {
        #expect(throws: PuzzleError.unusableLength(length)) { try Puzzle(length: length) }
    }

    @Test(arguments: [Int.min, -1, 16, Int.max])
    func hasNoValueBeyondItsPositions(index: Int) throws {
        let puzzle = try Puzzle()
        #expect(throws: PuzzleError.noSuchIndex(index, size: 16)) { try puzzle.value(at: index) }
        #expect(puzzle.tiltDirection(forIndex: index) == nil)
        for direction in Direction.allCases {
            #expect(!puzzle.moveItem(at: index, to: direction))
        }
    }

    @Test func errorsAreSentences() {
        #expect(
            PuzzleError.unusableLength(1).description == "A puzzle needs a side of 2 to 1000 tiles, not 1.")
        #expect(
            PuzzleError.noSuchIndex(16, size: 16).description
                == "The puzzle has no position 16; its positions are 0 to 15.")
    }

    @Test func tiltsRightDownRightDown() throws {
        let fixture = try PuzzleFixture()
        fixture.tiltFourTimes()
        #expect(fixture.puzzle.values == PuzzleFixture.valuesAfterFourTilts)
        #expect(fixture.puzzle.freeIndex == 5)
        #expect(fixture.puzzle.moveCount == 4)
        #expect(!fixture.puzzle.isSolved)
    }

    @Test func announcesEachTiltWithItsDirectionAndIndexes() throws {
        let fixture = try PuzzleFixture()
        fixture.tiltFourTimes()
        #expect(
            fixture.tilts.entries == [
                PuzzleMove(direction: .right, fromIndex: 14, toIndex: 15),
                PuzzleMove(direction: .down, fromIndex: 10, toIndex: 14),
                PuzzleMove(direction: .right, fromIndex: 9, toIndex: 10),
                PuzzleMove(direction: .down, fromIndex: 5, toIndex: 9),
            ])
        #expect(fixture.moves.entries.isEmpty)
    }

    @Test(arguments: [Direction.left, .up])
    func ignoresATiltOutOfTheCornerAtTheStart(direction: Direction) throws {
        let fixture = try PuzzleFixture()
        #expect(!fixture.puzzle.tilt(to: direction))
        #expect(fixture.puzzle.values == Array(0..<16))
        #expect(fixture.puzzle.freeIndex == 15)
        #expect(fixture.puzzle.moveCount == 0)
        #expect(fixture.tilts.entries.isEmpty)
        #expect(!fixture.undoManager.canUndo)
    }

    @Test func doesNotTakeATileFromTheEndOfTheRowAbove() throws {
        let fixture = try PuzzleFixture()
        for _ in 0..<3 { fixture.puzzle.tilt(to: .right) }
        #expect(fixture.puzzle.freeIndex == 12)
        #expect(!fixture.puzzle.tilt(to: .right))
        #expect(!fixture.puzzle.moveItem(at: 11, to: .right))
        #expect(fixture.puzzle.freeIndex == 12)
        #expect(fixture.puzzle.moveCount == 3)
        #expect(fixture.tilts.entries.count == 3)
    }

    @Test func doesNotTakeATileFromTheStartOfTheRowBelow() throws {
        let fixture = try PuzzleFixture()
        fixture.puzzle.tilt(to: .down)
        #expect(fixture.puzzle.freeIndex == 11)
        #expect(!fixture.puzzle.tilt(to: .left))
        #expect(!fixture.puzzle.moveItem(at: 12, to: .left))
        #expect(fixture.puzzle.freeIndex == 11)
    }

    @Test func movesAnItemIntoTheEmptyFieldOnly() throws {
        let fixture = try PuzzleFixture()
        #expect(!fixture.puzzle.moveItem(at: 14, to: .left))
        #expect(!fixture.puzzle.moveItem(at: 13, to: .right))
        #expect(!fixture.puzzle.moveItem(at: 15, to: .right))
        #expect(fixture.moves.entries.isEmpty)
        #expect(fixture.puzzle.moveItem(at: 14, to: .right))
        #expect(fixture.puzzle.freeIndex == 14)
        #expect(fixture.puzzle.moveCount == 1)
        #expect(fixture.moves.entries == [PuzzleMove(direction: .right, fromIndex: 14, toIndex: 15)])
        #expect(fixture.tilts.entries.isEmpty)
    }

    @Test func isSolvedAgainAfterTheWayBack() throws {
        let fixture = try PuzzleFixture()
        fixture.tiltFourTimes()
        for direction in [Direction.up, .left, .up, .left] { fixture.puzzle.tilt(to: direction) }
        #expect(fixture.puzzle.isSolved)
        #expect(fixture.puzzle.moveCount == 8)
    }

    @Test func tiltsVerticallyFirstOnTheWayToAnIndex() throws {
        let puzzle = try Puzzle()
        #expect(puzzle.tiltDirection(forIndex: 0) == .down)
        #expect(puzzle.tiltDirection(forIndex: 11) == .down)
        #expect(puzzle.tiltDirection(forIndex: 12) == .right)
        #expect(puzzle.tiltDirection(forIndex: 15) == nil)
        puzzle.tilt(to: .down)
        puzzle.tilt(to: .right)
        #expect(puzzle.freeIndex == 10)
        #expect(puzzle.tiltDirection(forIndex: 12) == .up)
        #expect(puzzle.tiltDirection(forIndex: 11) == .left)
    }

    @Test func clearRestoresTheStart() throws {
        let fixture = try PuzzleFixture()
        fixture.tiltFourTimes()
        fixture.puzzle.clear()
        #expect(fixture.puzzle.isSolved)
        #expect(fixture.puzzle.values == Array(0..<16))
        #expect(fixture.puzzle.freeIndex == 15)
        #expect(fixture.puzzle.moveCount == 0)
        #expect(!fixture.undoManager.canUndo)
        #expect(fixture.tilts.entries.count == 4)
    }

    @Test func shuffleLeavesNothingToUndo() throws {
        var generator = SplitMix64(seed: 3)
        let fixture = try PuzzleFixture()
        fixture.puzzle.shuffle(using: &generator)
        #expect(fixture.puzzle.moveCount == 0)
        #expect(!fixture.undoManager.canUndo)
        #expect(!fixture.undoManager.canRedo)
        // A walk to 64 other positions takes at least as many tilts.
        #expect(fixture.tilts.entries.count >= 64)
    }

    @Test func directionsReverseByFlippingBitOne() {
        #expect(Direction.allCases.map(\.rawValue) == [0, 1, 2, 3])
        for direction in Direction.allCases {
            #expect(direction.reversed.rawValue == direction.rawValue ^ 2)
        }
    }
}
