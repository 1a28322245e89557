import Foundation

protocol DoorDelegate: AnyObject { func opened(_ door: Door) }
protocol AlarmDelegate { func rang() }
protocol LampDelegate: AnyObject { func lit() }

final class Door {
    weak var delegate: (any DoorDelegate)?  // no-finding: strong-delegate
    func open() { delegate?.opened(self) }
}

final class Alarm {
    var delegate: (any AlarmDelegate)?  // suspect: strong-delegate
    func ring() { delegate?.rang() }
}

final class Lamp {
    private(set) var delegates: [any LampDelegate] = []  // suspect: back-reference
    func add(_ delegate: any LampDelegate) { delegates.append(delegate) }
}

/// The delegate is a value: nothing leads back.
struct Printer: AlarmDelegate { func rang() { print("ring") } }

final class House: DoorDelegate, AlarmDelegate, LampDelegate {
    private let door = Door()
    private let alarm = Alarm()
    private let lamp = Lamp()
    private let spare = Alarm()

    init() {
        door.delegate = self
        alarm.delegate = self
        spare.delegate = Printer()
        lamp.add(self)
    }

    func opened(_ door: Door) {}
    func rang() {}
    func lit() {}
}

/// A delegate that is handed on to a part that outlives nothing.
final class Garage {
    private lazy var gate: Gate = {
        let gate = Gate()
        gate.owner = self
        return gate
    }()
    func use() { gate.turn() }
}

final class Gate {
    var owner: Garage?  // suspect: back-reference
    func turn() {}
}

final class Fence {
    unowned let garden: Garden
    init(garden: Garden) { self.garden = garden }
}

final class Garden {
    private lazy var fence = Fence(garden: self)  // no-finding: back-reference
    func use() -> Fence { fence }
}
