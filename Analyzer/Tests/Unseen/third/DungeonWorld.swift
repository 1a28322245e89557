import Foundation

struct Vec2: Equatable {
    var x: Double
    var y: Double

    static func + (a: Vec2, b: Vec2) -> Vec2 { Vec2(x: a.x + b.x, y: a.y + b.y) }
    static func * (a: Vec2, k: Double) -> Vec2 { Vec2(x: a.x * k, y: a.y * k) }
}

enum GameEvent {
    case spawned(name: String)
    case damaged(name: String, amount: Int)
    case died(name: String)
}

// MARK: - Event bus

final class EventBus {
    typealias Handler = (GameEvent) -> Void
    private var handlers: [Int: Handler] = [:]
    private var nextID = 0

    @discardableResult
    func subscribe(_ handler: @escaping Handler) -> Int {
        nextID += 1
        handlers[nextID] = handler
        return nextID
    }

    func unsubscribe(_ id: Int) {
        handlers[id] = nil
    }

    func post(_ event: GameEvent) {
        for handler in handlers.values { handler(event) }
    }
}

// MARK: - Entities and components

class Component {
    var entity: Entity?

    func update(dt: Double) {}
}

final class Entity {
    let name: String
    var position = Vec2(x: 0, y: 0)
    private var components: [Component] = []
    private(set) weak var world: World?
    var isAlive = true

    init(name: String, world: World) {
        self.name = name
        self.world = world
    }

    @discardableResult
    func add<C: Component>(_ component: C) -> C {
        component.entity = self
        components.append(component)
        return component
    }

    func component<C: Component>(_ type: C.Type) -> C? {
        for case let match as C in components { return match }
        return nil
    }

    func update(dt: Double) {
        for component in components { component.update(dt: dt) }
    }
}

final class Mover: Component {
    var velocity: Vec2

    init(velocity: Vec2) {
        self.velocity = velocity
    }

    override func update(dt: Double) {
        guard let entity else { return }
        entity.position = entity.position + velocity * dt
    }
}

final class Health: Component {
    private(set) var points: Int
    var onDeath: (() -> Void)?

    init(points: Int) {
        self.points = points
    }

    func hit(_ amount: Int) {
        points -= amount
        guard points <= 0, let callback = onDeath else { return }
        onDeath = nil
        callback()
    }
}

// MARK: - Scene graph

final class SceneNode {
    let label: String
    private(set) var children: [SceneNode] = []
    private weak var parent: SceneNode?

    init(label: String) {
        self.label = label
    }

    func attach(_ node: SceneNode) {
        node.parent = self
        children.append(node)
    }

    func detach() {
        parent?.children.removeAll { $0 === self }
    }

    var path: String {
        guard let parent else { return label }
        return parent.path + "/" + label
    }
}

// MARK: - Systems

class GameSystem {
    unowned let world: World

    init(world: World) {
        self.world = world
    }

    func step(dt: Double) {}
}

final class ScoreSystem: GameSystem {
    private var score = 0
    private let bus: EventBus

    init(world: World, bus: EventBus) {
        self.bus = bus
        super.init(world: world)
        bus.subscribe { event in
            switch event {
            case .died: self.score += 10
            case .damaged(_, let amount): self.score += amount
            case .spawned: break
            }
        }
    }

    override func step(dt: Double) {
        if score > 100 { score = 100 }
    }
}

final class AudioSystem: GameSystem {
    private var plays = 0
    private let bus: EventBus
    private var token = 0

    init(world: World, bus: EventBus) {
        self.bus = bus
        super.init(world: world)
        token = bus.subscribe { [weak self] event in
            if case .died = event { self?.plays += 1 }
        }
    }

    deinit {
        bus.unsubscribe(token)
    }
}

// MARK: - World

final class World {
    let bus = EventBus()
    let root = SceneNode(label: "root")
    private var entities: [String: Entity] = [:]
    private var systems: [GameSystem] = []

    init() {
        systems.append(ScoreSystem(world: self, bus: bus))
        systems.append(AudioSystem(world: self, bus: bus))
    }

    func spawn(_ name: String, hp: Int) -> Entity {
        let entity = Entity(name: name, world: self)
        entity.add(Mover(velocity: Vec2(x: 1, y: 0.5)))
        let health = entity.add(Health(points: hp))
        health.onDeath = { [unowned entity, bus] in
            entity.isAlive = false
            bus.post(.died(name: entity.name))
        }
        let node = SceneNode(label: name)
        root.attach(node)
        entities[name] = entity
        bus.post(.spawned(name: name))
        return entity
    }

    func tick(dt: Double) {
        for entity in entities.values { entity.update(dt: dt) }
        for system in systems { system.step(dt: dt) }
        entities = entities.filter { $0.value.isAlive }
        for node in root.children where entities[node.label] == nil { node.detach() }
    }

    var population: Int { entities.count }
}

func playLevel(_ level: Int) {
    let world = World()
    for i in 0..<4 {
        let goblin = world.spawn("goblin\(i)", hp: 3 + i)
        goblin.component(Health.self)?.hit(level * 2)
        world.bus.post(.damaged(name: goblin.name, amount: level))
    }
    for _ in 0..<5 { world.tick(dt: 0.1) }
    print("level", level, "left", world.population, world.root.children.map(\.path))
}

for level in 1...3 { playLevel(level) }
