// states that hold their machine until the next; a parser whose handlers are let go by defer or a scope function
enum Phase {
    case idle
    case busy(owner: Machine, done: () -> Void)
    case over
}
final class Machine {
    private var phase = Phase.idle
    private(set) var log: [String] = []
    func begin() {
        phase = .busy(owner: self) { self.log.append("done") }
    }
    func end() {
        if case .busy(_, let done) = phase { done() }
        phase = .over
    }
}
protocol State: AnyObject {
    func handle(_ event: String) -> State?
}
final class Door {
    private lazy var state: State = Closed(door: self)
    private(set) var opened = 0
    func send(_ event: String) { if let next = state.handle(event) { state = next } }
    func count() { opened += 1 }
}
final class Closed: State {
    unowned let door: Door
    init(door: Door) { self.door = door }
    func handle(_ event: String) -> State? {
        guard event == "open" else { return nil }
        door.count()
        return Open(door: door)
    }
}
final class Open: State {
    unowned let door: Door
    init(door: Door) { self.door = door }
    func handle(_ event: String) -> State? { event == "close" ? Closed(door: door) : nil }
}
final class Scanner {
    private var handlers: [Character: () -> Void] = [:]
    private var depth = 0
    private var deepest = 0
    func scan(_ text: String) -> Int {
        withHandlers {
            for character in text { handlers[character]?() }
        }
        return deepest
    }
    private func withHandlers(_ body: () -> Void) {
        handlers["("] = {
            self.depth += 1
            self.deepest = max(self.deepest, self.depth)
        }
        handlers[")"] = { self.depth -= 1 }
        defer { handlers = [:] }
        body()
    }
}
final class Walker {
    private var visit: ((Int) -> Void)?
    private var total = 0
    func sum(_ values: [Int]) -> Int {
        visit = { value in self.total += value }
        values.forEach { visit?($0) }
        finish()
        return total
    }
    private func finish() { visit = .none }
}
func run() {
    let machine = Machine()
    machine.begin()
    machine.end()
    let door = Door()
    ["open", "close"].forEach(door.send)
    print(machine.log, door.opened, Scanner().scan("(())"), Walker().sum([1, 2]))
}
run()
