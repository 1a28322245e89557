import Foundation

// MARK: - Math

struct Point: Equatable {
    var x: Double
    var y: Double

    func distance(to other: Point) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

// MARK: - Behaviours

protocol Behaviour: AnyObject {
    var owner: Fighter { get }
    func think(_ arena: Arena)
}

final class Chase: Behaviour {
    unowned let owner: Fighter
    private weak var target: Fighter?

    init(owner: Fighter, target: Fighter) {
        self.owner = owner
        self.target = target
    }

    func think(_ arena: Arena) {
        guard let target, target.isAlive else { return }
        let d = owner.position.distance(to: target.position)
        guard d > 0 else { return }
        owner.position.x += (target.position.x - owner.position.x) / d
        owner.position.y += (target.position.y - owner.position.y) / d
        if d < 2 { target.hurt(1) }
    }
}

final class Shoot: Behaviour {
    unowned let owner: Fighter
    private var cooldown = 0

    init(owner: Fighter) {
        self.owner = owner
    }

    func think(_ arena: Arena) {
        cooldown -= 1
        guard cooldown <= 0 else { return }
        cooldown = 3
        arena.fire(from: owner)
    }
}

// MARK: - Fighters

class Fighter {
    let id: Int
    var position: Point
    private(set) var hp: Int
    private(set) weak var leader: Fighter?
    private(set) var followers: [Fighter] = []
    var behaviours: [any Behaviour] = []
    var onHurt: ((Int) -> Void)?
    var onDeath: (() -> Void)?

    init(id: Int, position: Point, hp: Int) {
        self.id = id
        self.position = position
        self.hp = hp
    }

    var isAlive: Bool { hp > 0 }

    func recruit(_ follower: Fighter) {
        follower.leader = self
        followers.append(follower)
    }

    func hurt(_ amount: Int) {
        guard isAlive else { return }
        hp -= amount
        onHurt?(amount)
        guard hp <= 0 else { return }
        leader?.followers.removeAll { $0 === self }
        let callback = onDeath
        onDeath = nil
        callback?()
    }
}

final class Brute: Fighter {
    private var rage = 0

    init(id: Int, position: Point) {
        super.init(id: id, position: position, hp: 6)
        onHurt = { [unowned self] amount in
            self.rage += amount
        }
    }
}

// MARK: - Pooling

final class Bullet {
    var position = Point(x: 0, y: 0)
    var life = 0
    weak var shooter: Fighter?
    fileprivate var pool: BulletPool?

    func recycle() {
        let home = pool
        pool = nil
        shooter = nil
        home?.put(self)
    }
}

final class BulletPool {
    private var free: [Bullet] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func take() -> Bullet {
        let bullet = free.popLast() ?? Bullet()
        bullet.pool = self
        bullet.life = 4
        return bullet
    }

    func put(_ bullet: Bullet) {
        if free.count < limit { free.append(bullet) }
    }

    var idle: Int { free.count }
}

// MARK: - Scheduling

final class Scheduler {
    private var queue: [(due: Int, job: () -> Void)] = []
    private var now = 0

    func after(_ ticks: Int, _ job: @escaping () -> Void) {
        queue.append((now + ticks, job))
    }

    func advance() {
        now += 1
        let ready = queue.filter { $0.due <= now }
        queue.removeAll { $0.due <= now }
        for entry in ready { entry.job() }
    }

    func cancelAll() { queue.removeAll() }
}

// MARK: - Arena

final class Arena {
    private var fighters: [Int: Fighter] = [:]
    private var bullets: [Bullet] = []
    private let pool = BulletPool(limit: 8)
    private let scheduler = Scheduler()
    private var nextID = 0
    private(set) var kills = 0

    func spawn(at position: Point, brute: Bool) -> Fighter {
        nextID += 1
        let fighter = brute ? Brute(id: nextID, position: position) : Fighter(id: nextID, position: position, hp: 3)
        fighters[fighter.id] = fighter
        fighter.onDeath = { [weak self, id = fighter.id] in
            self?.kills += 1
            self?.fighters[id] = nil
        }
        scheduler.after(6) {
            fighter.hurt(1)
            self.cull()
        }
        return fighter
    }

    func fire(from shooter: Fighter) {
        let bullet = pool.take()
        bullet.position = shooter.position
        bullet.shooter = shooter
        bullets.append(bullet)
    }

    func tick() {
        scheduler.advance()
        for fighter in fighters.values {
            for behaviour in fighter.behaviours { behaviour.think(self) }
        }
        for bullet in bullets {
            bullet.life -= 1
            if let victim = fighters.values.first(where: { $0 !== bullet.shooter && $0.position.distance(to: bullet.position) < 1 }) {
                victim.hurt(1)
                bullet.life = 0
            }
        }
        cull()
    }

    private func cull() {
        for bullet in bullets where bullet.life <= 0 { bullet.recycle() }
        bullets.removeAll { $0.life <= 0 }
    }

    func end() -> String {
        scheduler.cancelAll()
        for bullet in bullets { bullet.recycle() }
        bullets.removeAll()
        return "alive \(fighters.count) kills \(kills) idle bullets \(pool.idle)"
    }
}

func match(ticks: Int) {
    let arena = Arena()
    defer { print(arena.end()) }
    let hero = arena.spawn(at: Point(x: 0, y: 0), brute: false)
    hero.behaviours.append(Shoot(owner: hero))
    for n in 1...4 {
        let brute = arena.spawn(at: Point(x: Double(n * 3), y: 2), brute: true)
        brute.behaviours = [Chase(owner: brute, target: hero), Shoot(owner: brute)]
        hero.recruit(brute)
    }
    for _ in 0..<ticks { arena.tick() }
}

for ticks in [3, 12, 40] { match(ticks: ticks) }
