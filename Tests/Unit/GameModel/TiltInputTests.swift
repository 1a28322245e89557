import GameModel
import Testing

@Suite struct TiltInputTests {
    @Test(arguments: [
        (-0.3, 0.0, Direction.left), (0.3, 0.0, .right), (0.0, -0.3, .down), (0.0, 0.3, .up),
        // The x axis goes first.
        (0.3, 0.9, .right), (-0.3, -0.9, .left),
    ])
    func tellsTheDirectionOfATilt(x: Double, y: Double, direction: Direction) {
        var input = TiltInput()
        #expect(input.direction(x: x, y: y) == direction)
    }

    @Test func needsMoreThanTheMaximum() {
        var input = TiltInput()
        #expect(input.direction(x: 0.2, y: -0.2) == nil)
        #expect(input.isLevel)
    }

    @Test func tellsOneTiltUntilBothAxesAreLevel() {
        var input = TiltInput()
        #expect(input.direction(x: 0.3, y: 0) == .right)
        #expect(input.direction(x: 0.3, y: 0) == nil)
        #expect(input.direction(x: -0.5, y: 0) == nil)
        // Below the maximum, not yet below the minimum of both.
        #expect(input.direction(x: 0.15, y: 0) == nil)
        #expect(input.direction(x: 0, y: 0.1) == nil)
        #expect(input.direction(x: 0.3, y: 0) == nil)
        #expect(input.direction(x: 0.05, y: -0.05) == nil)
        #expect(input.direction(x: 0.3, y: 0) == .right)
    }

    @Test func takesNoNumberForNothing() {
        var input = TiltInput()
        #expect(input.direction(x: .nan, y: .nan) == nil)
        #expect(input.direction(x: .infinity, y: 0) == .right)
        #expect(input.direction(x: .nan, y: 0) == nil)
        #expect(!input.isLevel)
    }

    @Test func usesItsOwnThresholds() throws {
        let thresholds = try TiltThresholds(
            horizontalMaximum: 0.8, horizontalMinimum: 0.1, verticalMaximum: 0.4, verticalMinimum: 0.3)
        var input = TiltInput(thresholds: thresholds)
        #expect(input.direction(x: 0.7, y: 0) == nil)
        #expect(input.direction(x: 0.7, y: 0.5) == .up)
    }

    @Test func tiltsAPuzzle() throws {
        let puzzle = try Puzzle()
        var input = TiltInput()
        let readings = [(0.3, 0.0), (0.3, 0.0), (0.0, 0.0), (0.0, 0.3), (0.0, 0.0), (0.0, -0.3)]
        let moved = readings.map { input.tilt(puzzle, x: $0.0, y: $0.1) }
        #expect(moved == [true, false, false, false, false, true])
        #expect(puzzle.freeIndex == 10)
        #expect(puzzle.moveCount == 2)
    }

    @Test(arguments: [(0.1, 0.2), (0.2, 0), (0.2, -0.1), (.nan, 0.1), (.infinity, 0.1)])
    func refusesThresholdsThatContradictEachOther(maximum: Double, minimum: Double) {
        #expect(throws: InputError.unusableThresholds) {
            try TiltThresholds(
                horizontalMaximum: maximum, horizontalMinimum: minimum, verticalMaximum: 0.2, verticalMinimum: 0.1)
        }
        #expect(throws: InputError.unusableThresholds) {
            try TiltThresholds(
                horizontalMaximum: 0.2, horizontalMinimum: 0.1, verticalMaximum: maximum, verticalMinimum: minimum)
        }
    }
}
