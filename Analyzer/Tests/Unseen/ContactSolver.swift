import Foundation

struct Vec2: Equatable, Sendable {
    var x: Double
    var y: Double

    static let zero = Vec2(x: 0, y: 0)
    static func + (a: Vec2, b: Vec2) -> Vec2 { Vec2(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Vec2, b: Vec2) -> Vec2 { Vec2(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: Vec2, k: Double) -> Vec2 { Vec2(x: a.x * k, y: a.y * k) }
    func dot(_ other: Vec2) -> Double { x * other.x + y * other.y }
    var length: Double { dot(self).squareRoot() }
}

struct BodyID: Hashable, Sendable { let raw: Int }

struct Body {
    var position: Vec2
    var velocity = Vec2.zero
    var radius: Double
    var inverseMass: Double
}

struct Contact {
    let a: BodyID
    let b: BodyID
    let normal: Vec2
    let depth: Double
}

struct PairKey: Hashable {
    let low: Int
    let high: Int

    init(_ a: BodyID, _ b: BodyID) {
        low = min(a.raw, b.raw)
        high = max(a.raw, b.raw)
    }
}

protocol ContactDelegate: AnyObject {
    func began(_ a: BodyID, _ b: BodyID)
    func ended(_ a: BodyID, _ b: BodyID)
}

struct Grid {
    private var buckets: [SIMD2<Int>: [BodyID]] = [:]
    let cell: Double

    init(cell: Double) {
        self.cell = cell
    }

    mutating func rebuild(_ bodies: [BodyID: Body]) {
        buckets.removeAll(keepingCapacity: true)
        for (id, body) in bodies {
            buckets[key(body.position), default: []].append(id)
        }
    }

    private func key(_ p: Vec2) -> SIMD2<Int> {
        SIMD2(Int((p.x / cell).rounded(.down)), Int((p.y / cell).rounded(.down)))
    }

    func forEachPair(_ body: (BodyID, BodyID) -> Void) {
        for (key, members) in buckets {
            for (index, a) in members.enumerated() {
                members[(index + 1)...].forEach { body(a, $0) }
            }
            for offset in [SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1), SIMD2(-1, 1)] {
                for other in buckets[key &+ offset] ?? [] {
                    members.forEach { body($0, other) }
                }
            }
        }
    }
}

final class PhysicsSpace {
    private var bodies: [BodyID: Body] = [:]
    private var touching: Set<PairKey> = []
    private var grid = Grid(cell: 4)
    private var nextID = 0
    var gravity = Vec2(x: 0, y: -9.8)
    weak var delegate: (any ContactDelegate)?

    func add(_ body: Body) -> BodyID {
        nextID += 1
        let id = BodyID(raw: nextID)
        bodies[id] = body
        return id
    }

    func remove(_ id: BodyID) {
        bodies[id] = nil
        touching = touching.filter { $0.low != id.raw && $0.high != id.raw }
    }

    subscript(id: BodyID) -> Body? { bodies[id] }

    func step(_ dt: Double) {
        for id in bodies.keys {
            bodies[id]!.velocity = bodies[id]!.inverseMass == 0 ? .zero : bodies[id]!.velocity + gravity * dt
            bodies[id]!.position = bodies[id]!.position + bodies[id]!.velocity * dt
        }
        var contacts: [Contact] = []
        grid.rebuild(bodies)
        grid.forEachPair { a, b in
            if let contact = self.collide(a, b) { contacts.append(contact) }
        }
        contacts.forEach { self.resolve($0) }
        report(contacts)
    }

    private func collide(_ a: BodyID, _ b: BodyID) -> Contact? {
        guard let first = bodies[a], let second = bodies[b] else { return nil }
        let delta = second.position - first.position
        let depth = first.radius + second.radius - delta.length
        guard depth > 0, delta.length > 0 else { return nil }
        return Contact(a: a, b: b, normal: delta * (1 / delta.length), depth: depth)
    }

    private func resolve(_ contact: Contact) {
        guard var a = bodies[contact.a], var b = bodies[contact.b] else { return }
        let total = a.inverseMass + b.inverseMass
        guard total > 0 else { return }
        let speed = (b.velocity - a.velocity).dot(contact.normal)
        let impulse = contact.normal * (max(0, -speed) * 1.5 / total)
        a.velocity = a.velocity - impulse * a.inverseMass
        b.velocity = b.velocity + impulse * b.inverseMass
        bodies[contact.a] = a
        bodies[contact.b] = b
    }

    private func report(_ contacts: [Contact]) {
        let now = Set(contacts.map { PairKey($0.a, $0.b) })
        now.subtracting(touching).forEach { delegate?.began(BodyID(raw: $0.low), BodyID(raw: $0.high)) }
        touching.subtracting(now).forEach { delegate?.ended(BodyID(raw: $0.low), BodyID(raw: $0.high)) }
        touching = now
    }
}

final class BilliardTable: ContactDelegate {
    private let space = PhysicsSpace()
    private var balls: [BodyID] = []
    private var clicks = 0

    init() {
        space.gravity = Vec2(x: 0, y: 0)
        space.delegate = self
        balls = (0..<4).map { index in
            self.space.add(Body(position: Vec2(x: Double(index) * 1.9, y: 0), radius: 0.9, inverseMass: 1))
        }
    }

    func began(_ a: BodyID, _ b: BodyID) { clicks += 1 }
    func ended(_ a: BodyID, _ b: BodyID) {}

    func shoot() -> Int {
        let cue = space.add(Body(position: Vec2(x: -5, y: 0), velocity: Vec2(x: 20, y: 0), radius: 0.9, inverseMass: 1))
        for _ in 0..<90 { space.step(1.0 / 60) }
        space.remove(cue)
        return clicks
    }
}

print(BilliardTable().shoot())
