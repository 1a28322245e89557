// A game that loads levels one after the other, plays them and ends in the middle of the last.
struct Vector { var x: Double, y: Double }
struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 8 ^ state << 31
    }
}
class Entity {
    var position: Vector
    weak var level: Level?
    init(position: Vector, level: Level) {
        self.position = position
        self.level = level
    }
    func update(_ delta: Double) {}
}
final class Monster: Entity {
    var health = 10
    var path: [Vector] = []
    override func update(_ delta: Double) {
        if path.isEmpty { path = (0..<8).map { Vector(x: position.x + Double($0), y: position.y) } }
        position = path.removeFirst()
    }
}
final class Coin: Entity { var value = 1 }
final class Bullet: Entity {
    var life = 30
    override func update(_ delta: Double) {
        position.x += 4 * delta
        life -= 1
    }
}
final class Tile {
    let kind: Int
    init(_ kind: Int) { self.kind = kind }
}
final class Level {
    let number: Int
    var tiles: [Tile] = []
    var entities: [Entity] = []
    var bullets: [Bullet] = []
    init(number: Int, random: inout Random) {
        self.number = number
        for _ in 0..<(400 + number * 60) { tiles.append(Tile(Int.random(in: 0..<5, using: &random))) }
        for _ in 0..<(20 + number * 4) {
            entities.append(Monster(position: Vector(x: Double.random(in: 0..<100, using: &random), y: 0), level: self))
        }
        for _ in 0..<50 { entities.append(Coin(position: Vector(x: 1, y: 2), level: self)) }
    }
    func frame(_ number: Int) {
        for entity in entities { entity.update(1 / 60) }
        if number % 3 == 0 { bullets.append(Bullet(position: Vector(x: 0, y: 0), level: self)) }
        for bullet in bullets { bullet.update(1) }
        bullets.removeAll { $0.life <= 0 }
        if number % 10 == 0, let coin = entities.firstIndex(where: { $0 is Coin }) { entities.remove(at: coin) }
    }
}
final class Game {
    var level: Level?
    var score = 0
    var random = Random(state: 7)
    func run() {
        for number in 1...12 {
            level = Level(number: number, random: &random)
            let frames = number == 12 ? 150 : 400
            for frame in 0..<frames { level?.frame(frame) }
            score += 400 - (level?.entities.count ?? 0)
        }
    }
}
let game = Game()
game.run()
print("score", game.score, "entities", game.level?.entities.count ?? 0)
