// An event-sourced bank: events are the data; snapshots every 500 replace the events before them.
enum Change {
    case opened(owner: String)
    case deposited(Int)
    case withdrew(Int)
    case closed
}
final class Event {
    let account: Int
    let change: Change
    let sequence: Int
    init(account: Int, change: Change, sequence: Int) {
        self.account = account
        self.change = change
        self.sequence = sequence
    }
}
final class Account {
    let number: Int
    var owner = ""
    var balance = 0
    var isOpen = false
    init(number: Int) { self.number = number }
    func copy() -> Account {
        let new = Account(number: number)
        new.owner = owner
        new.balance = balance
        new.isOpen = isOpen
        return new
    }
    func apply(_ change: Change) {
        switch change {
        case .opened(let owner):
            self.owner = owner
            isOpen = true
        case .deposited(let amount): balance += amount
        case .withdrew(let amount): balance -= amount
        case .closed: isOpen = false
        }
    }
}
final class Snapshot {
    let accounts: [Int: Account]
    let sequence: Int
    init(accounts: [Int: Account], sequence: Int) {
        self.accounts = accounts
        self.sequence = sequence
    }
}
final class EventStore {
    private(set) var events: [Event] = []
    private(set) var snapshot: Snapshot?
    private var sequence = 0
    private var observers: [(Event) -> Void] = []
    func observe(_ handler: @escaping (Event) -> Void) { observers.append(handler) }
    func append(_ change: Change, account: Int) {
        sequence += 1
        let event = Event(account: account, change: change, sequence: sequence)
        events.append(event)
        for observer in observers { observer(event) }
        if events.count == 500 { compact() }
    }
    func state() -> [Int: Account] {
        var accounts = snapshot?.accounts.mapValues { $0.copy() } ?? [:]
        for event in events {
            let account = accounts[event.account] ?? Account(number: event.account)
            account.apply(event.change)
            accounts[event.account] = account
        }
        return accounts
    }
    private func compact() {
        snapshot = Snapshot(accounts: state(), sequence: sequence)
        events.removeAll()
    }
}
final class Ledger {
    private(set) var total = 0
    func attach(to store: EventStore) {
        store.observe { [weak self] event in
            switch event.change {
            case .deposited(let a): self?.total += a
            case .withdrew(let a): self?.total -= a
            default: break
            }
        }
    }
}
let store = EventStore()
let ledger = Ledger()
ledger.attach(to: store)
for number in 0..<300 { store.append(.opened(owner: "Customer \(number)"), account: number) }
var seed: UInt64 = 11
for _ in 0..<4_600 {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let account = Int(seed >> 33) % 300
    let amount = Int(seed >> 50) % 900
    store.append(seed >> 62 == 0 ? .withdrew(amount) : .deposited(amount), account: account)
}
print(ledger.total, store.events.count, store.state().count)
