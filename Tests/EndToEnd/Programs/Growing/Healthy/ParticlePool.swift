// A particle simulation with an object pool that grows to what is needed at once.
import Foundation

final class Particle {
    var x = 0.0, y = 0.0, dx = 0.0, dy = 0.0
    var life = 0
    var trail: [Double] = []
    func reset(x: Double, y: Double, angle: Double, life: Int) {
        self.x = x
        self.y = y
        dx = cos(angle)
        dy = sin(angle)
        self.life = life
        trail.removeAll(keepingCapacity: true)
    }
    func step() {
        x += dx
        y += dy
        dy += 0.05
        life -= 1
        trail.append(y)
        if trail.count > 16 { trail.removeFirst() }
    }
}
final class Pool {
    private var free: [Particle] = []
    private(set) var made = 0
    func take() -> Particle {
        if let one = free.popLast() { return one }
        made += 1
        return Particle()
    }
    func put(_ particle: Particle) { free.append(particle) }
    var idle: Int { free.count }
}
final class Emitter {
    let x: Double
    private(set) var active: [Particle] = []
    private let pool: Pool
    private var angle = 0.0
    init(x: Double, pool: Pool) {
        self.x = x
        self.pool = pool
    }
    func step(rate: Int) {
        for _ in 0..<rate {
            let particle = pool.take()
            angle += 0.37
            particle.reset(x: x, y: 0, angle: angle, life: 40 + Int(angle * 10) % 30)
            active.append(particle)
        }
        var kept: [Particle] = []
        kept.reserveCapacity(active.count)
        for particle in active {
            particle.step()
            if particle.life > 0 { kept.append(particle) } else { pool.put(particle) }
        }
        active = kept
    }
}
final class Simulation {
    let pool = Pool()
    lazy var emitters = (0..<6).map { Emitter(x: Double($0) * 10, pool: pool) }
    func run(frames: Int) {
        for frame in 0..<frames {
            // The effect becomes stronger towards the end of the scene.
            let rate = 1 + frame / 150
            for emitter in emitters { emitter.step(rate: rate) }
        }
    }
}
let simulation = Simulation()
simulation.run(frames: 700)
print(
    simulation.pool.made, "particles made,", simulation.pool.idle, "idle,",
    simulation.emitters.reduce(0) { $0 + $1.active.count }, "active")
