import Foundation

struct Vector: Equatable {
    var x = 0.0
    var y = 0.0

    static func += (lhs: inout Vector, rhs: Vector) {
        lhs.x += rhs.x
        lhs.y += rhs.y
    }

    static func * (lhs: Vector, k: Double) -> Vector { Vector(x: lhs.x * k, y: lhs.y * k) }
}

protocol FrameListener: AnyObject {
    func frame(_ number: Int, dt: Double)
}

/// Drives registered callbacks at a fixed step until it is stopped.
final class FrameClock {
    private var callbacks: [Int: (Double) -> Void] = [:]
    private var nextKey = 0
    private var running = false
    let step: Double

    init(step: Double = 1.0 / 60) {
        self.step = step
    }

    func add(_ callback: @escaping (Double) -> Void) -> Int {
        defer { nextKey += 1 }
        callbacks[nextKey] = callback
        return nextKey
    }

    func remove(_ key: Int) {
        callbacks[key] = nil
    }

    func run(frames: Int) {
        running = true
        for _ in 0..<frames where running {
            for callback in callbacks.values { callback(step) }
        }
        running = false
    }

    func halt() {
        running = false
    }
}

struct Bullet {
    var position: Vector
    var velocity: Vector
    var ttl: Double
}

final class ArcadeGame {
    private let clock: FrameClock
    private var clockKey: Int?
    private var bullets: [Bullet] = []
    private var listeners: [WeakListener] = []
    private var frameNumber = 0
    private(set) var score = 0

    private struct WeakListener {
        weak var value: (any FrameListener)?
    }

    init(clock: FrameClock) {
        self.clock = clock
    }

    func start() {
        guard clockKey == nil else { return }
        clockKey = clock.add { dt in
            self.advance(dt)
        }
    }

    func stop() {
        if let clockKey { clock.remove(clockKey) }
        clockKey = nil
    }

    func listen(_ listener: any FrameListener) {
        listeners.removeAll { $0.value == nil }
        listeners.append(WeakListener(value: listener))
    }

    func fire(_ direction: Vector) {
        bullets.append(Bullet(position: Vector(), velocity: direction * 40, ttl: 0.6))
    }

    private func advance(_ dt: Double) {
        frameNumber += 1
        for index in bullets.indices {
            bullets[index].position += bullets[index].velocity * dt
            bullets[index].ttl -= dt
        }
        let before = bullets.count
        bullets.removeAll { $0.ttl <= 0 }
        score += before - bullets.count
        listeners.forEach { $0.value?.frame(self.frameNumber, dt: dt) }
        if frameNumber % 20 == 0 { fire(Vector(x: 1, y: 0.3)) }
    }
}

final class FrameRateMeter: FrameListener {
    private var samples: [Double] = []

    func frame(_ number: Int, dt: Double) {
        samples.append(1 / dt)
        if samples.count > 120 { samples.removeFirst(60) }
    }

    var average: Double {
        samples.isEmpty ? 0 : samples.reduce(0, +) / Double(samples.count)
    }
}

func playRound(_ seconds: Int) {
    let clock = FrameClock()
    let game = ArcadeGame(clock: clock)
    let meter = FrameRateMeter()
    game.listen(meter)
    game.start()
    game.fire(Vector(x: 0, y: 1))
    clock.run(frames: seconds * 60)
    game.stop()
    print(game.score, Int(meter.average.rounded()))
}

playRound(2)
playRound(5)
