// A game whose world is a singleton; objects come and go, scenery is added as the level scrolls to its end.
final class Thing {
    let kind: Int
    var x: Double
    var trail: [Double] = []
    init(kind: Int, x: Double) {
        self.kind = kind
        self.x = x
    }
}
final class World {
    nonisolated(unsafe) static let shared = World()
    private(set) var moving: [Thing] = []
    private(set) var scenery: [Thing] = []
    private init() {}
    func spawn(at x: Double) { moving.append(Thing(kind: 1, x: x)) }
    func build(at x: Double) { scenery.append(Thing(kind: 2, x: x)) }
    func step(camera: Double) {
        for thing in moving {
            thing.x -= 1.5
            thing.trail.append(thing.x)
            if thing.trail.count > 10 { thing.trail.removeFirst() }
        }
        moving.removeAll { $0.x < camera - 100 }
    }
}
final class Level {
    private var camera = 0.0
    private let length = 1_500.0
    private var score = 0
    var isDone: Bool { camera >= length }
    func frame(_ number: Int) {
        camera += 1
        if number % 2 == 0 { World.shared.spawn(at: camera + 60) }
        // Scenery stays, because the player may go back.
        if number % 3 == 0 { World.shared.build(at: camera + 80) }
        World.shared.step(camera: camera)
        score += World.shared.moving.filter { abs($0.x - camera) < 3 }.count
    }
    var summary: String { "score \(score)" }
}
let level = Level()
var number = 0
while !level.isDone {
    level.frame(number)
    number += 1
}
print(level.summary, World.shared.moving.count, World.shared.scenery.count)
