import Foundation
import GameModel
import Testing

@Suite struct SwipeInputTests {
    private let input: SwipeInput
    private let puzzle: Puzzle

    init() throws {
        input = try SwipeInput(viewSize: CGSize(width: 400, height: 200))
        puzzle = try Puzzle()
    }

    @Test(arguments: [(0.0, 0.0, 0), (399, 0, 3), (0, 199, 12), (399.9, 199.9, 15), (150, 60, 5), (100, 50, 5)])
    func findsTheIndexUnderAPoint(x: Double, y: Double, index: Int) {
        #expect(input.index(at: CGPoint(x: x, y: y), in: puzzle) == index)
    }

    @Test(arguments: [(-0.1, 0.0), (0, -1), (400, 0), (0, 200), (.nan, 0), (0, .infinity), (1e300, 1e300)])
    func findsNothingOutsideOfTheView(x: Double, y: Double) {
        let point = CGPoint(x: x, y: y)
        #expect(input.index(at: point, in: puzzle) == nil)
        #expect(!input.swipe(puzzle, at: point, to: .right))
    }

    @Test func findsEveryIndexAtItsCenter() throws {
        for index in 0..<puzzle.size {
            let center = try #require(input.center(ofIndex: index, in: puzzle))
            #expect(input.index(at: center, in: puzzle) == index)
        }
        #expect(input.center(ofIndex: -1, in: puzzle) == nil)
        #expect(input.center(ofIndex: 16, in: puzzle) == nil)
    }

    @Test func staysInsideWhenAPointRoundsToTheEdge() throws {
        let point = CGPoint(x: 400.0.nextDown, y: 200.0.nextDown)
        #expect(input.index(at: point, in: try Puzzle(length: 7)) == 48)
    }

    @Test func movesTheTileUnderTheFinger() {
        #expect(!input.swipe(puzzle, at: CGPoint(x: 250, y: 190), to: .up))
        #expect(input.swipe(puzzle, at: CGPoint(x: 250, y: 190), to: .right))
        #expect(puzzle.freeIndex == 14)
    }

    @Test(arguments: [(0.0, 100.0), (100, -1), (.nan, 100), (100, .infinity)])
    func refusesViewsWithoutAnArea(width: Double, height: Double) {
        #expect(throws: InputError.self) { try SwipeInput(viewSize: CGSize(width: width, height: height)) }
    }
}
