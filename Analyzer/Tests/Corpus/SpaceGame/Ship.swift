import Foundation

/// A ship of the player.
final class Ship: Node {
    var shields = 100
    var onHit: ((Int) -> Void)?
    var onDestroyed: (() -> Void)?
    private var weapon: Weapon?
    private var engine: Engine!
    private var modules: [ShipModule] = []
    private var cooldown: Timer?
    private var state: State = .docked

    enum State {
        case docked
        case flying(pilot: Pilot)
        case towed(by: Ship)  // no-finding: payload-reference
    }

    override init(name: String) {
        super.init(name: name)
        engine = Engine(ship: self)
        onHit = { damage in  // suspect: stored-closure
            self.shields -= damage
        }
        onDestroyed = { [weak self] in  // no-finding: stored-closure
            self?.removeFromParent()
        }
        weapon = Weapon(owner: self)  // no-finding: back-reference
    }

    func install(_ kind: String) {
        let module = ShipModule(kind: kind)
        module.host = self
        modules.append(module)
    }

    func overheat() {
        cooldown = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { [weak self] timer in  // no-finding: timer
            guard let self, self.shields > 0 else {
                timer.invalidate()
                return
            }
            self.shields += 1
        }
    }

    deinit {
        cooldown?.invalidate()
    }
}

final class Engine {
    private let ship: Ship  // suspect: back-reference
    private(set) var thrust = 0.0

    init(ship: Ship) {
        self.ship = ship
    }
}

final class Weapon {
    private weak var owner: Ship?
    private var shots: [Shot] = []

    init(owner: Ship) {
        self.owner = owner
    }

    func fire() {
        shots.append(Shot(from: self))
        if shots.count > 16 { shots.removeFirst() }
    }
}

/// Only lives while the weapon keeps it.
final class Shot {
    unowned let weapon: Weapon  // no-finding: unowned-outlived

    init(from weapon: Weapon) {
        self.weapon = weapon
    }
}

final class ShipModule {
    let kind: String
    var host: Ship?  // suspect: back-reference

    init(kind: String) {
        self.kind = kind
    }
}

final class Pilot {
    var name = ""
    unowned var rival: Pilot  // doubt: unowned-outlived

    init(name: String, rival: Pilot) {
        self.name = name
        self.rival = rival
    }
}
