#if Instrumented
import GameInstrumentation
import GameModel
import InstrumentedGames

/// A picture that moves across the canvas.
struct Sprite {
    var x: Double
    var y: Double
    var speed: Double
    let color: UInt8
}

/// A puzzle and a board of cards, and the sprites that show them.
final class Scene {
    private static let (width, height, side) = (160, 90, 10)
    /// Frames between two pictures.
    private static let pictureInterval = 24

    private let puzzle: Instrumented<Puzzle>
    private let memory: Instrumented<Memory>
    private let loader: PictureLoader
    private var generator = SplitMix64(seed: 7)
    private var canvas = [UInt8](repeating: 0, count: Scene.width * Scene.height)
    private var background: [UInt8] = []
    private(set) var sprites: [Sprite]
    private(set) var puzzlesSolved = 0
    private(set) var pairsFound = 0

    init(loader: PictureLoader) throws {
        self.loader = loader
        puzzle = Instrumented(try Puzzle(length: 3))
        memory = Instrumented(try Memory(cardCount: 36, using: &generator))
        sprites = (0..<36).map(Self.sprite)
    }

    private static func sprite(_ number: Int) -> Sprite {
        let speed: Double = 0.5 + Double(number % 5) / 4
        return Sprite(x: Double(number * 4), y: Double(number % 6 * 14), speed: speed, color: UInt8(40 + number * 6))
    }

    func simulate(_ frame: Int) {
        movePuzzle(frame)
        turnCards(frame)
        for index in sprites.indices {
            sprites[index].x += sprites[index].speed
            if sprites[index].x > Double(Self.width) { sprites[index].x -= Double(Self.width) }
        }
        guard frame % Self.pictureInterval == Self.pictureInterval - 1 else { return }
        background = Probe.interval("load picture") { loader.picture(number: frame / Self.pictureInterval) }
    }

    private func movePuzzle(_ frame: Int) {
        puzzle.tilt(to: frame.isMultiple(of: 2) ? .down : .up)
        guard puzzle.isSolved else { return }
        puzzlesSolved += 1
        Probe.event("puzzle solved")
    }

    private func turnCards(_ frame: Int) {
        memory.turnCard(at: frame % memory.cards.count)
        memory.turnCard(at: frame * 7 % memory.cards.count)
        if memory.checkFlippedCards() { pairsFound += 1 }
        if memory.isSolved { memory.clear(using: &generator) }
    }

    func draw() {
        for index in canvas.indices { canvas[index] = background.isEmpty ? 0 : background[index % background.count] }
        for sprite in sprites { blend(sprite) }
    }

    private func blend(_ sprite: Sprite) {
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let (x, y) = (Int(sprite.x) + column, Int(sprite.y) + row)
                guard x < Self.width, y < Self.height else { continue }
                let place = y * Self.width + x
                canvas[place] = UInt8((Int(canvas[place]) + 3 * Int(sprite.color)) / 4)
            }
        }
    }
}
#endif
