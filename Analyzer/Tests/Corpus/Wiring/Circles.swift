import Foundation
import Synchronization

/// Tied together by the one who makes both.
final class Kitchen {
    private var stations: [any Station] = []
    func equip(_ station: any Station) { stations.append(station) }
}

protocol Station: AnyObject {}

final class Grill: Station {
    private let kitchen: Kitchen
    init(kitchen: Kitchen) { self.kitchen = kitchen }
}

func openKitchen() {
    let kitchen = Kitchen()
    kitchen.equip(Grill(kitchen: kitchen))  // suspect: object-cycle
}

final class Sign {
    var onTap: (() -> Void)?
    var onLeave: (() -> Void)?
}

final class Waiter {
    let sign: Sign
    init(sign: Sign) { self.sign = sign }
    func serve() {}
}

func seatGuests() {
    let sign = Sign()
    let waiter = Waiter(sign: sign)
    sign.onTap = { waiter.serve() }  // suspect: object-cycle
    sign.onLeave = { [weak waiter] in waiter?.serve() }  // no-finding: object-cycle
}

/// What is kept lies under a lock.
final class Bell: @unchecked Sendable {
    private let listeners = Mutex<[@Sendable (Int) -> Void]>([])
    func listen(_ body: @escaping @Sendable (Int) -> Void) { listeners.withLock { $0.append(body) } }
}

final class Porter: @unchecked Sendable {
    private let bell = Bell()
    private var rings = 0
    init() {
        bell.listen { self.rings += $0 }  // suspect: object-cycle
        bell.listen { [weak self] in self?.rings -= $0 }  // no-finding: object-cycle
    }
}

/// A tree that a builder makes.
@resultBuilder
enum MenuBuilder {
    static func buildBlock(_ parts: any Dish...) -> [any Dish] { parts }
}

protocol Dish {}

struct Soup: Dish {
    let order: () -> Void
}

struct Course: Dish {
    let dishes: [any Dish]
    init(@MenuBuilder _ dishes: () -> [any Dish]) { self.dishes = dishes() }
}

final class Menu {
    private var root: (any Dish)?
    private var ordered = 0
    private lazy var later = Course {
        Soup { self.ordered += 1 }  // suspect: object-cycle
        Soup { [weak self] in self?.ordered += 1 }  // no-finding: object-cycle
    }

    func write() {
        root = Course {
            Course {
                Soup { self.ordered += 1 }  // suspect: object-cycle
            }
            Soup { [unowned self] in ordered += 1 }  // no-finding: object-cycle
        }
    }
}

/// A chain whose links hold each other, and a closure at its end.
final class Wire<Value> {
    private var ends: [(Value) -> Void] = []
    func connect(_ end: @escaping (Value) -> Void) { ends.append(end) }
    func map<Other>(_ change: @escaping (Value) -> Other) -> Wire<Other> {
        let next = Wire<Other>()
        connect { next.send(change($0)) }  // no-finding: object-cycle
        return next
    }
    func send(_ value: Value) { ends.forEach { $0(value) } }
}

final class Scale {
    private let weight = Wire<Int>()
    private var total = 0
    init() { weight.map { $0 * 2 }.connect { self.total += $0 } }  // suspect: object-cycle
}

func short(_ left: Wire<Int>) {
    let right = Wire<Int>()
    left.connect { right.send($0) }
    right.connect { left.send($0) }  // suspect: object-cycle
}

/// A struct of closures, made by a function of its type.
struct Recipe {
    var cook: () -> Int
    static func house(_ cook: Cook) -> Recipe { Recipe(cook: { cook.salt }) }  // suspect: object-cycle
}

final class Cook {
    var salt = 1
    private var recipe: Recipe?
    func learn() { recipe = .house(self) }
}

/// Rules in a list, each made by a short name.
struct Check {
    let passes: (String) -> Bool
    static var always: Self { Self { _ in true } }
    static func when(_ body: @escaping (String) -> Bool) -> Self { Self(passes: body) }
}

final class Field {
    private let checks: [Check]
    init(checks: [Check]) { self.checks = checks }
}

final class Form {
    private var fields: [Field] = []
    private var taken: Set<String> = []
    init() { fields = makeFields() }
    private func makeFields() -> [Field] {
        [
            Field(checks: [.always, .when { [taken] in !taken.contains($0) }]),  // no-finding: object-cycle
            Field(checks: [.when { !self.taken.contains($0) }]),  // suspect: object-cycle
        ]
    }
}

/// Neighbours.
final class Seat {
    var left: Seat?
    var right: Seat?
    weak var table: Table?
}

final class Table {
    private var seats: [Seat] = []
    func arrange() {
        for (one, other) in zip(seats, seats.dropFirst()) {
            one.right = other
            other.left = one  // suspect: object-cycle
        }
        for seat in seats { seat.table = self }  // no-finding: object-cycle
    }
}

final class Town {
    private(set) var roads: [Road] = []
    func connect(to other: Town) {
        roads.append(Road(end: other))
        other.roads.append(Road(end: self))  // suspect: object-cycle
    }
}

struct Road {
    let end: Town
}

/// The closure captures the variable that holds what keeps it.
func ring() {
    var item: DispatchWorkItem!
    item = DispatchWorkItem { if item.isCancelled { return } }  // suspect: object-cycle
    DispatchQueue.global().async(execute: item)
}

/// Middleware around a first closure.
final class Counter {
    private var count = 0
    private var chain: (Int) -> Void = { _ in }
    init(layers: [(@escaping (Int) -> Void) -> (Int) -> Void]) {
        let read = { [weak self] in self?.count }  // no-finding: object-cycle
        let base: (Int) -> Void = { self.count += $0 }  // suspect: object-cycle
        chain = layers.reversed().reduce(base) { next, layer in layer(next) }
        _ = read
    }
}

/// A wrapper of another's token.
final class CenterToken {
    private let raw: any NSObjectProtocol
    private let center: NotificationCenter
    init(_ raw: any NSObjectProtocol, _ center: NotificationCenter) {
        self.raw = raw
        self.center = center
    }
    deinit { center.removeObserver(raw) }
}

extension NotificationCenter {
    func token(for name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) -> CenterToken {
        CenterToken(addObserver(forName: name, object: nil, queue: nil, using: body), self)
    }
}

final class Shutter: @unchecked Sendable {
    private var tokens: [CenterToken] = []
    private var closed = 0
    init(center: NotificationCenter) {
        tokens.append(center.token(for: .init("night")) { _ in self.closed += 1 })  // suspect: object-cycle
        tokens.append(center.token(for: .init("day")) { [weak self] _ in self?.closed = 0 })  // no-finding: object-cycle
    }
}

/// What a getter and a property's wrapper hand out of themselves.
@propertyWrapper struct Watched<Value> {
    private var value: Value
    private let changes = Wire<Value>()
    init(wrappedValue: Value) { value = wrappedValue }
    var wrappedValue: Value { get { value } set { value = newValue } }
    var projectedValue: Wire<Value> { changes }
}

final class Dial {
    @Watched var angle = 0
}

final class Cockpit {
    private var dials: [Dial] = []
    private var turns = 0
    func dial() -> Dial {
        let dial = Dial()
        dial.$angle.connect { self.turns += $0 }  // suspect: object-cycle
        return dial
    }
    func keep(_ dial: Dial) { dials.append(dial) }
    func turn() { for dial in dials { dial.take(1) } }
}

extension Dial { func take(_ degrees: Int) { angle += degrees } }

func fly() {
    let cockpit = Cockpit()
    cockpit.keep(cockpit.dial())
}
