import Foundation

// Computer opponents: behaviour trees, reactions to events and a small arena.

enum Status { case running, success, failure }

struct Blackboard {
    var health = 10
    var distance = 8
    var alerted = false
    var fled = false
    var log: [String] = []

    mutating func say(_ text: String) {
        log.append(text)
        if log.count > 6 { log.removeFirst() }
    }
}

class Behaviour<Context> {
    let title: String
    fileprivate(set) var branch: Branch<Context>?

    init(_ title: String) {
        self.title = title
    }

    func tick(_ context: inout Context) -> Status { .failure }

    var trail: String {
        guard let branch else { return title }
        return branch.trail + " > " + title
    }
}

class Branch<Context>: Behaviour<Context> {
    let steps: [Behaviour<Context>]

    init(_ title: String, _ steps: [Behaviour<Context>]) {
        self.steps = steps
        super.init(title)
        for step in steps {
            step.branch = self
        }
    }
}

final class Selector<Context>: Branch<Context> {
    override func tick(_ context: inout Context) -> Status {
        for step in steps {
            let status = step.tick(&context)
            if status != .failure { return status }
        }
        return .failure
    }
}

final class Sequence<Context>: Branch<Context> {
    override func tick(_ context: inout Context) -> Status {
        for step in steps {
            let status = step.tick(&context)
            if status != .success { return status }
        }
        return .success
    }
}

final class Leaf<Context>: Behaviour<Context> {
    private let body: (inout Context) -> Status

    init(_ title: String, _ body: @escaping (inout Context) -> Status) {
        self.body = body
        super.init(title)
    }

    override func tick(_ context: inout Context) -> Status { body(&context) }
}

enum ArenaEvent {
    case hit(Int)
    case noise(at: Int)
    case roundOver

    var name: String {
        switch self {
        case .hit: "hit"
        case .noise: "noise"
        case .roundOver: "over"
        }
    }
}

/// What a bot sees; tells its owner once something comes near.
final class Sight {
    var spotted: ((Int) -> Void)?
    private let range: Int

    init(range: Int) {
        self.range = range
    }

    func look(_ distance: Int) {
        if distance <= range { spotted?(distance) }
    }
}

final class Weapon {
    unowned let holder: Bot
    private var cooldown = 0

    init(holder: Bot) {
        self.holder = holder
    }

    func fire() -> Int {
        guard cooldown == 0 else {
            cooldown -= 1
            return 0
        }
        cooldown = 2
        return holder.isAlive ? 3 : 0
    }
}

final class Bot {
    let name: String
    private var memory = Blackboard()
    private let sight = Sight(range: 5)
    private lazy var weapon = Weapon(holder: self)
    private var plan: Behaviour<Blackboard>
    private var reactions: [String: (ArenaEvent) -> Void] = [:]
    private var farewell: (() -> Void)?

    init(name: String) {
        self.name = name
        plan = Bot.makePlan()
        sight.spotted = { [weak self] distance in
            self?.memory.alerted = true
            self?.memory.say("spotted at \(distance)")
        }
        reactions["hit"] = takeHit
        reactions["noise"] = { [unowned self] event in
            if case .noise(let place) = event { self.sight.look(place) }
        }
    }

    var isAlive: Bool { memory.health > 0 }
    var thoughts: String { memory.log.joined(separator: ", ") }

    func onFarewell(_ action: @escaping () -> Void) {
        farewell = action
    }

    func react(to event: ArenaEvent) {
        reactions[event.name]?(event)
        if !isAlive {
            let action = farewell
            farewell = nil
            action?()
        }
    }

    func think() -> Int {
        guard plan.tick(&memory) == .success else { return 0 }
        return weapon.fire()
    }

    private func takeHit(_ event: ArenaEvent) {
        guard case .hit(let power) = event else { return }
        memory.health -= power
        memory.say("hurt by \(power)")
    }

    private static func makePlan() -> Behaviour<Blackboard> {
        let approach = Leaf<Blackboard>("approach") { board in
            guard board.distance > 2 else { return .success }
            board.distance -= 2
            return .running
        }
        let attack = Leaf<Blackboard>("attack") { board in
            board.say("attack")
            return .success
        }
        let flee = Leaf<Blackboard>("flee") { board in
            guard board.health < 3, !board.fled else { return .failure }
            board.fled = true
            board.distance += 1
            return .running
        }
        return Selector("root", [flee, Sequence("fight", [approach, attack])])
    }
}

final class Arena {
    private var bots: [Bot]
    private var fallen: [String] = []
    private var afterRound: [() -> Void] = []
    private(set) var rounds = 0

    init(names: [String]) {
        bots = names.map(Bot.init(name:))
        for bot in bots {
            bot.onFarewell { [weak self, name = bot.name] in
                self?.remove(name)
            }
        }
    }

    func round() {
        rounds += 1
        for (index, bot) in bots.enumerated() {
            let power = bot.think()
            guard power > 0 else { continue }
            let victim = bots[(index + 1) % bots.count]
            afterRound.append {
                victim.react(to: .hit(power))
            }
        }
        bots.forEach { $0.react(to: .noise(at: 3 + rounds % 4)) }
        let work = afterRound
        afterRound.removeAll()
        work.forEach { $0() }
    }

    private func remove(_ name: String) {
        bots.removeAll { $0.name == name }
        fallen.append(name)
    }

    var isOver: Bool { bots.count < 2 }

    var report: String {
        "\(rounds) rounds, fallen \(fallen.joined(separator: " ")), left: \(bots.map(\.thoughts).joined())"
    }
}

func contest() {
    let arena = Arena(names: ["rook", "wasp", "mole"])
    while !arena.isOver && arena.rounds < 100 {
        arena.round()
    }
    print(arena.report)
}

contest()
