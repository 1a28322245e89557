import Foundation

struct Transform2D: Equatable {
    var x = 0.0
    var y = 0.0
    var scale = 1.0

    func concatenated(with parent: Transform2D) -> Transform2D {
        Transform2D(x: parent.x + x * parent.scale, y: parent.y + y * parent.scale, scale: scale * parent.scale)
    }
}

protocol SceneObserver: AnyObject {
    func nodeMoved(_ node: SceneNode)
}

class SceneNode {
    let name: String
    var transform: Transform2D {
        didSet { if transform != oldValue { invalidate() } }
    }
    private(set) var children: [SceneNode] = []
    private(set) weak var parent: SceneNode?
    fileprivate unowned(unsafe) var scene: Scene?
    private var cachedWorld: Transform2D?

    init(_ name: String, at transform: Transform2D = Transform2D()) {
        self.name = name
        self.transform = transform
    }

    func add(_ child: SceneNode) {
        child.removeFromParent()
        child.parent = self
        child.walk { $0.scene = self.scene }
        children.append(child)
    }

    func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        walk { $0.scene = nil }
    }

    func walk(_ visit: (SceneNode) -> Void) {
        visit(self)
        children.forEach { $0.walk(visit) }
    }

    var worldTransform: Transform2D {
        if let cachedWorld { return cachedWorld }
        let world = parent.map { transform.concatenated(with: $0.worldTransform) } ?? transform
        cachedWorld = world
        return world
    }

    private func invalidate() {
        walk { $0.cachedWorld = nil }
        scene?.moved(self)
    }

    func update(_ dt: Double) {
        children.forEach { $0.update(dt) }
    }
}

final class Spinner: SceneNode {
    private var angle = 0.0
    private lazy var orbit: (Double) -> Transform2D = { [unowned self] angle in
        Transform2D(x: cos(angle) * radius, y: sin(angle) * radius, scale: transform.scale)
    }
    private let radius: Double

    init(_ name: String, radius: Double) {
        self.radius = radius
        super.init(name)
    }

    override func update(_ dt: Double) {
        angle += dt
        transform = orbit(angle)
        super.update(dt)
    }
}

final class Scene {
    let root = SceneNode("root")
    private var observers: [ObjectIdentifier: () -> (any SceneObserver)?] = [:]
    private var actions: [(remaining: Double, run: (Double) -> Void)] = []

    init() {
        root.scene = self
    }

    deinit {
        root.walk { $0.scene = nil }
    }

    func observe(_ observer: any SceneObserver) {
        observers[ObjectIdentifier(observer)] = { [weak observer] in observer }
    }

    fileprivate func moved(_ node: SceneNode) {
        observers = observers.filter { $0.value() != nil }
        observers.values.forEach { $0()?.nodeMoved(node) }
    }

    func animate(_ node: SceneNode, to target: Transform2D, over duration: Double) {
        let start = node.transform
        actions.append((duration, { remaining in
            let t = 1 - max(0, remaining) / duration
            node.transform.x = start.x + (target.x - start.x) * t
            node.transform.y = start.y + (target.y - start.y) * t
        }))
    }

    func step(_ dt: Double) {
        root.update(dt)
        for index in actions.indices {
            actions[index].remaining -= dt
            actions[index].run(actions[index].remaining)
        }
        actions.removeAll { $0.remaining <= 0 }
    }
}

final class DirtyRegionTracker: SceneObserver {
    private(set) var moves: [String: Int] = [:]

    func nodeMoved(_ node: SceneNode) {
        moves[node.name, default: 0] += 1
    }
}

func renderSolarSystem(_ frames: Int) {
    let scene = Scene()
    let tracker = DirtyRegionTracker()
    scene.observe(tracker)
    let earth = Spinner("earth", radius: 100)
    earth.add(Spinner("moon", radius: 12))
    scene.root.add(earth)
    let comet = SceneNode("comet", at: Transform2D(x: -400, y: 30))
    scene.root.add(comet)
    scene.animate(comet, to: Transform2D(x: 400, y: -30), over: 0.5)
    for _ in 0..<frames { scene.step(1.0 / 30) }
    comet.removeFromParent()
    print(tracker.moves.sorted { $0.key < $1.key }.map(\.value), Int(earth.worldTransform.x))
}

renderSolarSystem(30)
