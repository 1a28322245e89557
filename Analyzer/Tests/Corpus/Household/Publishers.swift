import Foundation

/// Like Combine, by hand.
protocol Cancelling: AnyObject { func cancel() }

final class Handle: Cancelling, Hashable {
    private var action: (() -> Void)?
    init(_ action: @escaping () -> Void) { self.action = action }
    func cancel() { action?(); action = nil }
    deinit { cancel() }
    func store(in set: inout Set<Handle>) { set.insert(self) }
    static func == (left: Handle, right: Handle) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

final class Subject<Output> {
    private var sinks: [Int: (Output) -> Void] = [:]
    private var next = 0

    func sink(_ body: @escaping (Output) -> Void) -> Handle {
        next += 1
        let id = next
        sinks[id] = body
        return Handle { [weak self] in self?.sinks[id] = nil }
    }

    func send(_ output: Output) { for sink in sinks.values { sink(output) } }
}

final class Scores {
    let changes = Subject<Int>()
    private var handles: Set<Handle> = []
    private var best: Handle?
    private var sum = 0

    func observe() {
        changes.sink { self.sum += $0 }.store(in: &handles)  // suspect: subscription
        best = changes.sink { [weak self] value in  // no-finding: subscription
            guard let self else { return }
            self.sum = max(self.sum, value)
        }
    }

    func debug() {
        _ = changes.sink { print("\(self.sum) \($0)") }  // no-finding: stored-closure (the handle dies at once, and the sink with it)
    }
}

final class Model {
    @Published var name = ""
    private var bag: Set<Handle> = []
    var title = ""

    func bind() {
        $name.sink { self.title = $0 }.store(in: &bag)  // suspect: subscription
        $name.sink { [unowned self] in title = $0 }.store(in: &bag)  // no-finding: subscription
    }
}

@propertyWrapper
final class Published<Value> {
    private let subject = Subject<Value>()
    var wrappedValue: Value { didSet { subject.send(wrappedValue) } }
    var projectedValue: Subject<Value> { subject }
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
