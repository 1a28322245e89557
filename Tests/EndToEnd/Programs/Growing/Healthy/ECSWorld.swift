// An entity component system with stores of components as objects, spawning and removing.
typealias EntityID = Int
protocol Component: AnyObject {}
final class Transform: Component { var x = 0.0, y = 0.0, scale = 1.0 }
final class Velocity: Component {
    var dx = 0.0, dy = 0.0
    init(_ dx: Double, _ dy: Double) {
        self.dx = dx
        self.dy = dy
    }
}
final class Health: Component {
    var points: Int
    init(_ points: Int) { self.points = points }
}
final class Sprite: Component {
    var frames: [String]
    init(_ frames: [String]) { self.frames = frames }
}
protocol AnyStore: AnyObject { func remove(_ id: EntityID) }
final class Store<C: Component>: AnyStore {
    private(set) var items: [EntityID: C] = [:]
    func add(_ component: C, to id: EntityID) { items[id] = component }
    func remove(_ id: EntityID) { items[id] = nil }
    subscript(id: EntityID) -> C? { items[id] }
}
final class World {
    let transforms = Store<Transform>(), velocities = Store<Velocity>(), health = Store<Health>(),
        sprites = Store<Sprite>()
    private lazy var stores: [any AnyStore] = [transforms, velocities, health, sprites]
    private(set) var alive: Set<EntityID> = []
    private var next = 0
    func spawn(points: Int) -> EntityID {
        next += 1
        alive.insert(next)
        transforms.add(Transform(), to: next)
        velocities.add(Velocity(Double(next % 7) - 3, Double(next % 5) - 2), to: next)
        if points > 0 { health.add(Health(points), to: next) }
        if next % 2 == 0 { sprites.add(Sprite(["walk0", "walk1", "idle\(next)"]), to: next) }
        return next
    }
    func remove(_ id: EntityID) {
        alive.remove(id)
        for store in stores { store.remove(id) }
    }
}
protocol System { func run(_ world: World, tick: Int) }
struct Movement: System {
    func run(_ world: World, tick: Int) {
        for (id, velocity) in world.velocities.items {
            guard let transform = world.transforms[id] else { continue }
            transform.x += velocity.dx / 60
            transform.y += velocity.dy / 60
        }
    }
}
struct Damage: System {
    func run(_ world: World, tick: Int) {
        var gone: [EntityID] = []
        for (id, health) in world.health.items {
            health.points -= (id + tick) % 3 == 0 ? 1 : 0
            if health.points <= 0 { gone.append(id) }
        }
        for id in gone { world.remove(id) }
    }
}
struct Spawner: System {
    func run(_ world: World, tick: Int) {
        guard tick % 2 == 0, world.alive.count < 900 else { return }
        // Scenery without health stays to the end of the level.
        _ = world.spawn(points: tick % 8 == 0 ? 0 : 60)
    }
}
let world = World()
let systems: [any System] = [Movement(), Damage(), Spawner()]
for _ in 0..<120 { _ = world.spawn(points: 0) }
for tick in 0..<1_500 { for system in systems { system.run(world, tick: tick) } }
print(world.alive.count, "entities at the end")
