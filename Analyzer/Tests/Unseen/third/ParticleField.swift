import Foundation

// Particle emitters with recycling, easing tables and a mesh cache for the renderer.

struct Vector {
    var x = 0.0
    var y = 0.0

    static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y) }
    static func * (a: Vector, k: Double) -> Vector { Vector(x: a.x * k, y: a.y * k) }
}

enum Kind: Int, CaseIterable {
    case spark, smoke, ember
    var lifetime: Double { [0.2, 0.6, 0.4][rawValue] }
}

final class Particle {
    var position = Vector()
    var velocity = Vector()
    var age = 0.0
    var kind = Kind.spark

    func reset(_ kind: Kind, at origin: Vector, seed: Int) {
        self.kind = kind
        position = origin
        velocity = Vector(x: Double(seed % 7) - 3, y: Double(seed % 5) + 1)
        age = 0
    }

    var isExpired: Bool { age >= kind.lifetime }

    func advance(_ dt: Double) {
        age += dt
        position = position + velocity * dt
    }
}

final class EasingTable {
    private var curves: [Kind: [Double]] = [:]

    func curve(for kind: Kind) -> [Double] {
        if let known = curves[kind] { return known }
        let made = (0..<16).map { step in
            let t = Double(step) / 15
            return 1 - t * t * kind.lifetime
        }
        curves[kind] = made
        return made
    }
}

final class Emitter {
    let origin: Vector
    let kind: Kind
    private(set) var live: [Particle] = []
    private var spare: [Particle] = []
    private var counter = 0
    private var onDrained: (() -> Void)?
    private lazy var description: String = "\(self.kind) from \(self.origin.x)"

    private lazy var settle: (Particle) -> Bool = { particle in
        guard particle.isExpired else { return false }
        if self.spare.count < 32 { self.spare.append(particle) }
        return true
    }

    init(kind: Kind, origin: Vector) {
        self.kind = kind
        self.origin = origin
    }

    func burst(_ count: Int, drained: (() -> Void)? = nil) {
        onDrained = drained
        for _ in 0..<count {
            counter += 1
            let particle = spare.popLast() ?? Particle()
            particle.reset(kind, at: origin, seed: counter)
            live.append(particle)
        }
    }

    func update(_ dt: Double) {
        live.forEach { $0.advance(dt) }
        live.removeAll(where: settle)
        if live.isEmpty, let drained = onDrained {
            onDrained = nil
            drained()
        }
    }

    var label: String { "\(description), \(live.count) live" }
}

struct MeshKey: Hashable {
    let kind: Kind
    let frame: Int
}

final class Mesh {
    let vertices: [Double]
    init(vertices: [Double]) { self.vertices = vertices }
}

final class Renderer {
    private let easing: EasingTable
    private var meshes: [MeshKey: Mesh] = [:]
    private var drawCalls: [String] = []
    private(set) var drawn = 0

    init(easing: EasingTable) {
        self.easing = easing
    }

    func begin() {
        drawCalls.removeAll(keepingCapacity: true)
    }

    func draw(_ emitter: Emitter, frame: Int) {
        let key = MeshKey(kind: emitter.kind, frame: frame)
        let mesh: Mesh
        if let cached = meshes[key] {
            mesh = cached
        } else {
            let curve = easing.curve(for: emitter.kind)
            mesh = Mesh(vertices: curve.map { $0 * Double(frame % 60) })
            meshes[key] = mesh
        }
        drawn += mesh.vertices.count * emitter.live.count
        drawCalls.append("\(emitter.kind)")
    }

    func end() -> Int { drawCalls.count }
}

final class Camera {
    private var shakes: [(Double) -> Vector?] = []
    private var offset = Vector()

    func shake(_ strength: Double) {
        var left = 0.2
        shakes.append { dt in
            left -= dt
            return left > 0 ? Vector(x: strength * left, y: 0) : nil
        }
    }

    func update(_ dt: Double) {
        offset = Vector()
        shakes = shakes.filter { shake in
            guard let push = shake(dt) else { return false }
            self.offset = self.offset + push
            return true
        }
    }

    var isStill: Bool { shakes.isEmpty }
}

final class Field {
    private var emitters: [Emitter] = []
    private let renderer: Renderer
    private let camera = Camera()
    private var frame = 0
    private var explosions = 0

    init(renderer: Renderer) {
        self.renderer = renderer
    }

    func explode(at x: Double) {
        let origin = Vector(x: x, y: 0)
        for kind in Kind.allCases {
            let emitter = Emitter(kind: kind, origin: origin)
            emitters.append(emitter)
            emitter.burst(10 + kind.rawValue) { [weak self, weak emitter] in
                self?.emitters.removeAll { $0 === emitter }
            }
        }
        explosions += 1
        camera.shake(2)
    }

    func step(_ dt: Double) {
        frame += 1
        camera.update(dt)
        renderer.begin()
        for emitter in emitters {
            emitter.update(dt)
            renderer.draw(emitter, frame: frame)
        }
        _ = renderer.end()
    }

    var report: String {
        "\(explosions) explosions, \(emitters.count) emitters, camera \(camera.isStill ? "still" : "moving")"
    }
}

func demo() {
    let renderer = Renderer(easing: EasingTable())
    let field = Field(renderer: renderer)
    for tick in 0..<240 {
        if tick % 40 == 0 { field.explode(at: Double(tick)) }
        field.step(1.0 / 60.0)
    }
    print(field.report, "drawn", renderer.drawn)
}

demo()
