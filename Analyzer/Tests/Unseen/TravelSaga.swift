import Foundation

enum SagaError: Error, Equatable {
    case soldOut(String)
    case declined
}

struct SagaStep {
    let name: String
    let execute: () throws -> Void
    let compensate: () -> Void
}

protocol SagaEngine: AnyObject {
    func plan(_ step: SagaStep)
    func run() -> [String]
}

final class SequentialEngine: SagaEngine {
    private var steps: [SagaStep] = []

    func plan(_ step: SagaStep) {
        steps.append(step)
    }

    func run() -> [String] {
        var trail: [String] = []
        var completed: [SagaStep] = []
        for step in steps {
            do {
                try step.execute()
                trail.append("+\(step.name)")
                completed.append(step)
            } catch {
                trail.append("!\(step.name) \(error)")
                for done in completed.reversed() {
                    done.compensate()
                    trail.append("-\(done.name)")
                }
                break
            }
        }
        return trail
    }
}

final class Inventory {
    private var free: [String: Int]

    init(_ free: [String: Int]) {
        self.free = free
    }

    func take(_ item: String) throws {
        guard let count = free[item], count > 0 else { throw SagaError.soldOut(item) }
        free[item] = count - 1
    }

    func put(_ item: String) {
        free[item, default: 0] += 1
    }
}

final class Ledger {
    private(set) var balance: Int

    init(balance: Int) {
        self.balance = balance
    }

    func withdraw(_ amount: Int) throws {
        guard amount <= balance else { throw SagaError.declined }
        balance -= amount
    }

    func refund(_ amount: Int) {
        balance += amount
    }
}

final class TravelSaga {
    typealias Undo = () -> Void

    private let engine: any SagaEngine
    private let inventory: Inventory
    private let ledger: Ledger
    private var reserved: Set<String> = []

    init(engine: any SagaEngine, inventory: Inventory, ledger: Ledger) {
        self.engine = engine
        self.inventory = inventory
        self.ledger = ledger
    }

    func prepare(flight: String, hotel: String, price: Int) {
        reservation(of: flight)
        reservation(of: hotel)
        let ledger = self.ledger
        step("pay", undo: { ledger.refund(price) }) { try ledger.withdraw(price) }
    }

    private func reservation(of item: String) {
        let undo: Undo = {
            self.inventory.put(item)
            self.reserved.remove(item)
        }
        step("reserve \(item)", undo: undo) { [weak self] in
            try self?.inventory.take(item)
            self?.reserved.insert(item)
        }
    }

    private func step(_ name: String, undo: @escaping Undo, body: @escaping () throws -> Void) {
        engine.plan(SagaStep(name: name, execute: body, compensate: undo))
    }

    func book() -> Bool {
        let trail = engine.run()
        print(trail.joined(separator: " "))
        return !trail.contains { $0.hasPrefix("!") }
    }
}

final class TravelAgency {
    private let inventory = Inventory(["LH400": 1, "Savoy": 3, "Ritz": 0])
    private var customers: [String: Ledger] = ["ada": Ledger(balance: 900), "bob": Ledger(balance: 100)]

    func order(_ customer: String, flight: String, hotel: String) -> Bool {
        guard let ledger = customers[customer] else { return false }
        let saga = TravelSaga(engine: SequentialEngine(), inventory: inventory, ledger: ledger)
        saga.prepare(flight: flight, hotel: hotel, price: 450)
        return saga.book()
    }
}

let agency = TravelAgency()
print(agency.order("ada", flight: "LH400", hotel: "Ritz"))
print(agency.order("bob", flight: "LH400", hotel: "Savoy"))
print(agency.order("ada", flight: "LH400", hotel: "Savoy"))
