import Foundation

enum CoinEvent: Hashable {
    case coin(Int)
    case select(String)
    case refund
    case serviceKey

    var kind: Kind {
        switch self {
        case .coin: .coin
        case .select: .select
        case .refund: .refund
        case .serviceKey: .serviceKey
        }
    }

    enum Kind: Hashable { case coin, select, refund, serviceKey }
}

enum MachineState: Hashable {
    case idle, collecting, service
}

struct Trigger: Hashable {
    let state: MachineState
    let kind: CoinEvent.Kind
}

struct Transition {
    typealias Effect = (CoinEvent) -> MachineState

    let label: String
    var effect: Effect
}

struct TransitionTable {
    private(set) var rows: [Trigger: Transition] = [:]

    mutating func when(_ state: MachineState, _ kind: CoinEvent.Kind, _ label: String, do effect: @escaping Transition.Effect) {
        rows[Trigger(state: state, kind: kind)] = Transition(label: label, effect: effect)
    }

    func transition(_ state: MachineState, _ event: CoinEvent) -> Transition? {
        rows[Trigger(state: state, kind: event.kind)]
    }
}

final class Stock {
    private var slots: [String: (price: Int, count: Int)]

    init(_ slots: [String: (price: Int, count: Int)]) {
        self.slots = slots
    }

    func price(_ name: String) -> Int? {
        guard let slot = slots[name], slot.count > 0 else { return nil }
        return slot.price
    }

    func take(_ name: String) {
        slots[name]?.count -= 1
    }
}

final class VendingMachine {
    private var table = TransitionTable()
    private var state = MachineState.idle
    private var credit = 0
    private let stock: Stock
    private(set) var dispensed: [String] = []

    init(stock: Stock) {
        self.stock = stock
        buildTable()
    }

    private func buildTable() {
        table.when(.idle, .serviceKey, "open door") { _ in .service }
        table.when(.service, .serviceKey, "close door") { _ in .idle }
        table.when(.idle, .coin, "first coin") { [weak self] event in
            self?.accept(event) ?? .idle
        }
        table.when(.collecting, .coin, "more coins") { [weak self] event in
            self?.accept(event) ?? .idle
        }
        table.when(.collecting, .select, "dispense") { event in
            guard case .select(let name) = event, let price = self.stock.price(name), price <= self.credit else {
                return .collecting
            }
            self.credit -= price
            self.stock.take(name)
            self.dispensed.append(name)
            return self.credit == 0 ? .idle : .collecting
        }
        let stock = self.stock
        table.when(.idle, .select, "price check") { event in
            if case .select(let name) = event { print(name, stock.price(name) ?? 0) }
            return .idle
        }
        table.when(.collecting, .refund, "refund") { [unowned self] _ in
            self.credit = 0
            return .idle
        }
    }

    private func accept(_ event: CoinEvent) -> MachineState {
        if case .coin(let value) = event { credit += value }
        return .collecting
    }

    func send(_ event: CoinEvent) {
        guard let transition = table.transition(state, event) else { return }
        state = transition.effect(event)
    }
}

func vendorDemo() {
    let machine = VendingMachine(stock: Stock(["cola": (150, 4), "nuts": (90, 1)]))
    let events: [CoinEvent] = [.select("nuts"), .coin(100), .coin(50), .select("cola"), .coin(100), .select("nuts"), .refund]
    events.forEach(machine.send)
    print(machine.dispensed)
}

vendorDemo()
