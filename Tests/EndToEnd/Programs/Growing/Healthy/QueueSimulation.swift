// A discrete simulation of a supermarket with an agenda of events.
final class Customer {
    let id: Int
    let items: Int
    let arrived: Int
    init(id: Int, items: Int, arrived: Int) {
        self.id = id
        self.items = items
        self.arrived = arrived
    }
}
final class Event {
    let time: Int
    let action: (Shop) -> Void
    init(time: Int, action: @escaping (Shop) -> Void) {
        self.time = time
        self.action = action
    }
}
final class Checkout {
    var line: [Customer] = []
    var busy = false
    var served = 0
}
final class Agenda {
    private var events: [Event] = []
    func add(_ event: Event) {
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time > event.time { low = middle + 1 } else { high = middle }
        }
        events.insert(event, at: low)
    }
    func next() -> Event? { events.popLast() }
    var count: Int { events.count }
}
final class Shop {
    let agenda = Agenda()
    let checkouts = (0..<3).map { _ in Checkout() }
    private(set) var now = 0, waited = 0, longest = 0
    private var seed: UInt64 = 31
    private var customers = 0
    func random(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
    func arrive() {
        customers += 1
        let customer = Customer(id: customers, items: 1 + random(20), arrived: now)
        guard let shortest = checkouts.min(by: { $0.line.count < $1.line.count }) else { return }
        shortest.line.append(customer)
        longest = max(longest, shortest.line.count)
        if !shortest.busy { begin(shortest) }
        // Towards the evening customers come faster than the checkouts work.
        agenda.add(Event(time: now + (now < 20_000 ? 9 : 3) + random(5)) { $0.arrive() })
    }
    func begin(_ checkout: Checkout) {
        guard let customer = checkout.line.first else {
            checkout.busy = false
            return
        }
        checkout.busy = true
        agenda.add(
            Event(time: now + 4 + customer.items) { [unowned checkout] shop in
                checkout.line.removeFirst()
                checkout.served += 1
                shop.waited += shop.now - customer.arrived
                shop.begin(checkout)
            })
    }
    func run(until end: Int) {
        agenda.add(Event(time: 0) { $0.arrive() })
        while let event = agenda.next(), event.time < end {
            now = event.time
            event.action(self)
        }
    }
    var served: Int { checkouts.reduce(0) { $0 + $1.served } }
}
let shop = Shop()
shop.run(until: 26_000)
print(shop.served, "served, waited", shop.waited / max(1, shop.served), "longest line", shop.longest)
