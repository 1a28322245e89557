// Each level keeps the one before as "previous", so that none is ever freed.
import Foundation

final class Enemy {
    var health: Int
    let kind: String
    init(health: Int, kind: String) {
        self.health = health
        self.kind = kind
    }
}
final class Level {
    let number: Int
    let previous: Level?
    private(set) var enemies: [Enemy] = []
    private var grid: [UInt8]
    init(number: Int, previous: Level?) {
        self.number = number
        self.previous = previous
        grid = [UInt8](repeating: UInt8(number & 7), count: 1_024)
        for index in 0..<12 {
            enemies.append(
                Enemy(health: 10 + index, kind: index % 2 == 0 ? "goblin of the north" : "troll of the bridge"))
        }
    }
    func tick(_ time: Int) -> Int {
        var hits = 0
        for enemy in enemies where (time + enemy.health) % 5 == 0 {
            enemy.health -= 1
            hits += 1
        }
        enemies.removeAll { $0.health < 8 }
        grid[time & 1_023] &+= 1
        return hits
    }
    var bonus: Int { previous == nil ? 0 : 10 }
}
final class Hud {
    private var lines: [String] = []
    func show(_ line: String) {
        lines.append(line)
        if lines.count > 4 { lines.removeFirst() }
    }
    var text: String { lines.joined(separator: " | ") }
}
final class Campaign {
    private var level: Level?
    private let hud = Hud()
    private var score = 0
    func play(levels: Int) {
        for number in 0..<levels {
            let next = Level(number: number, previous: level)
            level = next
            for time in 0..<40 { score += next.tick(time) }
            score += next.bonus
            hud.show("level \(number) done, score \(score)")
        }
        print(hud.text)
    }
}
Campaign().play(levels: 300)
