// an entity world: systems refer back unowned, scripts hold the world until they are unloaded
final class World {
    private(set) var entities: [Int: Entity] = [:]
    private var systems: [GameSystem] = []
    private var next = 0
    var onDespawn: ((Entity) -> Void)?
    func spawn(_ name: String) -> Entity {
        let entity = Entity(id: next, name: name, world: self)
        entities[next] = entity
        next += 1
        return entity
    }
    func install(_ system: GameSystem) {
        system.world = self
        systems.append(system)
    }
    func tick() { for system in systems { system.update() } }
    func despawn(_ id: Int) {
        guard let entity = entities.removeValue(forKey: id) else { return }
        entity.leave()
        onDespawn?(entity)
    }
    func unload() {
        for system in systems { system.world = nil }
        for id in entities.keys.sorted() { despawn(id) }
        onDespawn = nil
    }
}
final class Entity {
    let id: Int
    let name: String
    private(set) var world: World?
    private(set) var target: Entity?
    private var scripts: [(Entity) -> Void] = []
    init(id: Int, name: String, world: World) {
        self.id = id
        self.name = name
        self.world = world
    }
    func chase(_ other: Entity) {
        target = other
        other.scripts.append { [unowned self] hunted in _ = hunted.name + self.name }
    }
    func run() { scripts.forEach { $0(self) } }
    func leave() {
        world = nil
        target = nil
        scripts = []
    }
}
class GameSystem {
    var world: World?
    func update() {}
}
final class ScriptSystem: GameSystem {
    override func update() { world?.entities.values.forEach { $0.run() } }
}
final class Scoreboard {
    private var kills: [String: Int] = [:]
    private let world: World
    init(world: World) {
        self.world = world
        world.onDespawn = { entity in self.kills[entity.name, default: 0] += 1 }
    }
    var total: Int { kills.values.reduce(0, +) }
}
let world = World()
let board = Scoreboard(world: world)
world.install(ScriptSystem())
let wolf = world.spawn("wolf")
let deer = world.spawn("deer")
wolf.chase(deer)
deer.chase(wolf)
world.tick()
world.unload()
print(board.total)
