// Loads a scene in steps behind a progress bar (terrain, trees, villages, people), plays shortly and ends: all of it is needed.
import Foundation

struct Vertex { var x: Float, y: Float, z: Float }
final class Patch {
    let vertices: [Vertex]
    init(size: Int, seed: Int) {
        vertices = (0..<size).map { Vertex(x: Float($0 % 8), y: sin(Float($0 * seed)), z: Float($0 / 8)) }
    }
}
final class Tree {
    let patch: Patch
    let height: Float
    init(on patch: Patch, height: Float) {
        self.patch = patch
        self.height = height
    }
}
final class House {
    var people: [Person] = []
    let name: String
    init(name: String) { self.name = name }
}
final class Person {
    let name: String
    unowned let home: House
    var mood = 50
    init(name: String, home: House) {
        self.name = name
        self.home = home
    }
    func live(_ tick: Int) { mood = max(0, min(100, mood + (tick * name.count) % 7 - 3)) }
}
final class Village {
    let name: String
    private(set) var houses: [House] = []
    init(name: String, houses: Int) {
        self.name = name
        for number in 0..<houses {
            let house = House(name: "\(name) \(number)")
            for person in 0..<4 { house.people.append(Person(name: "\(name)-\(number)-\(person)", home: house)) }
            self.houses.append(house)
        }
    }
}
final class World {
    nonisolated(unsafe) static let shared = World()
    var patches: [Patch] = [], trees: [Tree] = [], villages: [Village] = []
    private init() {}
}
final class Loader {
    private var steps: [(String, () -> Void)] = []
    private(set) var log: [String] = []
    func add(_ name: String, _ step: @escaping () -> Void) { steps.append((name, step)) }
    func run() {
        let count = steps.count
        for (number, (name, step)) in steps.enumerated() {
            step()
            log.append("\(name) \((number + 1) * 100 / count) %")
        }
        steps.removeAll()
    }
}
let world = World.shared
let loader = Loader()
for row in 0..<20 {
    loader.add("terrain \(row)") {
        for column in 0..<20 { world.patches.append(Patch(size: 64, seed: row * 20 + column)) }
    }
}
for forest in 0..<20 {
    loader.add("forest \(forest)") {
        for number in 0..<60 {
            world.trees.append(
                Tree(on: world.patches[(forest * 20 + number) % world.patches.count], height: Float(number)))
        }
    }
}
for number in 0..<20 {
    loader.add("village \(number)") { world.villages.append(Village(name: "V\(number)", houses: 9)) }
}
loader.run()
for tick in 0..<30 {
    for village in world.villages { for house in village.houses { for person in house.people { person.live(tick) } } }
}
print(loader.log.last ?? "", world.patches.count, world.trees.count, world.villages.count)
