import Foundation

final class Bindings {
    private var setters: [AnyHashable: (Any) -> Void] = [:]
    private var getters: [() -> Int] = []
    var width = 0
    var height = 0
    var name: String?

    func bind<Value>(_ path: ReferenceWritableKeyPath<Bindings, Value>) {
        setters[path] = { value in  // suspect: stored-closure
            if let value = value as? Value { self[keyPath: path] = value }
        }
    }

    func bindWeakly<Value>(_ path: ReferenceWritableKeyPath<Bindings, Value>) {
        setters[path] = { [weak self] value in  // no-finding: stored-closure
            if let value = value as? Value { self?[keyPath: path] = value }
        }
    }

    func read(_ path: KeyPath<Bindings, Int>) {
        getters.append { [unowned self] in self[keyPath: path] }  // no-finding: stored-closure
        getters.append { self[keyPath: path] }  // suspect: stored-closure
    }

    func total() -> Int {
        [\Bindings.width, \Bindings.height].map { self[keyPath: $0] }.reduce(0, +)  // no-finding: stored-closure
    }
}

/// A store in the style of reducers.
final class Store<State> {
    private(set) var state: State
    private var subscribers: [(State) -> Void] = []
    private lazy var logger: (State) -> Void = { state in print(state, self.subscribers.count) }  // suspect: stored-closure
    private lazy var count: Int = { self.subscribers.count }()  // no-finding: stored-closure

    init(_ state: State) { self.state = state }

    func subscribe<Value>(_ path: KeyPath<State, Value>, _ body: @escaping (Value) -> Void) {
        subscribers.append { body($0[keyPath: path]) }
    }

    func subscribe(_ body: @escaping (State) -> Void) {
        subscribers.append(body)
    }
}

struct Weather { var wind = 0; var rain = 0 }

final class Station {
    private let store = Store(Weather())
    private var wind = 0

    func start() {
        store.subscribe(\.wind) { self.wind = $0 }  // suspect: stored-closure
        store.subscribe(\.rain) { [weak self] in self?.wind = $0 }  // no-finding: stored-closure
        store.subscribe { print($0) }  // no-finding: stored-closure
    }
}
